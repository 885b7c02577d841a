import type { FileHandle } from "node:fs/promises";

/**
 * Writes all bytes. A nearly full disk takes a part of a write and reports no error; only the next write fails.
 * @param position in bytes from the beginning of the file
 * @throws what the disk reports, "ENOSPC" for example; a part of the bytes may be written by then
 */
export async function writeAt(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let written = 0; written < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, written, bytes.length - written, position + written);
    written += bytesWritten;
  }
}
