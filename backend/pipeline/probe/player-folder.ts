/**
 * Where yt-dlp keeps YouTube's player scripts between calls, as fetched and as prepared for the solver: about 4 MB for
 * each version of the player.
 */
import { createHash } from "node:crypto";
import { mkdir, readdir, realpath, rm, stat, utimes } from "node:fs/promises";
import path from "node:path";

const FOLDER = "youtube-players";
/** YouTube has a few player versions in use at a time, and a new one every few days. */
const KEPT_FILES = 16;

/**
 * Another process may still use another version of yt-dlp, and a version may be rolled back. Users mark their folder
 * more often, see `markPlayerFolder`.
 */
const UNUSED_MS = 24 * 3_600_000;

/** Folders that no version of yt-dlp has used for a day, and all but the newest files of each kind. */
async function removeOld(home: string, current: string): Promise<void> {
  for (const version of await readdir(home)) {
    const folder = path.join(home, version);
    if (folder === current) continue;
    // Another process may remove it at the same time.
    const usedMs = (await stat(folder).catch(() => null))?.mtimeMs ?? Infinity;
    if (Date.now() - usedMs >= UNUSED_MS) await rm(folder, { recursive: true, force: true });
  }
  for (const kind of await readdir(current)) {
    const files = (await readdir(path.join(current, kind))).map((name) => path.join(current, kind, name));
    const ages = await Promise.all(files.map(async (file) => ({ file, changedMs: (await stat(file)).mtimeMs })));
    const newestFirst = ages.toSorted((a, b) => b.changedMs - a.changedMs);
    for (const { file } of newestFirst.slice(KEPT_FILES)) await rm(file, { force: true });
  }
}

/**
 * Makes the folder and removes what is too old. Several processes may share it: yt-dlp writes a file under another name
 * and renames it.
 * @param ytDlpPath another version of yt-dlp gets a folder of its own, because it may prepare scripts in another way
 */
export async function openPlayerFolder(dataDir: string, ytDlpPath: string): Promise<string> {
  const program = await realpath(ytDlpPath);
  const { mtimeMs } = await stat(program);
  const version = createHash("sha256").update(`${program} ${mtimeMs}`).digest("hex").slice(0, 16);
  const home = path.join(dataDir, FOLDER);
  const current = path.join(home, version);
  await markPlayerFolder(current);
  await removeOld(home, current);
  return current;
}

/** Marks the folder as used now, so that no process removes it for a day. */
export async function markPlayerFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const now = new Date();
  await utimes(folder, now, now);
}
