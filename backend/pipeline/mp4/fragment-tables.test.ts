import { expect, it } from "vitest";
import { hasBase, readTrackFragments, type TrackFragment } from "./fragment-tables.ts";
import { box } from "./write-box.ts";
import { u32 } from "./write-index.ts";

const DEFAULTS = { duration: 10, sizeBytes: 20, flags: 0x1_0000 };
const TRACK_ID = 3;

function fragmentOf(header: readonly number[], ...more: readonly Buffer[]): Buffer {
  return box("traf", box("tfhd", u32(...header)), ...more);
}

function read(...parts: readonly Buffer[]): TrackFragment {
  const [first] = readTrackFragments(Buffer.concat(parts), DEFAULTS);
  if (!first) throw new TypeError("no fragment of a track");
  return first;
}

/** @returns of each frame: duration, size, whether it is a key frame, delay */
function framesOf({ runs }: TrackFragment): readonly unknown[] {
  return runs.flatMap(({ frameCount, durationOf, sizeOf, isKey, delayOf }) =>
    Array.from({ length: frameCount }, (_, frame) => [durationOf(frame), sizeOf(frame), isKey(frame), delayOf(frame)]),
  );
}

it.each<[string, readonly number[], readonly number[], readonly unknown[]]>([
  [
    "of the index",
    [0, TRACK_ID],
    [0, 2],
    [
      [10, 20, false, 0],
      [10, 20, false, 0],
    ],
  ],
  ["of the fragment", [0x38, TRACK_ID, 11, 21, 0], [0, 1], [[11, 21, true, 0]]],
  ["after a base and a description", [0x3b, TRACK_ID, 0, 99, 1, 11, 21, 0], [0, 1], [[11, 21, true, 0]]],
  ["of the run", [0, TRACK_ID], [0xf00, 1, 12, 22, 0, 5], [[12, 22, true, 5]]],
  [
    "of the first frame",
    [0, TRACK_ID],
    [0x204, 2, 0, 22, 23],
    [
      [10, 22, true, 0],
      [10, 23, false, 0],
    ],
  ],
  ["with negative delays", [0, TRACK_ID], [0x800, 1, 0xffff_fffe], [[10, 20, false, -2]]],
])("reads fields %s", (_, header, run, expected) => {
  expect(framesOf(read(fragmentOf(header, box("trun", u32(...run)))))).toEqual(expected);
});

it("reads what is before the frames", () => {
  const run = box("trun", u32(0x1, 1, 0xffff_fff8));
  const long = box("tfdt", u32(0x100_0000, 1, 5));
  expect(read(fragmentOf([0x2_0002, TRACK_ID, 2], long, run, box("trun", u32(0, 1))))).toMatchObject({
    trackId: TRACK_ID,
    hasBase: false,
    isFromFragment: true,
    description: 2,
    decodedAt: 0x1_0000_0005,
    runs: [{ mediaOffset: -8 }, { mediaOffset: undefined }],
  });
  expect(read(fragmentOf([0, TRACK_ID], box("tfdt", u32(0, 5))))).toMatchObject({
    isFromFragment: false,
    decodedAt: 5,
  });
  expect(read(fragmentOf([0, TRACK_ID])).decodedAt).toBeUndefined();
  expect([u32(1, TRACK_ID, 0, 0), u32(0, TRACK_ID)].map(hasBase)).toEqual([true, false]);
});

it("reads each track of a fragment", () => {
  const parts = Buffer.concat([box("mfhd", u32(0, 1)), fragmentOf([0, 1]), fragmentOf([0, 2])]);
  expect(readTrackFragments(parts, DEFAULTS).map(({ trackId }) => trackId)).toEqual([1, 2]);
});

it("takes billions of frames without fields of their own, and reads none of them", () => {
  const { runs } = read(fragmentOf([0, TRACK_ID], box("trun", u32(0, 0xffff_ffff))));
  expect(runs[0]?.frameCount).toBe(0xffff_ffff);
  expect(runs[0]?.sizeOf(0xffff_fffe)).toBe(DEFAULTS.sizeBytes);
});

it.each<[string, Buffer]>([
  ["a run with fewer entries than it states", fragmentOf([0, TRACK_ID], box("trun", u32(0x200, 2, 22)))],
  ["a run of billions of entries", fragmentOf([0, TRACK_ID], box("trun", u32(0x200, 0xffff_ffff, 22)))],
  ["a run longer than its track", fragmentOf([0, TRACK_ID], box("trun", u32(0x200, 2, 22, 23)).subarray(0, -4))],
  ["a header without its fields", fragmentOf([0x8, TRACK_ID])],
  ["a track without a header", box("traf", box("trun", u32(0, 1)))],
  ["more than 64 parts", Buffer.alloc(8 * 65, box("free"))],
])("throws for %s", (_, parts) => {
  expect(() => read(parts)).toThrow(RangeError);
});
