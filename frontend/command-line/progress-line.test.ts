import stringWidth from "string-width";
import { describe, expect, it } from "vitest";
import { cut, printable, progressLine } from "./progress-line.ts";

const PROGRESS = {
  title: "雨 on a tin roof 👩‍👩‍👧 recorded for a whole night",
  percent: 41.7,
  state: "converting, 1:02:03 left",
};

it.each([1, 5, 9, 12, 20, 47, 48, 60, 80, 81, 200])("fits %d columns", (columns) => {
  expect(stringWidth(progressLine(PROGRESS, columns))).toBeLessThanOrEqual(Math.max(columns - 1, 1));
});

it("shows title, bar, percent and state in 80 columns", () => {
  const line = progressLine({ ...PROGRESS, title: "Rain" }, 80);
  expect(line).toMatch(/^Rain +\[=+ +\] +41 % {2}converting, 1:02:03 left$/);
});

describe("a title", () => {
  it("is cut between letters", () => expect(cut("雨雨雨雨", 6)).toBe("雨雨…"));
  it("cannot move the cursor or turn the direction", () =>
    expect(printable("\u001b[2Ja\u0007b\r\nc\u202ed")).toBe("a b c d"));
});
