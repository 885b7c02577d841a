/** Where yt-dlp keeps prepared player scripts of YouTube between calls: about 1 MB for each version of the player. */
import { createHash } from "node:crypto";
import { mkdir, readdir, realpath, rm, stat } from "node:fs/promises";
import path from "node:path";

const FOLDER = "youtube-players";
/** YouTube has a few player versions in use at a time, and a new one every few days. */
const KEPT_FILES = 16;

/** Folders of other versions of yt-dlp, and all but the newest files of each kind. */
async function removeOld(home: string, current: string): Promise<void> {
  for (const version of await readdir(home))
    if (version !== path.basename(current)) await rm(path.join(home, version), { recursive: true, force: true });
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
  await mkdir(current, { recursive: true, mode: 0o700 });
  await removeOld(home, current);
  return current;
}
