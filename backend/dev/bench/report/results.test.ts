import { expect, it } from "vitest";
import { commonGoals, emptyResult, ratiosOf, withKept, type CaseResult, type RunResult } from "./results.ts";

const machine = { cores: 2, model: "x", memoryGigabytes: 1, system: "x", node: "24", ffmpeg: "5", ytDlp: "1" };
const result = (name: string, seconds: number[]): CaseResult => ({ ...emptyResult({ name, about: name }, 0), seconds });
const run = (...cases: CaseResult[]): RunResult => ({ machine, plainFetchMegabytesPerSecond: 1, cases });

it("keeps earlier results of cases that were not measured, in the order of the cases", () => {
  const kept = run(result("a", [1]), result("b", [2]), result("gone", [3]));
  const now = run(result("c", [4]), result("a", [5]));
  expect(withKept(now, kept, ["a", "b", "c"]).cases.map(({ name, seconds }) => [name, seconds])).toEqual([
    ["a", [5]],
    ["b", [2]],
    ["c", [4]],
  ]);
  expect(withKept(now, undefined, ["a"]).cases).toHaveLength(1);
});

it("divides our median by the rivals' medians that were measured", () => {
  const rival = { seconds: [4, 100, 4], cpuSeconds: [], peakMegabytes: [], writtenMegabytes: [] };
  expect(ratiosOf({ ...result("a", [1, 2, 30]), ytDlp: rival, limitSeconds: 1 })).toEqual({ ytDlp: 0.5, limit: 2 });
});

it("has common goals only for figures that were measured", () => {
  const seen = result("a", [1]);
  seen.ours.firstPushMs.push(10, 50);
  expect(commonGoals([seen])).toEqual([expect.objectContaining({ value: 50, atMost: 30, unit: "ms" })]);
});

it("ignores the waiting time of jobs in crowded cases, but not their gaps between pushes", () => {
  const crowded = result("memory-20", [1]);
  crowded.ours.takenUpMs.push(60_000);
  crowded.ours.longestSilenceMs.push(900);
  expect(commonGoals([crowded])).toEqual([expect.objectContaining({ value: 900, atMost: 300 })]);
});
