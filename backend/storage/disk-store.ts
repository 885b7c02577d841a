/** Stores finished files in a local folder. */
import { constants, createReadStream } from "node:fs";
import { lstat, mkdir, open, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { ConversionError } from "../../common/errors.ts";
import { codeOf, copyFile, moveFile, RefusedFile } from "../tool-files/tool-files.ts";
import {
  assertKey,
  NoSuchFileError,
  type ByteRange,
  type FileStore,
  type FileUpload,
  type StoredFile,
} from "./file-store.ts";

/** Suffix of a file that is still being copied into the folder; such files are not listed. */
const PARTIAL_SUFFIX = ".partial";

/** @param folder is created if it does not exist */
export async function openDiskStore(folder: string): Promise<FileStore> {
  await mkdir(folder, { recursive: true });
  return new DiskStore(folder);
}

class DiskStore implements FileStore {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async put(key: string, localPath: string): Promise<void> {
    const target = this.#pathOf(key);
    let isMoved = false;
    try {
      await bringIn(localPath, target);
      isMoved = true;
      await flush(target);
      await flush(this.#folder);
    } catch (error) {
      // If the move failed, a file at the target is an earlier one and must stay.
      if (isMoved) await rm(target, { force: true });
      if (error instanceof RefusedFile) throw error;
      throw new ConversionError("storage", { cause: error, detail: String(error) });
    }
  }

  beginUpload(key: string, localPath: string): FileUpload {
    assertKey(key);
    return {
      // The file is already on this machine and is only moved at the end.
      reportFinalBytes: () => undefined,
      finish: () => this.put(key, localPath),
      [Symbol.asyncDispose]: () => Promise.resolve(),
    };
  }

  async stat(key: string): Promise<StoredFile | null> {
    const found = await lstat(this.#pathOf(key)).catch(ignoreMissing);
    return found ? { sizeBytes: found.size, modifiedAt: found.mtime } : null;
  }

  async read(key: string, range?: ByteRange): Promise<Readable> {
    const path = this.#pathOf(key);
    // Opened here, so that a missing file fails before the response begins.
    const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW).catch((error: unknown) => {
      ignoreMissing(error);
      throw new NoSuchFileError(key, { cause: error });
    });
    return createReadStream("", { fd: handle, ...range });
  }

  async remove(key: string): Promise<void> {
    await rm(this.#pathOf(key), { force: true });
  }

  async *list(): AsyncGenerator<{ key: string; modifiedAt: Date }> {
    for (const name of await readdir(this.#folder)) {
      if (name.endsWith(PARTIAL_SUFFIX)) continue;
      const found = await lstat(join(this.#folder, name)).catch(ignoreMissing);
      // Not `found.ctime`, which Node rounds up, so that a new file would be from the future.
      // ctime, because a move keeps mtime: a file that was written long ago may have been stored just now.
      if (found?.isFile()) yield { key: name, modifiedAt: new Date(found.ctimeMs) };
    }
  }

  async clearUnfinished(minAgeMs: number): Promise<number> {
    let cleared = 0;
    for (const name of await readdir(this.#folder)) {
      if (!name.endsWith(PARTIAL_SUFFIX)) continue;
      const path = join(this.#folder, name);
      const found = await lstat(path).catch(ignoreMissing);
      // The clock has whole milliseconds, and the file's time has fractions.
      if (!found || Date.now() - Math.floor(found.mtimeMs) < minAgeMs) continue;
      await rm(path, { force: true });
      cleared += 1;
    }
    return cleared;
  }

  /** @throws RangeError for a malformed key */
  #pathOf(key: string): string {
    assertKey(key);
    return join(this.#folder, key);
  }
}

/** Renames a file, or copies it from another disk. A copy gets its final name only when it is complete. */
async function bringIn(from: string, to: string): Promise<void> {
  try {
    await moveFile(from, to);
  } catch (error) {
    if (codeOf(error) !== "EXDEV") throw error;
    const partial = `${to}${PARTIAL_SUFFIX}`;
    try {
      await copyFile(from, partial);
      await rename(partial, to);
    } finally {
      // Frees the space of an incomplete copy when the disk is full.
      await rm(partial, { force: true });
    }
    await rm(from, { force: true });
  }
}

/** Writes a file or folder to the disk itself, so that a stored file survives a power failure. */
async function flush(path: string): Promise<void> {
  await using handle = await open(path, "r");
  await handle.sync();
}

function ignoreMissing(error: unknown): undefined {
  if (codeOf(error) !== "ENOENT") throw error;
  return undefined;
}
