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
    for (let count = 0; count < failed; count += 1) share.add(`failed ${count}`, "failed");
    for (let count = 0; count < worked; count += 1) share.add(`worked ${count}`, "worked");
    return share;
  };

  it("is not judged by a few links", () => {
    expect(after(19, 0).isWorseThan(0)).toBe(false);
    expect(after(20, 0).isWorseThan(0)).toBe(true);
  });

  it.each([
    [9, 11, 0, false],
    [10, 10, 0.2, true],
    [10, 10, 0.201, false],
  ])("with %i of them beside %i that worked, after a share of %d, is worse: %s", (failed, worked, before, isWorse) =>
    expect(after(failed, worked).isWorseThan(before)).toBe(isWorse),
  );

  it("counts each link once, with its newest outcome", () => {
    const share = after(1, 0);
    for (let count = 0; count < 40; count += 1) share.add("failed 0", "failed");
    expect(share.isBad).toBe(false);
    share.add("failed 0", "worked");
    expect(share.share).toBe(0);
  });

  it("forgets all but the newest 40 links", () => {
    const share = after(20, 20);
    expect(share.share).toBe(0.5);
    share.add("failed 0", "failed");
    for (let count = 0; count < 20; count += 1) share.add(`new ${count}`, "worked");
    expect(share.share).toBe(1 / 40);
  });

  it("is compared with that of the version before", () => {
    expect(after(15, 15).isWorseThan(0)).toBe(true);
    expect(after(20, 0).isWorseThan(0.8)).toBe(false);
    expect(after(5, 15).isWorseThan(0)).toBe(false);
  });
});
