/**
 * The lock file of the first yt-dlp: pip's requirements with the hashes of all wheels. CONTRIBUTING.md says how to renew
 * it. Set-up and image install exactly it; later versions may bring newer versions of its packages, and no others.
 */
import { readFileSync } from "node:fs";
import path from "node:path";

export const LOCK_FILE = path.join(import.meta.dirname, "yt-dlp.lock");

/** Arguments of `pip install` for the packages of a lock file. A source package would run code while it is built. */
export function lockedArgs(file: string): readonly string[] {
  return ["--require-hashes", "--only-binary=:all:", `--requirement=${file}`];
}

/** @returns the name as package indexes compare it (PEP 503) */
export function packageName(name: string): string {
  return name.toLowerCase().replace(/[-_.]+/g, "-");
}

/** @returns names of the packages in the lock file */
export function lockedNames(): ReadonlySet<string> {
  const names = readFileSync(LOCK_FILE, "utf8").matchAll(/^([\w.-]+)==/gm);
  return new Set([...names].map(([, name = ""]) => packageName(name)));
}
