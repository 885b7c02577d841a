import { describe, expect, it } from "vitest";
import { FailureShare } from "./failure-share.ts";
import { ageInDays, compareVersions, isWanted, parseRelease } from "./releases.ts";

it.each([
  ["2026.8.19", "2026.08.19", 0],
  ["2026.10.26", "2026.8.19", 1],
  ["2026.8.19.123456.dev0", "2026.08.19.123456", 0],
  ["2026.8.19.123456.dev0", "2026.08.19", 1],
  ["2025.12.31", "2026.1.1", -1],
])("compares %s with %s", (left, right, expected) => {
  expect(Math.sign(compareVersions(left, right))).toBe(expected);
});

it("counts the days since a release", () => {
  expect(ageInDays("2026.08.19", Date.UTC(2026, 7, 29, 12))).toBe(10);
});

it("wants newer releases, and exactly the pinned one", () => {
  expect(isWanted({ kind: "stable" }, "2026.8.19", "2026.10.26")).toBe(false);
  expect(isWanted({ kind: "pinned", version: "2026.8.19" }, "2026.8.19", "2026.10.26")).toBe(true);
  expect(isWanted({ kind: "pinned", version: "2026.8.19" }, "2026.8.19", "2026.08.19")).toBe(false);
});

it.each(["", "newest", "pinned", "pinned x", "stable 2026.8.19", "pinned 2026.8.19 --index-url=x"])(
  "refuses the release %j",
  (text) => {
    expect(() => parseRelease(text)).toThrow(RangeError);
  },
);

describe("the share of failures", () => {
  const after = (failed: number, worked: number): FailureShare => {
    const share = new FailureShare();
    for (let count = 0; count < failed; count += 1) share.add("failed");
    for (let count = 0; count < worked; count += 1) share.add("worked");
    return share;
  };

  it("is not judged by a few extractions", () => {
    expect(after(19, 0).isWorseThan(0)).toBe(false);
    expect(after(20, 0).isWorseThan(0)).toBe(true);
  });

  it("is compared with that of the version before", () => {
    expect(after(15, 15).isWorseThan(0)).toBe(true);
    expect(after(20, 0).isWorseThan(0.8)).toBe(false);
    expect(after(5, 15).isWorseThan(0)).toBe(false);
  });
});
