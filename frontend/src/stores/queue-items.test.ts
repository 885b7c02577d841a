import { describe, expect, it } from "vitest";
import { makeJob } from "../testing/sample-jobs.ts";
import { createItemsOf, createStillJob, itemsOf, percentOfWork, tallyOf } from "./queue-items.ts";

describe("items of the queue", () => {
  const jobs = [
    makeJob({ id: "d" }),
    makeJob({ id: "c", batchId: "b" }),
    makeJob({ id: "b1", batchId: "b" }),
    makeJob({ id: "a" }),
  ];

  it("puts a batch where its newest job is, in the order in which its jobs were made", () =>
    expect(itemsOf(jobs)).toEqual([{ id: "d" }, { id: "b", jobIds: ["b1", "c"] }, { id: "a" }]));

  it("are the very same while only the jobs move", () => {
    const itemsFor = createItemsOf();
    expect(itemsFor(jobs)).toBe(itemsFor(jobs.map((job) => ({ ...job }))));
    expect(itemsFor(jobs)).not.toBe(itemsFor(jobs.slice(1)));
  });
});

describe("percent of the work", () => {
  const at = (progress: number, batchId?: string) =>
    makeJob({ status: "processing", progress, ...(batchId && { batchId }) });

  it("is that of the job at work for longest", () =>
    expect(percentOfWork([makeJob(), at(20), at(60), makeJob({ status: "completed" })])).toBe(60));
  it("is that of a batch as a whole", () =>
    expect(percentOfWork([at(20), at(50, "b"), makeJob({ status: "completed", batchId: "b" })])).toBe(75));
  it("is none while nothing is at work", () =>
    expect(percentOfWork([makeJob(), makeJob({ status: "failed" })])).toBeUndefined());
});

describe("tally", () => {
  it("counts an ended job as whole, however it ended", () =>
    expect(
      tallyOf([
        makeJob({ status: "completed", downloadUrl: "/f" }),
        makeJob({ status: "failed" }),
        makeJob({ status: "processing", progress: 50 }),
        makeJob({ status: "pending" }),
      ]),
    ).toMatchObject({ total: 4, done: 1, failed: 1, working: 1, waiting: 1, downloadable: 1, percent: 62 }));
});

describe("still job", () => {
  it("is the same while only its progress changes", () => {
    const keep = createStillJob();
    const first = keep(makeJob({ status: "processing", progress: 1 }));
    expect(keep(makeJob({ status: "processing", progress: 2, stage: "convert", etaSeconds: 4 }))).toBe(first);
    expect(keep(makeJob({ status: "processing", progress: 2, title: "Known now" }))?.title).toBe("Known now");
    expect(keep(makeJob({ status: "completed" }))?.status).toBe("completed");
  });
});
