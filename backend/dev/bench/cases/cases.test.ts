import { expect, it } from "vitest";
import { CASES, chooseCases } from "./cases.ts";

const chosen = (...wanted: string[]): string[] => chooseCases(wanted).map(({ name }) => name);

it("takes a whole name for that case alone, and a part of one for all that have it", () => {
  expect(chosen("mp3-128-hls-10min")).toEqual(["mp3-128-hls-10min"]);
  expect(chosen("mp3-128-hls-10min", "repeat")).toEqual(["mp3-128-hls-10min", "repeat"]);
  expect(chosen("@20").length).toBeGreaterThan(2);
  expect(chosen("@20").every((name) => name.endsWith("@20"))).toBe(true);
});

it("refuses a name that no case has, also beside one that there is, and lists those there are", () => {
  expect(() => chosen("repeat", "mp5")).toThrow(/mp5; there are .*memory-20/u);
});

it("has one case a name", () => {
  expect(new Set(CASES.map(({ name }) => name)).size).toBe(CASES.length);
});
