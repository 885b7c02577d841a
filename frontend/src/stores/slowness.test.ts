import { expect, it } from "vitest";
import { createSlownessWatch, SLOWER_SHOWN_MS } from "./slowness.ts";

/** @returns at which of the times left, one a second, a job is shown as slower than expected */
function slowAt(...timesLeft: (number | undefined)[]): number[] {
  const watch = createSlownessWatch();
  return timesLeft.flatMap((left, second) => (watch(left, second * 1_000) > second * 1_000 ? [second] : []));
}

it("says nothing while the time left falls, or grows by two seconds", () => {
  expect(slowAt(20, 19, 18, 20, 18, undefined, 16)).toEqual([]);
});

it("says so when the time left grows by more, at once or bit by bit", () => {
  expect(slowAt(4, 20)).toEqual([1]);
  expect(slowAt(10, 11, 12, 13, 14)).toEqual([3, 4]);
  expect(slowAt(9, undefined, 30)).toEqual([2]);
});

it("says so until the time left has kept its word for a while", () => {
  const falling = Array.from({ length: 14 }, (_, second) => 30 - second);
  const seconds = slowAt(4, ...falling);
  expect(seconds).toEqual(Array.from({ length: SLOWER_SHOWN_MS / 1_000 }, (_, second) => second + 1));
});

it("compares what the row shows: whole minutes of a long time", () => {
  expect(slowAt(610, 622, 605)).toEqual([]);
  expect(slowAt(610, 650)).toEqual([1]);
});
