/** Reads an MP3 with an "Info" header (constant bit rate), and compares what it states with the bytes of the file. */
import type { FileHandle } from "node:fs/promises";
import { openFile, readAt } from "../../tool-files/tool-files.ts";
import type { MediaFile } from "../probe/media-file.ts";
import { readFrameHeader, SAMPLES_PER_FRAME, type FrameHeader } from "../mp3/mp3-frame.ts";

const ID3_HEADER_BYTES = 10;
/** The largest frame, 320 kbps at 32 kHz, and one byte, so that a frame fits wherever it begins. */
const MAX_FRAME_BYTES = 1_441;
/** Flags of the header: frame count and byte count; seek table (TOC) and quality. */
const HAS_FRAMES_AND_BYTES = 0x3;
const HAS_TOC_AND_QUALITY = 0xc;
/** Offset of LAME's fields after "Info", flags, frame count, byte count, TOC and quality. */
const LAME_OFFSET = 4 + 4 + 4 + 4 + 100 + 4;
/** Samples of encoder delay and padding, 12 bits each. */
const GAPS_OFFSET = LAME_OFFSET + 21;

interface InfoHeader {
  readonly frameCount: number;
  /** Bytes of all frames, this one included. */
  readonly soundBytes: number;
  readonly delaySamples: number;
  readonly paddingSamples: number;
}

/** @returns length of the ID3 tag at the beginning; 0 when there is none */
async function readTagBytes(file: FileHandle): Promise<number> {
  const id3 = await readAt(file, 0, ID3_HEADER_BYTES);
  if (id3.toString("latin1", 0, 3) !== "ID3") return 0;
  // Seven bits in each byte (ID3v2.3, section 3.1).
  return ID3_HEADER_BYTES + id3.subarray(6).reduce((sum, byte) => sum * 128 + (byte & 0x7f), 0);
}

/** @returns undefined when the first frame has no "Info" header with all fields */
function readInfoHeader(head: Buffer, { mainDataOffset }: FrameHeader): InfoHeader | undefined {
  if (head.length < mainDataOffset + GAPS_OFFSET + 3) return undefined;
  const info = head.subarray(mainDataOffset);
  const hasAllFields = info.readUInt32BE(4) === (HAS_FRAMES_AND_BYTES | HAS_TOC_AND_QUALITY);
  if (info.toString("latin1", 0, 4) !== "Info" || !hasAllFields) return undefined;
  const gaps = info.readUIntBE(GAPS_OFFSET, 3);
  return {
    frameCount: info.readUInt32BE(8),
    soundBytes: info.readUInt32BE(12),
    delaySamples: gaps >>> 12,
    paddingSamples: gaps & 0xfff,
  };
}

/** Whether a frame with the same bit rate and sample rate as the first ends exactly at the end of the file. */
function endsWithFrame(tail: Buffer, first: FrameHeader): boolean {
  for (let offset = 0; offset < tail.length; offset += 1) {
    const header = readFrameHeader(tail, offset);
    if (
      header &&
      offset + header.sizeBytes === tail.length &&
      header.bitrateKbps === first.bitrateKbps &&
      header.sampleRateHz === first.sampleRateHz
    )
      return true;
  }
  return false;
}

/** @returns undefined for any other file, and when header and bytes do not agree; ffprobe has to read it then */
export async function readMp3(path: string): Promise<MediaFile | undefined> {
  await using file = await openFile(path);
  const { size } = await file.stat();
  const tagBytes = await readTagBytes(file);
  if (tagBytes >= size) return undefined;
  const head = await readAt(file, tagBytes, MAX_FRAME_BYTES);
  const first = readFrameHeader(head);
  const info = first && readInfoHeader(head, first);
  if (!first || !info || tagBytes + info.soundBytes !== size) return undefined;
  const tail = await readAt(file, Math.max(tagBytes, size - MAX_FRAME_BYTES), MAX_FRAME_BYTES);
  if (!endsWithFrame(tail, first)) return undefined;
  const { sampleRateHz, bitrateKbps, isMono } = first;
  const samples = info.frameCount * SAMPLES_PER_FRAME - info.delaySamples - info.paddingSamples;
  const durationSeconds = samples / sampleRateHz;
  return {
    path,
    container: "mp3",
    sizeBytes: size,
    durationSeconds,
    audio: { index: 0, codec: "mp3", channelCount: isMono ? 1 : 2, sampleRateHz, bitrateKbps, durationSeconds },
    hasAttachedPicture: (await readAt(file, 0, tagBytes)).includes("APIC"),
  };
}
