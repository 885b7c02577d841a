import { expect, it } from "vitest";
import { Peaks } from "./waveform.ts";

it.each([
  [2, 1_125],
  [12, 844],
])("has few peaks of %i hours, and the last sample among them", (hours, count) => {
  const peaks = new Peaks();
  const chunk = new Uint8Array(4_000_000).fill(128);
  for (let left = hours * 3_600 * 4_000 - 1; left > 0; left -= chunk.length) peaks.add(chunk.subarray(0, left));
  peaks.add(Uint8Array.of(0));
  const all = peaks.all();
  expect(all).toHaveLength(count);
  expect(all.at(-1)).toBe(100);
  expect(Math.max(...all.slice(0, -1))).toBe(0);
});
