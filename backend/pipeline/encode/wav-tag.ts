/**
 * Appends an ID3 tag to a WAV, as taggers do: the texts of its INFO list, which ffmpeg writes and reads, have no stated
 * encoding, and there is no picture among them.
 */
import { openToChange } from "../../tool-files/tool-files.ts";

/** Name and size of a chunk; the size counts what follows it. */
const CHUNK_HEADER_BYTES = 8;

/**
 * @param tag as ID3v2
 * @throws RangeError when the file is not a WAV whose header states its size
 */
export async function appendTag(path: string, tag: Buffer): Promise<void> {
  await using file = await openToChange(path);
  const { size } = await file.stat();
  const header = Buffer.alloc(CHUNK_HEADER_BYTES);
  await file.read(header, 0, header.length, 0);
  const isWhole = header.toString("latin1", 0, 4) === "RIFF" && header.readUInt32LE(4) === size - CHUNK_HEADER_BYTES;
  if (!isWhole) throw new RangeError(`${path} is not a WAV whose header states its size`);
  // Chunks begin at even positions.
  const chunk = Buffer.alloc(CHUNK_HEADER_BYTES + tag.length + (tag.length % 2));
  chunk.write("id3 ", "latin1");
  chunk.writeUInt32LE(tag.length, 4);
  tag.copy(chunk, CHUNK_HEADER_BYTES);
  await file.write(chunk, 0, chunk.length, size);
  header.writeUInt32LE(size + chunk.length - CHUNK_HEADER_BYTES, 4);
  await file.write(header, 0, header.length, 0);
}
