/**
 * Programs for tests that pip installs, each in a virtual environment of its own: Schemathesis, SecantusDB, and a Python
 * with gPodder's reader of podcasts.
 */
import { rm } from "node:fs/promises";
import path from "node:path";
import { canInstallPackages, installPackages } from "./debian.ts";
import { makeProgram, type PrepareOptions } from "./made-program.ts";
import { runTool } from "./run-tool.ts";

interface PythonProgram {
  /** Name of the installed file. */
  readonly name: string;
  /** Package with its version. */
  readonly release: string;
  /** Beginning of the error message: what needs the program. */
  readonly need: string;
}

/** Calls an API as its description says it. */
export const SCHEMATHESIS: PythonProgram = {
  name: "schemathesis",
  release: "schemathesis==4.32.5",
  need: "The test of the API needs Schemathesis",
};

/** What gPodder and others read feeds with; it refuses XML that is not well-formed. It has no program of its own. */
export const PODCASTPARSER: PythonProgram = {
  name: "python",
  release: "podcastparser==0.6.11",
  need: "The test of podcast feeds needs podcastparser",
};

/** A server that speaks MongoDB's protocol, on WiredTiger, with fail points; the one that is written in Python. */
export const SECANTUSDB: PythonProgram = {
  name: "secantusd-py",
  release: "secantusdb==0.7.0b3",
  need: "The tests with a database on WiredTiger need SecantusDB",
};

/**
 * Finds a program in the data folder or installs it.
 * @returns the path of the program
 * @throws SetUpError when it is missing and cannot be installed; the signal's reason when aborted
 */
export async function preparePythonProgram(
  { name, release, need }: PythonProgram,
  options: PrepareOptions,
): Promise<string> {
  const folder = path.join(path.resolve(options.dataDir), "tools", release.replace("==", "-"));
  const program = path.join(folder, "bin", name);
  const make = (): Promise<void> => install(release, folder, options);
  const problem = (reason: string): string => `${need}: ${release} could not be installed (${reason}).`;
  return await makeProgram({ name, program, folder, make, problem }, options);
}

async function install(release: string, folder: string, { report, signal }: PrepareOptions): Promise<void> {
  report(`Fetching ${release} …`);
  // Debian's python3 package does not include the venv module.
  if (canInstallPackages()) await installPackages(["python3", "python3-venv"], { report, signal });
  await runTool("python3", ["-m", "venv", "--clear", folder], { signal });
  const programs = path.join(folder, "bin");
  try {
    await runTool(path.join(programs, "python"), ["-m", "pip", "install", "--retries", "2", release], {
      report,
      signal,
    });
  } catch (error) {
    // Its Python would stand for the program that it lacks.
    await rm(programs, { recursive: true });
    throw error;
  }
}
