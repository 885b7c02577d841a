/**
 * mongo-java-server with its H2 file backend, for machines without a mongod. Maven fetches its jars; our Java classes
 * around them are compiled once.
 */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import path from "node:path";
import { canInstallPackages, installPackages } from "../setup/debian.ts";
import { runTool } from "../setup/run-tool.ts";
import { findOnPath } from "../../runtime/find-program.ts";
import { SetUpError } from "../setup/set-up-error.ts";

const POM = path.join(import.meta.dirname, "pom.xml");
const SOURCES = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith(".java"))
  .sort()
  .map((name) => path.join(import.meta.dirname, name));
const COPY_JARS = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies";
const HOW_TO_FIX = "run `apt-get install default-jdk-headless maven`, or put a mongod on the PATH, or set MONGODB_URI";

const DRAFT = "draft-";

export interface JavaServer {
  readonly java: string;
  readonly classPath: string;
}

/** Java's default is a quarter of the machine's memory; H2 needs little more than its 16 MB page cache. */
const HEAP_MB = 512;

/**
 * The flags choose the light compiler and garbage collector, which halve the start time and suffice for development.
 * @param file where the database is stored
 */
export function javaCommand(server: JavaServer, file: string): readonly [string, ...string[]] {
  const flags = [`-Xmx${HEAP_MB}m`, "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto"];
  return [server.java, ...flags, "-cp", server.classPath, "EmbeddedDatabase", file];
}

/**
 * Fetches the jars and compiles our classes, unless this was done before for the same sources.
 * @param toolsDir the caller holds its lock; drafts of killed builds are removed from it
 * @throws SetUpError when Java or Maven is missing or fails
 */
export async function prepareJavaServer(
  toolsDir: string,
  options: { report: (line: string) => void; signal?: AbortSignal | undefined },
): Promise<JavaServer> {
  const inputs = createHash("sha256");
  for (const file of [POM, ...SOURCES]) inputs.update(readFileSync(file));
  const home = path.join(toolsDir, `java-database-${inputs.digest("hex").slice(0, 12)}`);
  const classPath = [path.join(home, "jars", "*"), path.join(home, "classes")].join(path.delimiter);
  await removeDrafts(toolsDir);
  if (!existsSync(home)) await build(toolsDir, home, options);
  const java = findOnPath("java");
  if (java === undefined) throw new SetUpError(`The embedded database needs Java: ${HOW_TO_FIX}.`);
  return { java, classPath };
}

/** Removes drafts that killed builds left. */
async function removeDrafts(toolsDir: string): Promise<void> {
  for (const name of await readdir(toolsDir))
    if (name.startsWith(DRAFT)) await rm(path.join(toolsDir, name), { recursive: true, force: true });
}

/** Builds in a draft folder and renames it when it is complete, so that `home` is always complete. */
async function build(
  toolsDir: string,
  home: string,
  options: { report: (line: string) => void; signal?: AbortSignal | undefined },
): Promise<void> {
  const { report, signal } = options;
  const draft = await mkdtemp(path.join(toolsDir, DRAFT));
  const jars = path.join(draft, "jars");
  const classes = path.join(draft, "classes");
  await mkdir(classes);
  try {
    const isComplete = ["java", "javac", "mvn"].every((name) => findOnPath(name) !== undefined);
    if (!isComplete && canInstallPackages()) await installPackages(["default-jdk-headless", "maven"], options);
    report("Fetching the embedded database (6 MB) with Maven …");
    const quiet = ["--batch-mode", "--quiet", "-Dstyle.color=never"];
    const output = ["-DincludeScope=runtime", `-DoutputDirectory=${jars}`];
    await runTool("mvn", [...quiet, "--file", POM, COPY_JARS, ...output], { report, signal });
    await runTool("javac", ["-d", classes, "-cp", path.join(jars, "*"), ...SOURCES], { signal });
    await rename(draft, home);
  } catch (error) {
    signal?.throwIfAborted();
    const reason = error instanceof Error ? error.message : String(error);
    throw new SetUpError(`The embedded database could not be fetched (${reason.slice(0, 200)}): ${HOW_TO_FIX}.`, {
      cause: error,
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}
