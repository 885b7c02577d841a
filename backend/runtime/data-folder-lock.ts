/** Two servers in one data folder would remove each other's files. */
import { ConfigError } from "../config/config.ts";
import { tryLockFolder } from "./folder-lock.ts";

/** What is said to whoever starts a second server in a data folder. */
export function sayFolderInUse(dataDir: string): string {
  return `The data folder ${dataDir} is in use by another running Tapedeck; stop it, or set DATA_DIR to another folder.`;
}

/**
 * @param dataDir an absolute path; the folder is made if it is missing
 * @returns what gives the folder back; the end of this process does so too, whatever ends it
 * @throws ConfigError when another server has it, or when it cannot be written to
 */
export async function lockDataFolder(dataDir: string): Promise<() => void> {
  let release: (() => void) | undefined;
  try {
    release = await tryLockFolder(dataDir);
  } catch (error) {
    throw new ConfigError(
      `DATA_DIR must be a folder that can be written to, but ${dataDir} is not (${error instanceof Error ? error.message : String(error)})`,
      { cause: error },
    );
  }
  if (!release) throw new ConfigError(sayFolderInUse(dataDir));
  return release;
}
