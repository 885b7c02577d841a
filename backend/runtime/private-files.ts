/** What the site stores is readable by its owner alone: not by other users of the machine. */
import { constants } from "node:fs";
import { mkdir, open, readdir } from "node:fs/promises";
import path from "node:path";

const OTHERS = 0o077;
/** A folder like /tmp, which is not the site's alone. */
const STICKY = 0o1000;

/** From now on, files and folders that this process and its children make are for their owner alone. */
export function makeFilesPrivate(): void {
  process.umask(OTHERS);
}

/**
 * Takes the rights of others from a data folder that an older version made, once: first from the folder itself, by which
 * nobody else reaches what is in it, then from that. No link is followed, and what is another user's stays.
 * @param dataDir made if it is missing; one that cannot be used is left to those who use it
 * @returns a sentence when others can still read the folder
 */
export async function closeDataFolder(dataDir: string): Promise<string | undefined> {
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    const outcome = await closeEntry(dataDir);
    if (outcome === "kept") return `other users of this machine may read ${dataDir}, which is not the server's alone`;
    if (outcome === "closed") await closeAllIn(dataDir);
    return undefined;
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}

async function closeAllIn(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    // A pipe or socket would never open, a link leads elsewhere.
    if (!entry.isFile() && !entry.isDirectory()) continue;
    const entryPath = path.join(folder, entry.name);
    try {
      await closeEntry(entryPath);
      if (entry.isDirectory()) await closeAllIn(entryPath);
    } catch (error) {
      // It has just gone, or its owner may not read it either.
      if (!(error instanceof Error && "code" in error)) throw error;
    }
  }
}

/** @returns "private" when nothing had to change, "kept" when it is another user's or everybody's */
async function closeEntry(entryPath: string): Promise<"private" | "closed" | "kept"> {
  await using handle = await open(entryPath, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  const { mode, uid } = await handle.stat();
  if ((mode & OTHERS) === 0) return "private";
  if (uid !== process.geteuid?.() || (mode & STICKY) !== 0) return "kept";
  await handle.chmod(mode & 0o7777 & ~OTHERS);
  return "closed";
}
