import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { wireJob } from "../backend/dev/testing/arbitrary-jobs.ts";
import { isActive, isWaiting, Job, type JobStatus } from "./job.ts";

it.each<[JobStatus, boolean, boolean]>([
  ["queued", true, true],
  ["pending", true, true],
  ["processing", true, false],
  ["completed", false, false],
  ["failed", false, false],
  ["canceled", false, false],
])("a %s job: isActive %s, isWaiting %s", (status, active, waiting) => {
  expect([isActive(status), isWaiting(status)]).toEqual([active, waiting]);
});

it("is the same after JSON encoding and parsing", () => {
  fc.assert(
    fc.property(wireJob, (job) => {
      expect(Job.parse(JSON.parse(JSON.stringify(job)))).toEqual(job);
    }),
  );
});

describe("invalid jobs", () => {
  const base = {
    id: "a",
    title: "t",
    format: "mp3",
    quality: "128kbps",
    progress: 5,
    attempt: 1,
    createdAt: "2026-01-01T00:00:00.000Z",
    updatedAt: "2026-01-01T00:00:00.000Z",
  };
  it.each([
    ["processing without a stage", { ...base, status: "processing" }],
    ["completed without a size", { ...base, status: "completed", expiresAt: base.createdAt }],
    ["completed with an empty file", { ...base, status: "completed", fileSize: 0, expiresAt: base.createdAt }],
    ["failed without a reason", { ...base, status: "failed" }],
    ["failed for an unknown reason", { ...base, status: "failed", error: { code: "tired", message: "" } }],
    ["beyond 100 percent", { ...base, status: "queued", progress: 101 }],
    ["in attempt 0", { ...base, status: "queued", attempt: 0 }],
    ["of another status", { ...base, status: "sleeping" }],
    ["with an invalid time", { ...base, status: "queued", createdAt: "yesterday" }],
    ["without an id", { ...base, status: "queued", id: "" }],
  ])("rejects a job %s", (_, job) => {
    expect(Job.safeParse(job).success).toBe(false);
  });
  it("accepts the valid job that the invalid ones are made from", () => {
    expect(Job.safeParse({ ...base, status: "queued" }).success).toBe(true);
  });
});
