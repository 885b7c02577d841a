import { expect, it } from "vitest";
import { fragmentsOfPart } from "./fragments-of-part.ts";

/** @returns content of a "sidx" with a fragment of 5 s for each size, the first one 7 bytes after the index */
function indexOf(sizes: readonly number[], version: 0 | 1): Buffer {
  const head = Buffer.alloc(version === 1 ? 32 : 24);
  head.writeUInt8(version, 0);
  head.writeUInt32BE(1_000, 8);
  head.writeUInt8(7, version === 1 ? 27 : 19);
  head.writeUInt16BE(sizes.length, head.length - 2);
  const references = sizes.map((size) => {
    const reference = Buffer.alloc(12);
    reference.writeUInt32BE(size, 0);
    reference.writeUInt32BE(5_000, 4);
    return reference;
  });
  return Buffer.concat([head, ...references]);
}

it.each([
  [0, 1, 107, 117, 0],
  [4.9, 5.2, 107, 137, 0],
  [5.3, 9.6, 117, 137, 5],
  [11, 99, 137, 167, 10],
])("finds the fragments from %d to %d s", (startSeconds, endSeconds, start, end, skippedSeconds) => {
  for (const version of [0, 1] as const)
    expect(fragmentsOfPart(indexOf([10, 20, 30], version), 100, { startSeconds, endSeconds })).toEqual({
      range: { start, end },
      firstStart: 107,
      skippedSeconds,
      wholeSeconds: 15,
    });
});

it("finds none after the end, in an index of indexes, and in one that is cut off", () => {
  const part = { startSeconds: 1, endSeconds: 2 };
  expect(fragmentsOfPart(indexOf([10], 0), 0, { startSeconds: 6, endSeconds: 8 })).toBeUndefined();
  expect(fragmentsOfPart(indexOf([0x8000_000a], 0), 0, part)).toBeUndefined();
  expect(fragmentsOfPart(indexOf([10, 20], 1).subarray(0, -1), 0, part)).toBeUndefined();
  expect(() => fragmentsOfPart(Buffer.alloc(6), 0, part)).toThrow(RangeError);
});
