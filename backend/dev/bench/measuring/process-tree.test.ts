import { expect, it } from "vitest";
import { costBetween, descendants, parseStat } from "./process-tree.ts";

it("parses a process name with brackets and spaces", () => {
  const line = "4242 (a (b) c) S 17 4242 4242 0 -1 4194304 100 0 0 0 250 50 1000 200 20 0 1 0 100 0 0";
  expect(parseStat(line)).toEqual({
    pid: 4242,
    parentPid: 17,
    command: "a (b) c",
    ownCpuSeconds: 3,
    childCpuSeconds: 12,
  });
});

it("finds the process and all its descendants, and no others", () => {
  const process = (pid: number, parentPid: number) => ({
    pid,
    parentPid,
    command: "x",
    ownCpuSeconds: 0,
    childCpuSeconds: 0,
  });
  const all = [process(5, 4), process(1, 0), process(4, 2), process(2, 1), process(3, 1)];
  expect(descendants(all, 2).map(({ pid }) => pid)).toEqual([2, 4, 5]);
});

it("subtracts the costs of two moments", () => {
  const before = {
    ownCpuSeconds: 1,
    toolCpuSeconds: 2,
    extractorCpuSeconds: 1.5,
    databaseCpuSeconds: 3,
    writtenBytes: 4,
  };
  const after = {
    ownCpuSeconds: 2,
    toolCpuSeconds: 4,
    extractorCpuSeconds: 3,
    databaseCpuSeconds: 6,
    writtenBytes: 8,
  };
  expect(costBetween(before, after)).toEqual(before);
});
