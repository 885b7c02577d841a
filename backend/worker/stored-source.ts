/** The stored file that a cut is made of. */
import { pipeline } from "node:stream/promises";
import { ConversionError, exactly } from "../../common/errors.ts";
import type { CutSource } from "../domain/jobs/job-model.ts";
import type { StoredSource } from "../pipeline/conversion.ts";
import { NoSuchFileError, type FileStore } from "../storage/file-store.ts";
import { writeNewFile } from "../tool-files/tool-files.ts";

function gone(cause?: unknown): ConversionError {
  return new ConversionError("unavailable", { ...exactly("file_gone"), cause });
}

/**
 * @throws ConversionError when the file was deleted after the cut was asked for, also by `copyTo`; what the store throws
 */
export async function findStoredSource(store: FileStore, { fileKey, part }: CutSource): Promise<StoredSource> {
  const file = await store.stat(fileKey);
  if (!file) throw gone();
  const copyTo = async (path: string): Promise<void> => {
    const bytes = await store.read(fileKey).catch((error: unknown) => {
      throw error instanceof NoSuchFileError ? gone(error) : error;
    });
    await pipeline(bytes, writeNewFile(path));
  };
  return { sizeBytes: file.sizeBytes, part, copyTo };
}
