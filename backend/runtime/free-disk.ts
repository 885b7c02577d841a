import { statfs } from "node:fs/promises";

/** @returns the space that is left on the disk of a folder, in bytes; null if the folder cannot be read */
export async function readFreeBytes(folder: string): Promise<number | null> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch (error) {
    if (error instanceof Error && "code" in error) return null;
    throw error;
  }
}
