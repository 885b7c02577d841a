import { expect, it } from "vitest";
import { CASES, chooseCases } from "./cases.ts";

const chosen = (...wanted: string[]): string[] => chooseCases(wanted).map(({ name }) => name);

it("chooses one case by its whole name, and all cases that contain a part of a name", () => {
  expect(chosen("mp3-128-hls-10min")).toEqual(["mp3-128-hls-10min"]);
  expect(chosen("mp3-128-hls-10min", "repeat")).toEqual(["mp3-128-hls-10min", "repeat"]);
  expect(chosen("@20").length).toBeGreaterThan(2);
  expect(chosen("@20").every((name) => name.endsWith("@20"))).toBe(true);
});

it("rejects an unknown name, also beside a known one, and lists the known names", () => {
  expect(() => chosen("repeat", "mp5")).toThrow(/mp5; there are .*memory-20/u);
});

it("has unique names", () => {
  expect(new Set(CASES.map(({ name }) => name)).size).toBe(CASES.length);
});
