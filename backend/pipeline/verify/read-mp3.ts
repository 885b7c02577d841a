/** What an MP3 with a header that tells its length says of itself, held against the bytes that are there. */
import { open, type FileHandle } from "node:fs/promises";
import type { MediaFile } from "../probe/media-file.ts";
import { readFrameHeader, SAMPLES_PER_FRAME, type FrameHeader } from "../mp3/mp3-frame.ts";

const ID3_HEADER_BYTES = 10;
/** The largest frame there is, 320 kbps at 32 kHz, and one beginning before it. */
const MAX_FRAME_BYTES = 1_441;
const HAS_FRAMES_AND_BYTES = 0x3;
const HAS_TOC_AND_QUALITY = 0xc;
/** From "Info" on, where everything that may be there is. */
const LAME_OFFSET = 4 + 4 + 4 + 4 + 100 + 4;
const GAPS_OFFSET = LAME_OFFSET + 21;

async function readAt(file: FileHandle, position: number, count: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(count), 0, count, position);
  return buffer.subarray(0, bytesRead);
}

/** A frame like the first ends exactly where the file does. */
function endsWithFrame(tail: Buffer, like: FrameHeader): boolean {
  for (let offset = 0; offset < tail.length; offset += 1) {
    const header = readFrameHeader(tail, offset);
    if (
      header &&
      offset + header.sizeBytes === tail.length &&
      header.bitrateKbps === like.bitrateKbps &&
      header.sampleRateHz === like.sampleRateHz
    )
      return true;
  }
  return false;
}

/**
 * Undefined when it is no such file, or its header and its bytes do not agree: then it is for a tool to say what it is.
 * Throws what reading throws.
 */
export async function readMp3(path: string): Promise<MediaFile | undefined> {
  await using file = await open(path);
  const { size } = await file.stat();
  const id3 = await readAt(file, 0, ID3_HEADER_BYTES);
  const isTagged = id3.toString("latin1", 0, 3) === "ID3";
  const tagBytes = isTagged
    ? ID3_HEADER_BYTES + id3.subarray(6).reduce((sum, byte) => sum * 128 + (byte & 0x7f), 0)
    : 0;
  if (tagBytes >= size) return undefined;
  const head = await readAt(file, tagBytes, MAX_FRAME_BYTES);
  const first = readFrameHeader(head);
  if (
    !first ||
    head.length < first.mainDataOffset + GAPS_OFFSET + 3 ||
    head.toString("latin1", first.mainDataOffset, first.mainDataOffset + 4) !== "Info"
  )
    return undefined;
  const info = head.subarray(first.mainDataOffset);
  if (info.readUInt32BE(4) !== (HAS_FRAMES_AND_BYTES | HAS_TOC_AND_QUALITY)) return undefined;
  const [frameCount, soundBytes, gaps] = [info.readUInt32BE(8), info.readUInt32BE(12), info.readUIntBE(GAPS_OFFSET, 3)];
  if (
    tagBytes + soundBytes !== size ||
    !endsWithFrame(await readAt(file, Math.max(tagBytes, size - MAX_FRAME_BYTES), MAX_FRAME_BYTES), first)
  )
    return undefined;
  const durationSeconds = (frameCount * SAMPLES_PER_FRAME - (gaps >>> 12) - (gaps & 0xfff)) / first.sampleRateHz;
  const { sampleRateHz, bitrateKbps } = first;
  return {
    path,
    container: "mp3",
    sizeBytes: size,
    durationSeconds,
    audio: { index: 0, codec: "mp3", channelCount: first.isMono ? 1 : 2, sampleRateHz, bitrateKbps, durationSeconds },
    hasAttachedPicture: (await readAt(file, 0, tagBytes)).includes("APIC"),
  };
}
