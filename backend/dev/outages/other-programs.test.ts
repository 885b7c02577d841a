import { expect, it } from "vitest";
import { busySecondsIn, processorsOfOthers, readUse } from "./other-programs.ts";

it("counts all time but that of idle processors and of waiting for a disk", () => {
  const stat = "cpu  1000 200 300 90000 8000 10 20 70 0 0\ncpu0 500 100 150 45000 4000 5 10 35 0 0\n";
  expect(busySecondsIn(stat)).toBe(16);
});

it("leaves out what this command has used itself", () => {
  const before = { atSeconds: 100, busySeconds: 1_000, ownSeconds: 30 };
  expect(processorsOfOthers(before, { atSeconds: 110, busySeconds: 1_020, ownSeconds: 35 })).toBe(1.5);
  // The two are not read at the same moment.
  expect(processorsOfOthers(before, { atSeconds: 110, busySeconds: 1_005, ownSeconds: 35.1 })).toBe(0);
});

it("reads the times of this machine", () => {
  const { busySeconds, ownSeconds } = readUse();
  expect(ownSeconds).toBeGreaterThan(0);
  expect(busySeconds).toBeGreaterThan(ownSeconds);
});
