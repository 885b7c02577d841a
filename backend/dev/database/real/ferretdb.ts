/** FerretDB: MongoDB's protocol over PostgreSQL with the extension DocumentDB, which has indexes of every kind and plans. */
import { appendFile, copyFile, mkdir } from "node:fs/promises";
import path from "node:path";
import { ownPort } from "../../own-port.ts";
import { ServerProcess } from "../../product/server-process.ts";
import { repositoryDataDir } from "../../repository.ts";
import { FERRETDB, prepareGoProgram } from "../../setup/go-programs.ts";
import { runTool } from "../../setup/run-tool.ts";
import { inDebianFolder, prepareDebianFolder } from "./debian-folder.ts";
import type { RealDatabase, RealDatabaseOptions } from "./real-database.ts";

const PACKAGE = "postgresql-18-documentdb";
const PROGRAMS = "/usr/lib/postgresql/18/bin";
const EXTENSIONS = "usr/share/postgresql/18/extension";
const USER = "postgres";

/** An update that meets a unique index answers code 1 here, and 11000 in MongoDB; inserts are right. */
const BROKEN_TESTS = [
  "a lease that is a document of its own > is acquired by one of twenty holders at the same moment",
  "a lease that is a document of its own > that ends in 115000 ms, because the clock was set back, has ended: false",
  "a lease that is a document of its own > is renewed and released by its holder",
  "needs a free slot for a retry",
  "needs a free slot of the network for a retry",
  "answers unavailable_now when a slot that looks free stays taken",
  "runs in one of several processes at the same moment while the others wait",
  "runs again after a failure, and after a process that died with the lock",
  "completes the job of a worker that was killed in the next worker, with its second attempt",
  "creates one user for twenty simultaneous first sign-ins",
  "keeps the limit when a batch is retried while other jobs are added",
];

/**
 * Starts PostgreSQL and FerretDB on free ports and waits until they listen. The first time it fetches 540 MB.
 * @throws SetUpError when one of them cannot be fetched or ends before it listens
 */
export async function startFerretdb({ folder, report }: RealDatabaseOptions): Promise<RealDatabase> {
  const tools = path.join(repositoryDataDir(), "tools", "ferretdb");
  const program = await prepareGoProgram(FERRETDB, { dataDir: repositoryDataDir(), report });
  const root = path.join(tools, PACKAGE);
  await prepareDebianFolder(root, [PACKAGE], { report });
  // An installation would link it.
  await copyFile(path.join(root, EXTENSIONS, "postgis-3.control"), path.join(root, EXTENSIONS, "postgis.control"));
  await using started = new AsyncDisposableStack();
  const sqlPort = await startPostgres(root, path.join(folder, "postgres"), started);
  const port = await ownPort();
  const server = new ServerProcess({
    name: "FerretDB",
    command: [
      program,
      `--postgresql-url=postgres://${USER}@127.0.0.1:${sqlPort}/postgres`,
      `--listen-addr=127.0.0.1:${port}`,
      `--state-dir=${folder}`,
      "--debug-addr=-",
      "--telemetry=disable",
      // Nobody but this run knows the ports, and they hold tests' data.
      "--no-auth",
    ],
    ready: /Listening on TCP/,
  });
  started.defer(() => server.stop());
  await server.start();
  const rest = started.move();
  return {
    uri: `mongodb://127.0.0.1:${port}/`,
    description: "FerretDB on PostgreSQL",
    brokenTests: BROKEN_TESTS,
    [Symbol.asyncDispose]: () => rest.disposeAsync(),
  };
}

/** @returns the port */
async function startPostgres(root: string, data: string, started: AsyncDisposableStack): Promise<number> {
  await mkdir(data, { recursive: true });
  const command = (program: string, ...args: string[]) =>
    inDebianFolder(root, data, [path.join(PROGRAMS, program), ...args]);
  const run = ([program, ...args]: [string, ...string[]]) => runTool(program, args);
  const port = await ownPort();
  await run(command("initdb", "-D", "/data", "-U", USER, "--auth=trust", "--no-sync"));
  await appendFile(path.join(data, "postgresql.conf"), settingsOf(port));
  const server = new ServerProcess({
    name: "PostgreSQL",
    command: command("postgres", "-D", "/data"),
    ready: /ready to accept connections/,
  });
  started.defer(() => server.stop());
  await server.start();
  const sql = ["-h", "127.0.0.1", "-p", String(port), "-U", USER];
  await run(command("psql", ...sql, "-c", "CREATE EXTENSION documentdb CASCADE"));
  return port;
}

function settingsOf(port: number): string {
  const settings = {
    listen_addresses: "127.0.0.1",
    port,
    unix_socket_directories: "",
    shared_preload_libraries: "pg_cron,pg_documentdb_core,pg_documentdb",
    "cron.database_name": "postgres",
    // Each process of the tests opens up to 100.
    max_connections: 500,
    fsync: "off",
    // Tests' tables are so small that it would read them as a whole; the plans are to say whether an index serves.
    enable_seqscan: "off",
  };
  return Object.entries(settings)
    .map(([key, value]) => `${key} = '${value}'\n`)
    .join("");
}
