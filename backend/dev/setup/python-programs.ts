/** Programs for tests that pip installs, each in a virtual environment of its own: Schemathesis and SecantusDB. */
import path from "node:path";
import { isProgram } from "../../runtime/find-program.ts";
import { withFolderLock } from "../../runtime/folder-lock.ts";
import { canInstallPackages, installPackages } from "./debian.ts";
import { runTool } from "./run-tool.ts";
import { SetUpError } from "./set-up-error.ts";

interface PythonProgram {
  /** Name of the installed file. */
  readonly name: string;
  /** Package with its version. */
  readonly release: string;
  /** Beginning of the error message: what needs the program. */
  readonly need: string;
}

interface PrepareOptions {
  readonly dataDir: string;
  readonly report: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
}

/** Calls an API as its description says it. */
const SCHEMATHESIS: PythonProgram = {
  name: "schemathesis",
  release: "schemathesis==4.32.5",
  need: "The test of the API needs Schemathesis",
};

/** A server that speaks MongoDB's protocol, on WiredTiger, with fail points; the one that is written in Python. */
const SECANTUSDB: PythonProgram = {
  name: "secantusd-py",
  release: "secantusdb==0.7.0b3",
  need: "The tests with a database on WiredTiger need SecantusDB",
};

/**
 * Finds Schemathesis in the data folder or installs it.
 * @returns the path of the program
 * @throws SetUpError when it is missing and cannot be installed; the signal's reason when aborted
 */
export function prepareSchemathesis(options: PrepareOptions): Promise<string> {
  return preparePythonProgram(SCHEMATHESIS, options);
}

/**
 * Finds SecantusDB in the data folder or installs it.
 * @returns the path of the program
 * @throws SetUpError when it is missing and cannot be installed; the signal's reason when aborted
 */
export function prepareSecantusdb(options: PrepareOptions): Promise<string> {
  return preparePythonProgram(SECANTUSDB, options);
}

async function preparePythonProgram({ name, release, need }: PythonProgram, options: PrepareOptions): Promise<string> {
  const folder = path.join(path.resolve(options.dataDir), "tools", release.replace("==", "-"));
  const program = path.join(folder, "bin", name);
  if (isProgram(program)) return program;
  try {
    await withFolderLock(folder, options, async () => {
      // Another process may have installed it while this one waited for the lock.
      if (!isProgram(program)) await install(release, folder, options);
    });
  } catch (error) {
    options.signal?.throwIfAborted();
    const reason = error instanceof Error ? error.message : String(error);
    throw new SetUpError(`${need}: ${release} could not be installed (${reason}).`, { cause: error });
  }
  options.report(`${name}: ${program}`);
  return program;
}

async function install(release: string, folder: string, { report, signal }: PrepareOptions): Promise<void> {
  report(`Fetching ${release} …`);
  // Debian's python3 package does not include the venv module.
  if (canInstallPackages()) await installPackages(["python3", "python3-venv"], { report, signal });
  await runTool("python3", ["-m", "venv", "--clear", folder], { signal });
  await runTool(path.join(folder, "bin", "python"), ["-m", "pip", "install", "--retries", "2", release], {
    report,
    signal,
  });
}
