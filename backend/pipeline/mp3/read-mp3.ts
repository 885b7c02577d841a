/** What a finished MP3 of constant bit rate is, read from its own first frames: in a millisecond, where starting a tool takes sixty. */
import { open } from "node:fs/promises";
import { framesWithin } from "./copy-mp3.ts";
import { readFrameHeader, SAMPLES_PER_FRAME } from "./mp3-frame.ts";

/** A frame of the highest bit rate has 1,441 bytes. */
const FIRST_FRAME_BYTES = 2_048;
/** The header's count and the bytes that are there may differ by what rounding does. */
const MOST_APART_SECONDS = 0.1;

export interface Mp3Facts {
  readonly sizeBytes: number;
  /** Of what is there, whatever a header promises. */
  readonly durationSeconds: number;
}

/** How many frames the first one says will follow, less what the encoder put before and after the sound. */
function promisedSamples(bytes: Buffer, mainDataOffset: number): number | undefined {
  if (!["Info", "Xing"].includes(bytes.toString("latin1", mainDataOffset, mainDataOffset + 4))) return undefined;
  const flags = bytes.readUInt32BE(mainDataOffset + 4);
  if ((flags & 0xf) !== 0xf) return undefined;
  const frames = bytes.readUInt32BE(mainDataOffset + 8);
  // LAME's extension: twelve bits of delay, twelve of padding.
  const lame = mainDataOffset + 120;
  const gaps = /^L(?:AME|avc|avf)/.test(bytes.toString("latin1", lame, lame + 4)) ? bytes.readUIntBE(lame + 21, 3) : 0;
  return frames * SAMPLES_PER_FRAME - (gaps >>> 12) - (gaps & 0xfff);
}

/** Undefined: no MP3. Throws what reading throws. */
export async function readMp3(path: string): Promise<Mp3Facts | undefined> {
  const { start, end } = await framesWithin(path);
  await using file = await open(path);
  const { size } = await file.stat();
  const { buffer } = await file.read(Buffer.alloc(FIRST_FRAME_BYTES), 0, FIRST_FRAME_BYTES, start);
  const first = readFrameHeader(buffer);
  if (!first) return undefined;
  const samples = promisedSamples(buffer, first.mainDataOffset);
  const presentSeconds = ((end - start - (samples === undefined ? 0 : first.sizeBytes)) * 8) / (first.bitrateKbps * 1_000);
  const promisedSeconds = samples === undefined ? presentSeconds : samples / first.sampleRateHz;
  return { sizeBytes: size, durationSeconds: Math.abs(promisedSeconds - presentSeconds) <= MOST_APART_SECONDS ? promisedSeconds : presentSeconds };
}
