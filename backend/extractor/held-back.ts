/** Finds out why yt-dlp does not get newer though the one in use is old: pip picks an older one without a word. */
import type { HeldBack } from "../../common/operator.ts";
import type { ReleaseDraft } from "./installation.ts";
import { compareVersions, type Release } from "./releases.ts";
import { InstallError } from "./run-installer.ts";

/** pip names the releases that it leaves out with what they need. */
const OTHER_PYTHON = /Requires-Python|different python/i;
const MAX_WORDS = 500;

/**
 * @param offered version that pip would install
 * @throws InstallError when pip does not say what the index has
 */
export async function findWhatHoldsBack(draft: ReleaseDraft, release: Release, offered: string): Promise<HeldBack> {
  const version = await draft.newest(release);
  if (compareVersions(version, offered) <= 0) return { cause: "index", version: offered, words: "" };
  try {
    await draft.resolve({ kind: "pinned", version });
    return { cause: "dependency", version, words: "pip installs it only when it is named" };
  } catch (error) {
    if (!(error instanceof InstallError)) throw error;
    const words = error.message.slice(0, MAX_WORDS);
    return { cause: OTHER_PYTHON.test(words) ? "python" : "dependency", version, words };
  }
}

/** @returns the end of a sentence for the log */
export function describeHeldBack({ cause, version, words }: HeldBack): string {
  if (cause === "python") return `yt-dlp ${version} needs a newer Python than this machine has: ${words}`;
  if (cause === "dependency") return `yt-dlp ${version} needs what the package index does not have: ${words}`;
  if (cause === "failed") return `pip fails: ${words}`;
  return "The package index may lack a newer release or one of its dependencies";
}
