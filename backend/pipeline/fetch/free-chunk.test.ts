import { expect, it } from "vitest";
import { freeChunk } from "./free-chunk.ts";

it("takes the bytes of a chunk that has memory of its own", () => {
  const chunk = Buffer.from(new ArrayBuffer(65_536));
  freeChunk(chunk);
  expect(chunk.length).toBe(0);
});

it.each([
  ["begins after other bytes", 1, 100],
  ["ends before other bytes", 0, 99],
])("leaves a chunk alone that %s", (_what, from, to) => {
  const memory = Buffer.from(new ArrayBuffer(100)).fill(7);
  const chunk = memory.subarray(from, to);
  freeChunk(chunk);
  expect(chunk).toEqual(Buffer.alloc(99, 7));
  expect(memory).toEqual(Buffer.alloc(100, 7));
});
