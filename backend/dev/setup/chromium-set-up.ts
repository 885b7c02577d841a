/** Chromium for the browser tests: from the PATH, from Playwright or from Debian's package. */
import path from "node:path";
import { canInstallPackages, installPackages } from "./debian.ts";
import { withFolderLock } from "../../runtime/folder-lock.ts";
import { findOnPath, isProgram } from "../../runtime/find-program.ts";
import { SetUpError } from "./set-up-error.ts";

const NAMES = ["chromium", "chromium-browser", "google-chrome"];
const HOW_TO_FIX = "run `apt-get install chromium` or `npx playwright install chromium`";

/** @returns path of an installed Chromium, or undefined */
export async function findChromium(): Promise<string | undefined> {
  const onPath = NAMES.map(findOnPath).find((program) => program !== undefined);
  if (onPath !== undefined) return onPath;
  const { chromium } = await import("@playwright/test");
  const own = chromium.executablePath();
  return isProgram(own) ? own : undefined;
}

/**
 * Finds a Chromium or installs Debian's.
 * @returns the path of the program
 * @throws SetUpError when it is missing and cannot be installed
 */
export async function prepareChromium(options: {
  readonly dataDir: string;
  readonly report: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
}): Promise<string> {
  const found = await findChromium();
  if (found !== undefined) return found;
  if (!canInstallPackages()) throw new SetUpError(`The browser tests need Chromium: ${HOW_TO_FIX}.`);
  try {
    await withFolderLock(path.join(path.resolve(options.dataDir), "tools"), options, async () => {
      if ((await findChromium()) === undefined) await installPackages(["chromium"], options);
    });
  } catch (error) {
    options.signal?.throwIfAborted();
    const reason = error instanceof Error ? error.message : String(error);
    throw new SetUpError(`Chromium could not be installed (${reason}): ${HOW_TO_FIX}.`, { cause: error });
  }
  const installed = await findChromium();
  if (installed === undefined) throw new SetUpError(`Chromium was installed but is not on the PATH: ${HOW_TO_FIX}.`);
  options.report(`Chromium: ${installed}`);
  return installed;
}
