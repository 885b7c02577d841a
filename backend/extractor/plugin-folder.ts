/** Whether the operator's plugin folder is safe to load: its code runs with the rights of the server. */
import { readdir, realpath, stat } from "node:fs/promises";
import path from "node:path";

const OTHERS_WRITE = 0o002;
const GROUP_WRITES = 0o020;
const ROOT = 0;

/** @returns a sentence about why the folder cannot be used; undefined when it can */
export async function wrongPluginFolder(folder: string): Promise<string | undefined> {
  try {
    if (!(await stat(folder)).isDirectory()) return `the plugin folder ${folder} is not a folder`;
    return await wrongEntry(folder, new Set());
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    return `the plugin folder ${folder} cannot be read (${String(error.code)})`;
  }
}

/**
 * Judges a file or folder with all that is in it, and where links lead to.
 * @param seen real paths that were judged, because links may form a ring
 * @returns a sentence about the first wrong one
 */
async function wrongEntry(entry: string, seen: Set<string>): Promise<string | undefined> {
  const place = await realpath(entry);
  if (seen.has(place)) return undefined;
  seen.add(place);
  const stats = await stat(place);
  if (!stats.isDirectory() && !stats.isFile()) return `${entry} is neither a file nor a folder, in the plugin folder`;
  if ((stats.mode & OTHERS_WRITE) !== 0)
    return `every user of this machine may write to ${entry}, of the plugin folder`;
  if ((stats.mode & GROUP_WRITES) !== 0) return `a group of users may write to ${entry}, of the plugin folder`;
  if (stats.uid !== ROOT && stats.uid !== process.geteuid?.())
    return `${entry}, of the plugin folder, belongs to another user than the server's`;
  if (!stats.isDirectory()) return undefined;
  for (const name of await readdir(place)) {
    const wrong = await wrongEntry(path.join(entry, name), seen);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}
