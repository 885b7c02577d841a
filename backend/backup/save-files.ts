/** Copies files of the data folder into a backup. */
import { constants } from "node:fs";
import { chmod, copyFile, link, mkdir, readFile } from "node:fs/promises";
import path from "node:path";
import { hashFile, writeWhole } from "./checked-file.ts";
import { KEPT_DATA_FILES, pathsIn, type FilePart, type Manifest } from "./manifest.ts";
import type { NamedFiles } from "./save-collections.ts";

/**
 * Copies finished files and thumbnails. A stored file is never changed, so that a hard link is as good as a copy; it
 * takes no space, and no time in which the file could expire. Links are made first, because checksums take longer.
 * @param folder of the stored files
 * @returns the parts, and how many of the jobs' files were deleted since the jobs were read
 */
export async function saveFiles(
  folder: string,
  named: NamedFiles,
  backup: string,
  signal: AbortSignal,
): Promise<{ parts: FilePart[]; gone: number }> {
  const saved: string[] = [];
  for (const key of [...named.files, ...named.thumbnails]) {
    signal.throwIfAborted();
    if (await linkOrCopy(path.join(folder, key), pathsIn(backup).file(key))) saved.push(key);
  }
  const parts: FilePart[] = [];
  for (const key of saved) parts.push({ key, ...(await hashFile(pathsIn(backup).file(key), signal)) });
  const kept = new Set(saved);
  return { parts, gone: [...named.files].filter((key) => !kept.has(key)).length };
}

/** Copies the keys of the data folder; those that the environment gives are not there. */
export async function saveDataFiles(dataDir: string, backup: string): Promise<Manifest["dataFiles"]> {
  const parts: Manifest["dataFiles"] = [];
  for (const name of KEPT_DATA_FILES) {
    const text = await readFile(path.join(dataDir, name), "utf8").catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return null;
      throw error;
    });
    if (text === null) continue;
    const target = pathsIn(backup).dataFile(name);
    await mkdir(path.dirname(target), { recursive: true, mode: 0o700 });
    // Never a link: an operator may edit such a file in place.
    parts.push({ name, ...(await writeWhole(target, text)) });
  }
  return parts;
}

/** @returns false when there is no such file */
async function linkOrCopy(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "";
    if (code === "ENOENT") return false;
    // Another disk, one without links, or a file of another user.
    if (!["EXDEV", "EPERM", "EACCES", "EMLINK", "ENOTSUP"].includes(code)) throw error;
    return copyIfExists(from, to);
  }
}

async function copyIfExists(from: string, to: string): Promise<boolean> {
  try {
    await copyFile(from, to, constants.COPYFILE_FICLONE);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw error;
  }
  await chmod(to, 0o600);
  return true;
}
