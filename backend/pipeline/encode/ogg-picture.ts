/** Makes the comment that holds a cover in an Ogg file; ffmpeg writes it, but has no option for it. */
import { readFile, writeFile } from "../../tool-files/tool-files.ts";
import { MAX_COVER_BYTES } from "./picture.ts";

const FRONT_COVER = 3;

const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
const sized = (bytes: Buffer): Buffer => Buffer.concat([u32(bytes.length), bytes]);

/** @returns the picture block of FLAC (RFC 9639, section 8.8), which Ogg files have as a comment in base 64 */
function pictureBlock(jpeg: Buffer): Buffer {
  // Width, height, depth and number of colours; 0 is for what is in the picture itself.
  const shape = Buffer.alloc(16);
  return Buffer.concat([
    u32(FRONT_COVER),
    sized(Buffer.from("image/jpeg")),
    sized(Buffer.alloc(0)),
    shape,
    sized(jpeg),
  ]);
}

/**
 * Writes a file of ffmpeg's metadata format: a picture is longer than an argument of a command may be.
 * @param coverPath a JPEG
 */
export async function writePictureComment(path: string, coverPath: string): Promise<void> {
  const block = pictureBlock(await readFile(coverPath, MAX_COVER_BYTES)).toString("base64");
  await writeFile(path, `;FFMETADATA1\nMETADATA_BLOCK_PICTURE=${block.replaceAll("=", "\\=")}\n`);
}
