import * as fc from "fast-check";
import { expect, it } from "vitest";
import { FramePlaces, readTrackFrames } from "./sample-tables.ts";
import { box } from "./write-box.ts";
import { u32 } from "./write-index.ts";

interface Tables {
  readonly durations?: readonly number[];
  readonly sizes?: readonly number[];
  /** Chunk from which on, frames per chunk, description. */
  readonly changes?: readonly number[];
  readonly positions?: Buffer;
}

/** Five frames of 10 to 14 bytes in chunks of two frames at 100 and 200, and of one at 300. */
function tables({
  durations = [1, 5, 7],
  sizes = [0, 5, 10, 11, 12, 13, 14],
  changes = [2, 1, 2, 1, 3, 1, 1],
  positions = box("stco", u32(0, 3, 100, 200, 300)),
}: Tables = {}): Buffer {
  return Buffer.concat([
    box("stts", u32(0, ...durations)),
    box("stsz", u32(0, ...sizes)),
    box("stsc", u32(0, ...changes)),
    positions,
  ]);
}

/** @returns of each chunk: position, frames and bytes */
function chunksOf(places: FramePlaces): readonly string[] {
  const chunks: string[] = [];
  while (places.nextChunk()) {
    const { position, firstFrame, endFrame } = places;
    chunks.push(`${position}: ${firstFrame}-${endFrame} ${places.bytesOf(firstFrame, endFrame)}`);
  }
  return chunks;
}

const LONG = box("co64", u32(0, 3, 0, 100, 0, 200, 1, 0));

it.each<[string, Tables, readonly string[]]>([
  ["sizes of their own", {}, ["100: 0-2 21", "200: 2-4 25", "300: 4-5 14"]],
  ["one size", { sizes: [8, 5] }, ["100: 0-2 16", "200: 2-4 16", "300: 4-5 8"]],
  ["positions of 64 bits", { positions: LONG }, ["100: 0-2 21", "200: 2-4 25", "4294967296: 4-5 14"]],
  ["a chunk without frames", { changes: [2, 1, 2, 1, 2, 0, 1] }, ["100: 0-2 21"]],
  ["no frames in the first chunk", { changes: [1, 2, 2, 1] }, []],
  ["more positions than there are", { positions: box("stco", u32(0, 9, 100)) }, ["100: 0-2 21"]],
])("FramePlaces goes through chunks of frames with %s", (_, changed, expected) => {
  const places = new FramePlaces(tables(changed));
  expect(places.frameCount).toBe(5);
  expect(chunksOf(places)).toEqual(expected);
});

it("FramePlaces counts no more frames than have a size", () => {
  expect(new FramePlaces(tables({ sizes: [0, 0xffff_ffff, 10, 11] })).frameCount).toBe(2);
  expect(new FramePlaces(tables({ sizes: [8, 0xffff_ffff] })).frameCount).toBe(0xffff_ffff);
});

it("FramePlaces throws for tables of which one is missing or has no head", () => {
  expect(() => new FramePlaces(tables({ positions: box("free") }))).toThrow(RangeError);
  expect(() => new FramePlaces(tables({ sizes: [] }))).toThrow(RangeError);
});

it("readTrackFrames reads tables that fit together", () => {
  const expected = { frameCount: 5, units: 35, from: 100, to: 314 };
  expect(readTrackFrames(tables())).toEqual(expected);
  expect(readTrackFrames(tables({ durations: [2, 3, 5, 2, 10] }))).toEqual(expected);
});

it.each<[string, Tables]>([
  ["fewer durations than frames", { durations: [1, 4, 7] }],
  ["a table of durations that is cut off", { durations: [2, 5, 7] }],
  ["no durations", { durations: [0] }],
  ["a table of sizes that is cut off", { sizes: [0, 6, 10, 11, 12, 13, 14] }],
  ["a table of positions that is cut off", { positions: box("stco", u32(0, 4, 100, 200, 300)) }],
  ["a chunk more than its frames", { positions: box("stco", u32(0, 4, 100, 200, 300, 400)) }],
  ["a chunk less", { positions: box("stco", u32(0, 2, 100, 200)) }],
  ["a chunk without frames at the end", { changes: [3, 1, 2, 1, 2, 3, 1, 3, 0, 1] }],
  ["changes that are not in order", { changes: [3, 1, 2, 1, 3, 1, 1, 2, 2, 1] }],
  ["a change at a chunk that does not exist", { changes: [3, 1, 2, 1, 3, 1, 1, 4, 2, 1] }],
])("readTrackFrames returns undefined for %s", (_, changed) => {
  expect(readTrackFrames(tables(changed))).toBeUndefined();
});

/** @returns chunks that are found in damaged tables; 0 when they are refused */
function countChunks(damaged: Buffer): number {
  try {
    readTrackFrames(damaged);
    const places = new FramePlaces(damaged);
    let count = 0;
    while (places.nextChunk()) count += 1;
    return count;
  } catch (error) {
    if (error instanceof RangeError) return 0;
    throw error;
  }
}

it("damaged tables are read or refused with RangeError, in no more steps than they have bytes", () => {
  const whole = tables();
  const place = fc.nat(whole.length - 4);
  const value = fc.oneof(fc.constantFrom(0, 1, 0x7fff_ffff, 0xffff_ffff), fc.nat(100));
  fc.assert(
    fc.property(fc.array(fc.tuple(place, value), { maxLength: 3 }), fc.nat(whole.length), (changes, length) => {
      const damaged = Buffer.from(whole);
      for (const [at, number] of changes) damaged.writeUInt32BE(number, at);
      expect(countChunks(damaged.subarray(0, length))).toBeLessThanOrEqual(length / 4);
    }),
    { numRuns: 500 },
  );
});
