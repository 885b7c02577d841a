/** Folders of this checkout, for programs that run from it without configuration. */
import path from "node:path";

export const REPOSITORY_ROOT = path.resolve(import.meta.dirname, "../..");

/** @returns `DATA_DIR`, or `.data` in the checkout */
export function repositoryDataDir(): string {
  const given = process.env["DATA_DIR"];
  return path.resolve(REPOSITORY_ROOT, given === undefined || given === "" ? ".data" : given);
}
