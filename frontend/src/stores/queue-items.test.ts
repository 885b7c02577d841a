import { describe, expect, it } from "vitest";
import type { Job } from "../../../common/job.ts";
import { makeJob } from "../testing/sample-jobs.ts";
import { createItemSelector, createStableJob, itemsOf } from "./queue-items.ts";

describe("queue items", () => {
  const jobs = [
    makeJob({ id: "d" }),
    makeJob({ id: "c", batchId: "b" }),
    makeJob({ id: "b1", batchId: "b" }),
    makeJob({ id: "a" }),
  ];

  it("puts a batch at the position of its newest job, with its jobs in order of creation", () =>
    expect(itemsOf(jobs)).toEqual([{ id: "d" }, { id: "b", jobIds: ["b1", "c"] }, { id: "a" }]));

  it("returns the same array while only progress changes", () => {
    const itemsFor = createItemSelector();
    const none = { id: null, idsBefore: null };
    const before = itemsFor(jobs, none);
    const updated = jobs.map((job) => ({ ...job }));
    expect(itemsFor(updated, none)).toBe(before);
    expect(itemsFor(jobs.slice(1), none)).not.toBe(before);
  });

  it("leaves out the current job, and a new single job while the answer about it is awaited", () => {
    const itemsFor = createItemSelector();
    const batch = { id: "b", jobIds: ["b1", "c"] };
    expect(itemsFor(jobs, { id: "a", idsBefore: null })).toEqual([{ id: "d" }, batch]);
    expect(itemsFor(jobs, { id: null, idsBefore: new Set(["a"]) })).toEqual([batch, { id: "a" }]);
  });
});

describe("createStableJob", () => {
  it("returns the same object while only the progress changes", () => {
    const keep = createStableJob();
    const first = keep(makeJob({ status: "processing", progress: 1 }));
    expect(keep(makeJob({ status: "processing", progress: 2, stage: "convert", etaSeconds: 4 }))).toBe(first);
    expect(keep(makeJob({ status: "processing", progress: 2, title: "Known now" }))?.title).toBe("Known now");
    expect(keep(makeJob({ status: "completed" }))?.status).toBe("completed");
  });

  it("returns the new object when a field changes that this file does not name", () => {
    const keep = createStableJob();
    const job = makeJob({ status: "processing" });
    const withNewField: Job = Object.assign({ ...job }, { fieldOfALaterBuild: 1 });
    keep(job);
    expect(keep(withNewField)).toBe(withNewField);
    expect(keep({ ...withNewField, updatedAt: new Date("2026-01-02T00:00:00Z").toISOString() })).toBe(withNewField);
    expect(keep(job)).toBe(job);
  });
});
