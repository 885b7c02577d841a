import { expect, it } from "vitest";
import { slowestEndMs, type RangeUnderWay } from "./slowest-range.ts";

const range = (begunMs: number, receivedBytes: number, bytes = 2_000): RangeUnderWay => ({
  begunMs,
  bytes,
  receivedBytes,
});

it.each<[string, RangeUnderWay[], number]>([
  ["no range", [], 0],
  ["one range after a quarter of it", [range(0, 500)], 4_000],
  ["the slower of two", [range(0, 500), range(0, 1_000)], 4_000],
  ["a range of which nothing has come", [range(0, 0)], 0],
  ["a range that has come", [range(0, 2_000)], 1_000],
  ["a range that began 499 ms ago", [range(501, 100)], 0],
  ["a range that began 500 ms ago", [range(500, 100)], 10_500],
  ["a new range beside an old one", [range(0, 1_000), range(900, 1)], 2_000],
])("is at its pace the end of %s", (_, ranges, endMs) => {
  expect(slowestEndMs(ranges, 1_000)).toBe(endMs);
});
