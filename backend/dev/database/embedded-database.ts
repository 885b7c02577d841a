/** The database of a server without `MONGODB_URI`: a child process on a free port, with files in the data folder. */
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { folderInUseMessage } from "../../runtime/data-folder-lock.ts";
import { tryLockFolder, withFolderLock } from "../../runtime/folder-lock.ts";
import { findOnPath } from "../../runtime/find-program.ts";
import { SetUpError } from "../setup/set-up-error.ts";
import { startDatabaseProcess, type DatabaseExit, type DatabaseProcess } from "./database-process.ts";
import { fetchMongod, findFetchedMongod, hasFetchFailed } from "./fetched-mongod.ts";
import { javaCommand, prepareJavaServer } from "./java-server.ts";
import { MONGOD_SIGN_IN, mongodCommand } from "./mongod.ts";

/** `mongod`: the one on the PATH; `download`: a fetched mongod; `java`: mongo-java-server on one H2 file. */
export type EmbeddedKind = "mongod" | "download" | "java";

export interface EmbeddedDatabase {
  /** With the password, and without a database name. */
  readonly uri: string;
  readonly kind: EmbeddedKind;
  /** The child's process id, for logs. */
  readonly pid: number;
  /** Settles when the child has ended, with `isExpected` false after a crash. */
  readonly exited: Promise<DatabaseExit>;
  /** Closes the files cleanly and releases the folder's lock; resolves when the child has ended. */
  stop(): Promise<void>;
}

export interface EmbeddedDatabaseOptions {
  readonly dataDir: string;
  /** The first kind that works, in the order of the type, unless given. */
  readonly kind?: EmbeddedKind | undefined;
  /** Folder of fetched programs; `<dataDir>/tools` unless given. */
  readonly toolsDir?: string | undefined;
  /** Hexadecimal; a new one unless given. */
  readonly password?: string | undefined;
  readonly report: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
}

interface Launch {
  readonly kind: EmbeddedKind;
  readonly command: readonly [program: string, ...args: string[]];
  readonly folder: string;
  readonly password: string;
  /** What the address has besides the password. */
  readonly signIn: { readonly user: string; readonly query: string };
}

/**
 * @param uri of a database server, without a database name
 * @returns the address of one of its databases
 */
export function databaseUri(uri: string, name: string): string {
  return uri.replace(/\/?(?=\?|$)/, `/${name}`);
}

/** @returns the address of the site's data in an embedded database */
export function siteDatabaseUri({ uri }: Pick<EmbeddedDatabase, "uri">): string {
  return databaseUri(uri, "tapedeck");
}

/**
 * Starts the database and waits until it takes connections. Data survives a restart and a `kill -9`. When there is
 * data of the Java server, later starts use it instead of a fetched mongod, so that the data stays visible. A mongod
 * on the PATH is always used first, and a line says so.
 * @throws SetUpError when no kind works, or when the folder is in use
 */
export async function startEmbeddedDatabase(options: EmbeddedDatabaseOptions): Promise<EmbeddedDatabase> {
  const dataDir = path.resolve(options.dataDir);
  const root = path.join(dataDir, "database");
  const release = await tryLockFolder(root);
  if (!release) throw new SetUpError(folderInUseMessage(dataDir));
  let child: DatabaseProcess;
  let launch: Launch;
  try {
    launch = await chooseLaunch(root, options);
    await mkdir(launch.folder, { recursive: true });
    child = await startDatabaseProcess({ ...launch, pidFile: path.join(root, "server.pid"), signal: options.signal });
  } catch (error) {
    release();
    throw error;
  }
  const exited = child.exited.finally(release);
  return {
    uri: `mongodb://${launch.signIn.user}:${launch.password}@127.0.0.1:${child.port}/${launch.signIn.query}`,
    kind: launch.kind,
    pid: child.pid,
    exited,
    stop: async () => {
      child.stop();
      await exited;
    },
  };
}

async function chooseLaunch(root: string, options: EmbeddedDatabaseOptions): Promise<Launch> {
  const { kind, report, password = randomBytes(32).toString("hex") } = options;
  const javaFile = path.join(root, "java", "data.mv.db");
  const onPath = findOnPath("mongod");
  if (kind === "mongod" || (kind === undefined && onPath !== undefined)) {
    if (onPath === undefined)
      throw new SetUpError("EMBEDDED_DB is mongod, but there is none on the PATH; install it or unset EMBEDDED_DB.");
    if (kind === undefined && existsSync(javaFile) && !existsSync(path.join(root, "mongod")))
      report("There is a mongod on the PATH now; data kept so far stays with EMBEDDED_DB=java.");
    return await mongodLaunch(root, onPath, "mongod", password);
  }
  // A folder and a lock of its own: the other tools may be fetched at the same time.
  const toolsDir = path.join(path.resolve(options.toolsDir ?? path.join(options.dataDir, "tools")), "database");
  return await withFolderLock(toolsDir, options, async () => {
    const mayFetch = kind === "download" || (kind === undefined && !existsSync(javaFile));
    const program = mayFetch ? await findOrFetchMongod(toolsDir, options) : undefined;
    if (program !== undefined) return await mongodLaunch(root, program, "download", password);
    const server = await prepareJavaServer(toolsDir, options);
    const command = javaCommand(server, javaFile);
    const signIn = { user: "tapedeck", query: "" };
    return { kind: "java", command, folder: path.dirname(javaFile), password, signIn };
  });
}

async function mongodLaunch(root: string, program: string, kind: EmbeddedKind, password: string): Promise<Launch> {
  const folder = path.join(root, "mongod");
  const keyFile = path.join(root, "mongod.key");
  await rm(keyFile, { force: true });
  await writeFile(keyFile, password, { mode: 0o600, flag: "wx" });
  return { kind, command: mongodCommand(program, folder, keyFile), folder, password, signIn: MONGOD_SIGN_IN };
}

/**
 * @returns path of a fetched mongod; undefined when it cannot be fetched
 * @throws SetUpError instead, when only that kind is wanted
 */
async function findOrFetchMongod(
  toolsDir: string,
  options: Pick<EmbeddedDatabaseOptions, "kind" | "report" | "signal">,
): Promise<string | undefined> {
  const isRequired = options.kind === "download";
  const known = findFetchedMongod(toolsDir);
  if (known !== undefined) return known;
  const fetched = isRequired || !hasFetchFailed(toolsDir) ? await fetchMongod(toolsDir, options) : undefined;
  if (fetched === undefined && isRequired)
    throw new SetUpError(
      "EMBEDDED_DB is download, but no mongod could be fetched; check the network or unset EMBEDDED_DB.",
    );
  return fetched;
}
