import { expect, it } from "vitest";
import { ADTS_HEADER_BYTES, writeAdtsHeader } from "../aac/adts.ts";
import { SAMPLES_PER_AAC_FRAME } from "../aac/aac-frames.ts";
import { AacInput, type SoundChunk } from "./lane-input.ts";

const PRIMING_FRAMES = 1;
const FRAMES = 400;
const PAYLOAD_BYTES = 300;

/** @returns frames of AAC in ADTS, whose content is of no matter here */
function adts(): Buffer {
  const frameBytes = ADTS_HEADER_BYTES + PAYLOAD_BYTES;
  const bytes = Buffer.alloc(FRAMES * frameBytes);
  for (let at = 0; at < bytes.length; at += frameBytes)
    writeAdtsHeader(bytes, at, { sampleRateHz: 48_000, channelCount: 2 }, PAYLOAD_BYTES);
  return bytes;
}

async function chunksFor(laneCount: number): Promise<{ bytes: Buffer; frames: number[] }> {
  const input = new AacInput(PRIMING_FRAMES * SAMPLES_PER_AAC_FRAME, laneCount);
  const source = (async function* () {
    yield adts();
  })();
  const chunks: SoundChunk[] = [];
  for await (const chunk of input.splitIntoChunks(source)) chunks.push(chunk);
  return {
    bytes: Buffer.concat(chunks.map(({ bytes }) => bytes)),
    frames: chunks.map(({ sampleCount }) => sampleCount / SAMPLES_PER_AAC_FRAME),
  };
}

it("gives several lanes runs that end where a piece may begin", async () => {
  const { bytes, frames } = await chunksFor(2);
  expect(bytes.equals(adts())).toBe(true);
  expect(frames[0]).toBe(PRIMING_FRAMES);
  expect(frames.slice(1, -1).every((count) => count === 9)).toBe(true);
});

it("gives a single lane the same sound in runs of three seconds", async () => {
  const { bytes, frames } = await chunksFor(1);
  expect(bytes.equals(adts())).toBe(true);
  expect(frames).toEqual([PRIMING_FRAMES + 9, 144, 144, FRAMES - PRIMING_FRAMES - 9 - 2 * 144]);
});
