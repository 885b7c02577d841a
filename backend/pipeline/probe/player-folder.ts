/**
 * Where YouTube's player scripts are kept for calls of yt-dlp, as fetched and as prepared for the solver: about 4 MB for
 * each version of the player. Only this server writes here: all calls run what is in it.
 */
import { createHash } from "node:crypto";
import type { Dirent } from "node:fs";
import { link, mkdir, readdir, realpath, rm, stat, utimes } from "node:fs/promises";
import path from "node:path";
import { sizeOf } from "../../tool-files/tool-files.ts";
import { removeIfAllowed } from "../process/job-folder.ts";

const FOLDER = "youtube-players";
/** Calls could write the folders of earlier versions of this server, so those are not used any more. */
const LAYOUT = "kept by the server";
/** YouTube has a few player versions in use at a time, and a new one every few days. */
const KEPT_FILES = 16;

/**
 * Another process may still use another version of yt-dlp, and a version may be rolled back. Users mark their folder
 * more often, see `markPlayerFolder`.
 */
const UNUSED_MS = 24 * 3_600_000;

/** @returns Infinity for one that another process has removed meanwhile */
async function changedMs(file: string): Promise<number> {
  return (await stat(file).catch(() => null))?.mtimeMs ?? Infinity;
}

/** @returns none when another process has removed the folder */
async function entriesOf(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}

/** Removes folders that no version of yt-dlp has used for a day. */
async function removeUnused(home: string, current: string): Promise<void> {
  for (const version of await readdir(home)) {
    const folder = path.join(home, version);
    // What this user may not remove stays, such as the `lost+found` of a disk that is mounted here.
    if (folder !== current && Date.now() - (await changedMs(folder)) >= UNUSED_MS) await removeIfAllowed(folder);
  }
}

/**
 * Removes all but the newest files of each kind. Several processes may do so at the same time: they remove the same
 * files, and yt-dlp fetches a script again that it does not find.
 */
export async function boundPlayerFolder(folder: string): Promise<void> {
  for (const entry of await entriesOf(folder)) {
    if (!entry.isDirectory()) continue;
    const kind = path.join(folder, entry.name);
    const names = await readdir(kind);
    if (names.length <= KEPT_FILES) continue;
    const files = names.map((name) => path.join(kind, name));
    const ages = await Promise.all(files.map(async (file) => ({ file, atMs: await changedMs(file) })));
    // A file that is gone takes the place of none that is kept.
    const newestFirst = ages.filter(({ atMs }) => atMs !== Infinity).toSorted((a, b) => b.atMs - a.atMs);
    for (const { file } of newestFirst.slice(KEPT_FILES)) await rm(file, { force: true });
  }
}

/** What yt-dlp names its files. */
const FILE_NAME = /^[\w.,~-]{1,200}\.json$/;
const KINDS: ReadonlySet<string> = new Set(["youtube-script", "challenge-solver"]);
const MAX_FILE_BYTES = 16_000_000;

/**
 * Keeps the files of a call that has prepared a script and has ended. Files that are kept already stay as they are.
 * @param prepared in the same file system
 */
export async function keepPrepared(folder: string, prepared: string): Promise<void> {
  // A link to a folder is none.
  const folders = (await entriesOf(prepared)).filter((entry) => entry.isDirectory() && KINDS.has(entry.name));
  for (const { name: kind } of folders) {
    const files = await entriesOf(path.join(prepared, kind));
    for (const { name } of files.filter((entry) => entry.isFile() && FILE_NAME.test(entry.name))) {
      const file = path.join(prepared, kind, name);
      if ((await sizeOf(file)) > MAX_FILE_BYTES) continue;
      await mkdir(path.join(folder, kind), { recursive: true, mode: 0o700 });
      // A link is there at once and as a whole, and never in place of another file.
      await link(file, path.join(folder, kind, name)).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== "EEXIST") throw error;
      });
    }
  }
}

/**
 * Makes the folder and removes what is too old. Several processes may share it: a file appears as a whole, and is not
 * changed.
 * @param ytDlpPath another version of yt-dlp gets a folder of its own, because it may prepare scripts in another way
 */
export async function openPlayerFolder(dataDir: string, ytDlpPath: string): Promise<string> {
  const program = await realpath(ytDlpPath);
  const { mtimeMs } = await stat(program);
  const version = createHash("sha256").update(`${LAYOUT} ${program} ${mtimeMs}`).digest("hex").slice(0, 16);
  const home = path.join(dataDir, FOLDER);
  const current = path.join(home, version);
  await markPlayerFolder(current);
  await removeUnused(home, current);
  await boundPlayerFolder(current);
  return current;
}

/** Marks the folder as used now, so that no process removes it for a day. */
export async function markPlayerFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const now = new Date();
  await utimes(folder, now, now);
}
