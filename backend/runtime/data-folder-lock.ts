/** Allows one server for each data folder: two would delete each other's files. */
import { ConfigError } from "../config/config.ts";
import { tryLockFolder } from "./folder-lock.ts";

/** @returns the error text for a second server in the same data folder */
export function folderInUseMessage(dataDir: string): string {
  const problem = `The data folder ${dataDir} is in use by another running Tapedeck`;
  return `${problem}; stop it, or set DATA_DIR to another folder.`;
}

/**
 * @param dataDir absolute path; the folder is created if it is missing
 * @returns releases the lock; the end of the process releases it too, even a `kill -9`
 * @throws ConfigError when another server has the lock, or the folder cannot be written to
 */
export async function lockDataFolder(dataDir: string): Promise<() => void> {
  let release: (() => void) | undefined;
  try {
    release = await tryLockFolder(dataDir);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigError(`DATA_DIR must be a folder that can be written to, but ${dataDir} is not (${reason})`, {
      cause: error,
    });
  }
  if (!release) throw new ConfigError(folderInUseMessage(dataDir));
  return release;
}
