import { describe, expect, it } from "vitest";
import type { Job } from "../../../common/job.ts";
import { makeJob } from "../testing/sample-jobs.ts";
import { createItemSelector, createStableJob, itemsOf, percentOfWork, tallyOf } from "./queue-items.ts";

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
    expect(itemsFor(jobs)).toBe(itemsFor(jobs.map((job) => ({ ...job }))));
    expect(itemsFor(jobs)).not.toBe(itemsFor(jobs.slice(1)));
  });
});

describe("percentOfWork", () => {
  const at = (progress: number, batchId?: string) =>
    makeJob({ status: "processing", progress, ...(batchId && { batchId }) });

  it("is the progress of the oldest processing job", () =>
    expect(percentOfWork([makeJob(), at(20), at(60), makeJob({ status: "completed" })])).toBe(60));
  it("is the progress of the whole batch", () =>
    expect(percentOfWork([at(20), at(50, "b"), makeJob({ status: "completed", batchId: "b" })])).toBe(75));
  it("is undefined when no job is processing", () =>
    expect(percentOfWork([makeJob(), makeJob({ status: "failed" })])).toBeUndefined());
});

describe("tallyOf", () => {
  it("counts every ended job as 100 percent", () =>
    expect(
      tallyOf([
        makeJob({ status: "completed", downloadUrl: "/f" }),
        makeJob({ status: "failed" }),
        makeJob({ status: "processing", progress: 50 }),
        makeJob({ status: "pending" }),
      ]),
    ).toMatchObject({ total: 4, done: 1, failed: 1, working: 1, waiting: 1, downloadable: 1, percent: 62 }));
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
