/** bubblewrap, which makes the sandbox of tools: from the PATH or Debian's package. */
import { canInstallPackages, installPackages } from "./debian.ts";
import { findOnPath } from "../../runtime/find-program.ts";

/** Installs bubblewrap where that is possible. Without it the server starts too, and says what is lost. */
export async function prepareSandbox(options: {
  readonly report: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
}): Promise<void> {
  if (findOnPath("bwrap") !== undefined || !canInstallPackages()) return;
  try {
    await installPackages(["bubblewrap"], { report: options.report, signal: options.signal });
  } catch (error) {
    options.signal?.throwIfAborted();
    const reason = error instanceof Error ? error.message : String(error);
    options.report(`bubblewrap could not be installed (${reason}): run \`apt-get install bubblewrap\`.`);
  }
}
