import { expect, it } from "vitest";
import { findRegressions } from "./comparison.ts";
import { emptyResult, type CaseResult } from "./results.ts";

const rival = (seconds: number) => ({ seconds: [seconds], cpuSeconds: [], peakMegabytes: [], writtenMegabytes: [] });

function result(name: string, ours: number[], ytDlp: number, ffmpeg: number): CaseResult {
  return { ...emptyResult({ name, about: name }, 0), seconds: ours, ytDlp: rival(ytDlp), ffmpeg: rival(ffmpeg) };
}

it("accepts up to 15 percent slower", () => {
  expect(findRegressions([result("a", [1], 2, 2)], [result("a", [1.14], 2, 2)])).toEqual([]);
});

it("reports the case and the rival above 15 percent", () => {
  expect(findRegressions([result("a", [1], 2, 2)], [result("a", [1.2], 2, 3)])).toEqual([
    { name: "a", against: "yt-dlp", kept: 0.5, now: 0.6 },
  ]);
});

it("compares ratios, so that a slower machine is no regression", () => {
  expect(findRegressions([result("a", [1], 2, 2)], [result("a", [3], 6, 6)])).toEqual([]);
});

it("compares medians, so that one slow round is no regression", () => {
  expect(findRegressions([result("a", [1, 1, 1], 2, 2)], [result("a", [1, 9, 1], 2, 2)])).toEqual([]);
});

it("ignores cases that the kept run does not have", () => {
  expect(findRegressions([result("a", [1], 2, 2)], [result("b", [9], 2, 2)])).toEqual([]);
});
