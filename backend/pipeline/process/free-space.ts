import { statfs } from "node:fs/promises";
import { ConversionError } from "../../../common/errors.ts";

/** @throws ConversionError "storage" when the disk of the folder has less space */
export async function checkFreeSpace(folder: string, neededBytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const freeBytes = bavail * bsize;
  if (freeBytes < neededBytes)
    throw new ConversionError("storage", { detail: `${freeBytes} bytes free of ${neededBytes} needed` });
}
