import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { RecentMap } from "./recent-map.ts";

const HOUR_MS = 60 * 60 * 1_000;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it("drops each entry an hour after it was last set", () => {
  const dropped: string[] = [];
  const map = new RecentMap<string>({ keptMs: HOUR_MS, onDropped: (value) => dropped.push(value) });
  map.set("a", "first a");
  map.set("b", "b");
  vi.advanceTimersByTime(HOUR_MS / 2);
  map.set("a", "second a");
  vi.advanceTimersByTime(HOUR_MS / 2 - 1);
  expect([...map.values()]).toEqual(["b", "second a"]);
  vi.advanceTimersByTime(1);
  expect([...map.values()]).toEqual(["second a"]);
  vi.advanceTimersByTime(HOUR_MS / 2);
  expect([...map.values()]).toEqual([]);
  expect(dropped).toEqual(["b", "second a"]);
});

it("drops the oldest entry when it is full", () => {
  const map = new RecentMap<number>({ keptMs: HOUR_MS, maxSize: 2 });
  for (const key of ["a", "b", "a", "c"]) map.set(key, 1);
  expect(["a", "b", "c"].map((key) => map.get(key))).toEqual([1, undefined, 1]);
});
