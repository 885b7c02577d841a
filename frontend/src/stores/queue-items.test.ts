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

  describe("of videos chosen from a list", () => {
    const jobAt = (batchPosition: number, more: Partial<Record<string, unknown>> = {}) =>
      makeJob({ id: String(batchPosition), batchId: "b", batchPosition, batchTotal: 60, ...more });

    it("counts what follows, which is not queued yet", () =>
      expect(tallyOf(Array.from({ length: 20 }, (_, index) => jobAt(index)))).toMatchObject({
        total: 60,
        waiting: 20,
        gone: 0,
        following: 40,
        percent: 0,
      }));

    it("counts jobs as ended that the page does not know any more", () =>
      expect(tallyOf([jobAt(28, { status: "completed" }), jobAt(29)])).toMatchObject({
        total: 60,
        gone: 28,
        following: 30,
        percent: 48,
      }));

    it("takes the lowest total, which a canceled selection has", () =>
      expect(tallyOf([jobAt(0, { batchTotal: 2 }), jobAt(1)])).toMatchObject({ total: 2, following: 0 }));

    it("counts the jobs where they have no position", () =>
      expect(tallyOf([makeJob({ batchTotal: 3 }), makeJob({ batchTotal: 3 })])).toMatchObject({
        total: 3,
        gone: 0,
        following: 1,
      }));
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
