import { describe, expect, it } from "vitest";
import type { Job } from "../../../common/job.ts";
import { announcementsOf } from "./announcements.ts";
import { endedBetween } from "./queue-changes.ts";

const TIME = "2026-01-01T00:00:00.000Z";
const basis = {
  title: "Rain",
  format: "mp3",
  quality: "128kbps",
  attempt: 1,
  createdAt: TIME,
  updatedAt: TIME,
} as const;
const waiting = (id = "a", batchId?: string): Job => ({
  ...basis,
  id,
  status: "queued",
  progress: 0,
  batchId,
});
const working = (progress: number, id = "a", batchId?: string): Job => ({
  ...basis,
  id,
  status: "processing",
  stage: "download",
  progress,
  batchId,
});
const canceled = (id = "a", batchId?: string): Job => ({
  ...basis,
  id,
  status: "canceled",
  progress: 0,
  batchId,
});
const failed = (id = "a", batchId?: string): Job => ({
  ...basis,
  id,
  status: "failed",
  progress: 0,
  error: { code: "too_long", message: "Too long." },
  batchId,
});

const announced = (before: readonly Job[], now: readonly Job[]) =>
  announcementsOf({ before, now, ended: endedBetween(before, now) }).map((entry) =>
    entry.kind === "quarter" ? entry.percent : entry.kind,
  );

describe("announcements of a job", () => {
  it.each([
    ["starts", waiting(), working(0), ["started"]],
    ["moves within a quarter", working(26), working(49), []],
    ["reaches a quarter", working(24), working(25), [25]],
    ["passes two quarters at once: the later one counts", working(10), working(60), [50]],
    ["still waits for the site", { ...working(60), resumesAt: TIME }, { ...working(60), resumesAt: TIME }, []],
    ["begins to wait for the site", waiting(), { ...waiting(), resumesAt: TIME }, ["waits"]],
    ["begins to wait for the site in the middle", working(60), { ...working(60), resumesAt: TIME }, ["waits"]],
    ["goes on after a wait for the site", { ...working(60), resumesAt: TIME }, working(60), []],
    ["starts over", working(60), working(0), []],
    ["goes back to waiting", working(60), waiting(), []],
    ["fails", working(60), failed(), ["ended"]],
    ["fails while it waits", waiting(), failed(), ["ended"]],
    ["is canceled by the visitor", working(60), canceled(), []],
    ["has failed long ago", failed(), failed(), []],
  ])("finds what to announce when a job %s", (_, before, now, expected) => {
    expect(announced([before], [now])).toEqual(expected);
  });

  it("announces nothing for a job that is missing in the first state", () => {
    expect(announced([], [working(60), failed("b")])).toEqual([]);
  });
});

describe("announcements of a batch", () => {
  it("announces a batch once for all its jobs", () => {
    expect(announced([waiting("a", "x"), waiting("b", "x")], [working(0, "a", "x"), working(0, "b", "x")])).toEqual([
      "started",
    ]);
    expect(announced([working(40, "a", "x"), waiting("b", "x")], [working(60, "a", "x"), waiting("b", "x")])).toEqual([
      25,
    ]);
    expect(announced([failed("a", "x"), working(10, "b", "x")], [failed("a", "x"), failed("b", "x")])).toEqual([
      "ended",
    ]);
  });

  it("does not announce the end while one of its jobs is active", () => {
    expect(
      announced([working(10, "a", "x"), working(10, "b", "x")], [failed("a", "x"), working(12, "b", "x")]),
    ).toEqual([50]);
  });
});
