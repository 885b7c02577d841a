/** Finished files in a folder of this machine. */
import { createReadStream } from "node:fs";
import { copyFile, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { ConversionError } from "../../common/errors.ts";
import { assertKey, NoSuchFileError, type ByteRange, type FileStore } from "./file-store.ts";

/** A file that is still being brought in; never listed. */
const PARTIAL_SUFFIX = ".partial";

export async function openDiskStore(folder: string): Promise<FileStore> {
  await mkdir(folder, { recursive: true });

  async function put(key: string, localPath: string): Promise<void> {
    assertKey(key);
    const target = join(folder, key);
    let isMoved = false;
    try {
      await moveInto(localPath, target);
      isMoved = true;
      await flush(target);
      await flush(folder);
    } catch (error) {
      // What we did not put there is not ours to remove.
      if (isMoved) await rm(target, { force: true });
      throw new ConversionError("storage", { cause: error, detail: String(error) });
    }
  }

  return {
    put,
    begin(key, localPath) {
      assertKey(key);
      return {
        // It is here already, and takes its name in the end.
        grown: () => undefined,
        finish: () => put(key, localPath),
        [Symbol.asyncDispose]: () => Promise.resolve(),
      };
    },
    async stat(key) {
      assertKey(key);
      const found = await stat(join(folder, key)).catch(ignoreMissing);
      return found ? { sizeBytes: found.size, modifiedAt: found.mtime } : null;
    },
    async read(key, range?: ByteRange) {
      assertKey(key);
      // Opened before it is handed out, so that a missing file is an error here and not mid-answer.
      const handle = await open(join(folder, key), "r").catch((error: unknown) => {
        ignoreMissing(error);
        throw new NoSuchFileError(key, { cause: error });
      });
      return createReadStream("", { fd: handle, ...range });
    },
    async remove(key) {
      assertKey(key);
      await rm(join(folder, key), { force: true });
    },
    async *list() {
      for (const name of await readdir(folder)) {
        if (name.endsWith(PARTIAL_SUFFIX)) continue;
        const found = await stat(join(folder, name)).catch(ignoreMissing);
        // Not mtime: what is old may have come only now.
        if (found?.isFile()) yield { key: name, modifiedAt: found.ctime };
      }
    },
    async clearUnfinished(minAgeMs) {
      let cleared = 0;
      for (const name of await readdir(folder)) {
        if (!name.endsWith(PARTIAL_SUFFIX)) continue;
        const found = await stat(join(folder, name)).catch(ignoreMissing);
        if (!found || Date.now() - found.mtimeMs < minAgeMs) continue;
        await rm(join(folder, name), { force: true });
        cleared += 1;
      }
      return cleared;
    },
  };
}

/** A rename where both lie on one disk, else a copy that only appears under its name once it is whole. */
async function moveInto(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if (codeOf(error) !== "EXDEV") throw error;
    const partial = `${to}${PARTIAL_SUFFIX}`;
    try {
      await copyFile(from, partial);
      await rename(partial, to);
    } finally {
      // A full disk must not stay full of what did not fit.
      await rm(partial, { force: true });
    }
    await rm(from, { force: true });
  }
}

/** To the disk itself: `completed` is a promise that outlives a power cut. */
async function flush(path: string): Promise<void> {
  await using handle = await open(path, "r");
  await handle.sync();
}

function ignoreMissing(error: unknown): undefined {
  if (codeOf(error) !== "ENOENT") throw error;
  return undefined;
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
