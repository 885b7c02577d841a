import { expect, it } from "vitest";
import { readDuration, readEdits, readLanguage, readShape, readTimes, readTrackId } from "./track.ts";
import { box } from "./write-box.ts";
import { u32 } from "./write-index.ts";

const SHAPE = Buffer.alloc(60, 7);
/** Version 1 has times of eight bytes. */
const MEDIA_HEADERS = [
  u32(0, 0, 0, 90_000, 500, 0x55c4_0000),
  u32(0x100_0000, 0, 0, 0, 0, 90_000, 0, 500, 0x55c4_0000),
];
const TRACK_HEADERS = [u32(3, 0, 0, 9, 0, 0), u32(0x100_0003, 0, 0, 0, 0, 9, 0, 0, 0)];

it.each([0, 1])("reads headers of version %d", (version) => {
  const media = MEDIA_HEADERS[version] ?? Buffer.alloc(0);
  const track = Buffer.concat([TRACK_HEADERS[version] ?? Buffer.alloc(0), SHAPE]);
  expect(readTimes(media)).toEqual({ unitsPerSecond: 90_000, units: 500 });
  expect(readLanguage(media)).toBe(0x55c4);
  expect(readTrackId(track)).toBe(9);
  expect(readShape(track)).toEqual(SHAPE);
});

it("reads no duration where it or the time scale is 0, and throws for a header that is cut off", () => {
  expect(readDuration(u32(0, 0, 0, 90_000, 0))).toBeUndefined();
  expect(readDuration(u32(0, 0, 0, 0, 500))).toBeUndefined();
  expect(() => readDuration(u32(0, 0, 0, 90_000))).toThrow(RangeError);
});

const withList = (...fields: readonly number[]): Buffer => box("edts", box("elst", u32(...fields)));
const ONE = 0x1_0000;
const MINUS_ONE = 0xffff_ffff;

it.each<[string, Buffer, unknown]>([
  ["no list", box("tkhd"), []],
  ["an empty list", withList(0, 0), []],
  ["a cut", withList(0, 1, 700, 1_024, ONE), [{ duration: 700, mediaStart: 1_024, isUsualSpeed: true }]],
  [
    "a delay and a cut",
    withList(0, 2, 100, MINUS_ONE, ONE, 700, 0, ONE / 2),
    [
      { duration: 100, mediaStart: -1, isUsualSpeed: true },
      { duration: 700, mediaStart: 0, isUsualSpeed: false },
    ],
  ],
  [
    "long times",
    withList(0x100_0000, 2, 1, 0, MINUS_ONE, MINUS_ONE, ONE, 0, 700, 0, 1_024, ONE),
    [
      { duration: 0x1_0000_0000, mediaStart: -1, isUsualSpeed: true },
      { duration: 700, mediaStart: 1_024, isUsualSpeed: true },
    ],
  ],
  ["three entries", withList(0, 3, 1, 0, ONE, 1, 0, ONE, 1, 0, ONE), undefined],
  ["billions of entries", withList(0, 0xffff_ffff, 1, 0, ONE), undefined],
  ["an unknown version", withList(0x200_0000, 1, 700, 0, ONE), undefined],
])("reads the edits of a track with %s", (_, track, expected) => {
  expect(readEdits(track)).toEqual(expected);
});

it("throws for an edit list that is cut off", () => {
  expect(() => readEdits(withList(0, 2, 700, 0, ONE))).toThrow(RangeError);
});
