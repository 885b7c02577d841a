/** Programs that come from the PATH or, on Debian as root, from a package of the same name. */
import { canInstallPackages, installPackages } from "./debian.ts";
import { findOnPath } from "./run-tool.ts";
import { SetUpError } from "./set-up-error.ts";

/**
 * Finds a program on the PATH or installs the Debian package of the same name.
 * @param options.howToMend the command that the operator should run when this fails
 * @returns the path of the program
 * @throws SetUpError when it is missing and cannot be installed
 */
export async function prepareDebianProgram(
  name: string,
  options: {
    readonly howToMend: string;
    readonly report: (line: string) => void;
    readonly signal?: AbortSignal | undefined;
  },
): Promise<string> {
  const { howToMend, report, signal } = options;
  const found = findOnPath(name);
  if (found !== undefined) return found;
  if (!canInstallPackages()) throw new SetUpError(`${name} is missing: ${howToMend}.`);
  try {
    await installPackages([name], options);
  } catch (error) {
    signal?.throwIfAborted();
    const reason = error instanceof Error ? error.message : String(error);
    throw new SetUpError(`${name} is missing and could not be installed (${reason}): ${howToMend}.`, { cause: error });
  }
  const installed = findOnPath(name);
  if (installed === undefined) throw new SetUpError(`${name} was installed but is not on the PATH: ${howToMend}.`);
  report(`${name}: ${installed}`);
  return installed;
}
