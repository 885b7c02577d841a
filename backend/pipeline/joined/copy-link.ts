import { pipeline as pump } from "node:stream/promises";
import { createFile, openFile } from "../../tool-files/tool-files.ts";
import type { ByteRange } from "../mp4/byte-ranges.ts";

/** Copies a link into a file of its own, so that a tool reads it as the whole file that it is. */
export async function copyLink(from: string, { start, end }: ByteRange, to: string): Promise<void> {
  await using source = await openFile(from);
  await using target = await createFile(to);
  await pump(source.createReadStream({ start, end: end - 1, autoClose: false }), target.createWriteStream());
}
