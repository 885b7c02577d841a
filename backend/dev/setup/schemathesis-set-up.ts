/** Schemathesis, which calls an API as its description says it: for a test, in a virtual environment of Python. */
import path from "node:path";
import { isProgram } from "../../runtime/find-program.ts";
import { withFolderLock } from "../../runtime/folder-lock.ts";
import { canInstallPackages, installPackages } from "./debian.ts";
import { runTool } from "./run-tool.ts";
import { SetUpError } from "./set-up-error.ts";

const RELEASE = "schemathesis==4.32.5";

interface PrepareOptions {
  readonly dataDir: string;
  readonly report: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Finds Schemathesis in the data folder or installs it.
 * @returns the path of the program
 * @throws SetUpError when it is missing and cannot be installed; the signal's reason when aborted
 */
export async function prepareSchemathesis(options: PrepareOptions): Promise<string> {
  const folder = path.join(path.resolve(options.dataDir), "tools", RELEASE.replace("==", "-"));
  const program = path.join(folder, "bin", "schemathesis");
  if (isProgram(program)) return program;
  try {
    await withFolderLock(folder, options, async () => {
      // Another process may have installed it while this one waited for the lock.
      if (!isProgram(program)) await install(folder, options);
    });
  } catch (error) {
    options.signal?.throwIfAborted();
    const reason = error instanceof Error ? error.message : String(error);
    throw new SetUpError(`The test of the API needs ${RELEASE}, which could not be installed (${reason}).`, {
      cause: error,
    });
  }
  options.report(`schemathesis: ${program}`);
  return program;
}

async function install(folder: string, { report, signal }: PrepareOptions): Promise<void> {
  report("Fetching schemathesis …");
  // Debian's python3 package does not include the venv module.
  if (canInstallPackages()) await installPackages(["python3", "python3-venv"], { report, signal });
  await runTool("python3", ["-m", "venv", "--clear", folder], { signal });
  await runTool(path.join(folder, "bin", "python"), ["-m", "pip", "install", "--retries", "2", RELEASE], {
    report,
    signal,
  });
}
