import * as fc from "fast-check";
import { expect, it } from "vitest";
import type { Chapter } from "../probe/chapters.ts";
import { chapterParts } from "./chapter-parts.ts";

/** Chapters that begin at the given times. */
function chapters(...starts: number[]): Chapter[] {
  return starts.map((startSeconds, index) => ({
    title: String.fromCodePoint(97 + index),
    startSeconds,
    endSeconds: starts[index + 1] ?? startSeconds + 10,
  }));
}

it.each<[string, number[], number, [string, number, number][]]>([
  [
    "each chapter, the last one up to the end",
    [0, 10],
    30,
    [
      ["a", 0, 10],
      ["b", 10, 30],
    ],
  ],
  ["a single chapter", [0], 30, [["a", 0, 30]]],
  [
    "a chapter of one second",
    [0, 10, 11],
    30,
    [
      ["a", 0, 10],
      ["b", 10, 11],
      ["c", 11, 30],
    ],
  ],
  [
    "a shorter one with the one before it",
    [0, 10, 10.999],
    30,
    [
      ["a", 0, 10.999],
      ["c", 10.999, 30],
    ],
  ],
  ["a short first one with the next", [0, 0.5], 30, [["b", 0, 30]]],
  ["a short last one with the one before it", [0, 29.5], 30, [["a", 0, 30]]],
  [
    "none that begins after the end",
    [0, 10, 40],
    30,
    [
      ["a", 0, 10],
      ["b", 10, 30],
    ],
  ],
  ["a video that is shorter than a part", [0, 0.2], 0.5, [["a", 0, 0.5]]],
  ["none without chapters", [], 30, []],
])("makes a file of %s", (_, starts, durationSeconds, expected) => {
  const parts = chapterParts(chapters(...starts), durationSeconds);
  expect(parts.map(({ title, part }) => [title, part.startSeconds, part.endSeconds])).toEqual(expected);
});

it("has every moment of the video once, for any chapters", () => {
  const starts = fc.uniqueArray(fc.integer({ min: 1, max: 200 }), { maxLength: 30 });
  fc.assert(
    fc.property(starts, fc.integer({ min: 1, max: 100 }), (tenths, durationSeconds) => {
      const sorted = [0, ...tenths.toSorted((a, b) => a - b).map((tenth) => tenth / 10)];
      const parts = chapterParts(chapters(...sorted), durationSeconds).map(({ part }) => part);
      expect(parts[0]?.startSeconds).toBe(0);
      expect(parts.at(-1)?.endSeconds).toBe(durationSeconds);
      expect(parts.slice(1).map((part) => part.startSeconds)).toEqual(
        parts.slice(0, -1).map((part) => part.endSeconds),
      );
      for (const { startSeconds, endSeconds } of parts) expect(endSeconds - startSeconds).toBeGreaterThan(1 - 1e-9);
    }),
  );
});
