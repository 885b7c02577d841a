/**
 * Files of a backup that is read. A backup may come from another machine and have been changed: what leads out of its
 * folder, or never ends, is not opened.
 */
import { lstat } from "node:fs/promises";
import path from "node:path";
import { BackupError } from "./backup-error.ts";

/**
 * @param file below the folder of the backup
 * @returns its path, when it is a file and all above it are folders
 * @throws BackupError when a link, pipe or device stands there; an error ENOENT when nothing does
 */
export async function partFile(backup: string, file: string): Promise<string> {
  const steps = path.relative(backup, file).split(path.sep);
  for (const [index] of steps.entries()) {
    const step = path.join(backup, ...steps.slice(0, index + 1));
    const stats = await lstat(step);
    if (index < steps.length - 1 ? stats.isDirectory() : stats.isFile()) continue;
    throw new BackupError(
      `The backup ${backup} cannot be trusted: ${path.relative(backup, step)} is a link, a pipe, or not what a backup ` +
        "has there. Nothing was changed; restore another one.",
    );
  }
  return file;
}
