import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { wireJob } from "../backend/dev/testing/arbitrary-jobs.ts";
import { JobList } from "./api.ts";
import { SnapshotEvent } from "./events.ts";
import { isActive, isWaiting, Job, type JobStatus } from "./job.ts";

const BASE = {
  id: "a",
  title: "t",
  format: "mp3",
  quality: "128kbps",
  progress: 5,
  attempt: 1,
  createdAt: "2026-01-01T00:00:00.000Z",
  updatedAt: "2026-01-01T00:00:00.000Z",
};

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

it("reads an error code of a newer server as internal, and keeps the message and the other jobs of the list", () => {
  const error = { code: "code_of_a_newer_server", message: "All lines are busy." };
  const failed = { ...BASE, status: "failed", error };
  const snapshot = { asOf: BASE.createdAt, jobs: [{ ...BASE, status: "queued" }, failed] };
  const read = [
    { ...BASE, status: "queued" },
    { ...BASE, status: "failed", error: { ...error, code: "internal" } },
  ];
  expect(JobList.parse(snapshot.jobs)).toEqual(read);
  expect(SnapshotEvent.parse(snapshot).jobs).toEqual(read);
  expect(Job.parse(failed)).toEqual(read[1]);
});

it("leaves jobs of a format out that a newer server has added, and reads a file of an unknown kind as one not known yet", () => {
  const newer = { ...BASE, status: "queued", format: "hologram", quality: "sharp" };
  const original = { ...BASE, status: "queued", format: "original", quality: "original" };
  const read = [{ ...original, fileKind: "opus" }, original];
  const jobs = [newer, { ...original, fileKind: "opus" }, { ...original, fileKind: "wax" }];
  expect(JobList.parse(jobs)).toEqual(read);
  expect(SnapshotEvent.parse({ asOf: BASE.createdAt, jobs }).jobs).toEqual(read);
  expect(JobList.safeParse([{ ...original, progress: 101 }]).success).toBe(false);
});

describe("invalid jobs", () => {
  it.each([
    ["processing without a stage", { ...BASE, status: "processing" }],
    ["completed without a size", { ...BASE, status: "completed", expiresAt: BASE.createdAt }],
    ["completed with an empty file", { ...BASE, status: "completed", fileSize: 0, expiresAt: BASE.createdAt }],
    ["failed without a reason", { ...BASE, status: "failed" }],
    ["failed without an error code", { ...BASE, status: "failed", error: { message: "" } }],
    ["beyond 100 percent", { ...BASE, status: "queued", progress: 101 }],
    ["in attempt 0", { ...BASE, status: "queued", attempt: 0 }],
    ["of another status", { ...BASE, status: "sleeping" }],
    ["with an invalid time", { ...BASE, status: "queued", createdAt: "yesterday" }],
    ["without an id", { ...BASE, status: "queued", id: "" }],
  ])("rejects a job %s", (_, job) => {
    expect(Job.safeParse(job).success).toBe(false);
  });
  it("accepts the valid job that the invalid ones are made from", () => {
    expect(Job.safeParse({ ...BASE, status: "queued" }).success).toBe(true);
  });
});
