import { expect, it } from "vitest";
import { findBox } from "./boxes.ts";
import { readTrackFrames } from "./sample-tables.ts";
import { box } from "./write-box.ts";
import { u32, UNKNOWN_LANGUAGE, writeIndex, type Run } from "./write-index.ts";

// A call with more than some 125,000 arguments fails, and 62,500 runs of two numbers are as many.
it.each([60_000, 63_000, 125_000, 126_000, 400_000])("writes the index of %d frames", (frameCount) => {
  const numbers = Array.from({ length: frameCount }, (_, index) => index + 1);
  const runs = numbers.map((number): Run => [1, number % 2 === 0 ? 3 : 1]);
  const index = writeIndex(
    [
      {
        trackId: 1,
        unitsPerSecond: 100,
        language: UNKNOWN_LANGUAGE,
        shape: Buffer.alloc(60),
        handler: box("hdlr"),
        mediaHeader: box("vmhd"),
        description: box("stsd", u32(0, 0)),
        duration: 2 * frameCount,
        firstShown: 0,
        played: 2 * frameCount,
        durations: runs,
        delays: runs,
        sizes: numbers.map(() => 10),
        keys: numbers,
        chunks: numbers.map((number) => ({ position: 10 * number, frameCount: 1 })),
      },
    ],
    1_000,
  );
  const table = findBox(index, "moov", "trak", "mdia", "minf", "stbl");
  expect(table && readTrackFrames(table)).toEqual({
    frameCount,
    units: 2 * frameCount,
    from: 10,
    to: 10 * frameCount + 10,
  });
  expect(table && findBox(table, "ctts")?.length).toBe(8 + 8 * frameCount);
  expect(table && findBox(table, "stss")?.length).toBe(8 + 4 * frameCount);
});
