import { describe, expect, it } from "vitest";
import { makeJob } from "../testing/sample-jobs.ts";
import { percentOfWork, tallyOf } from "./batch-tally.ts";

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
        makeJob({ status: "canceled" }),
        makeJob({ status: "processing", progress: 50 }),
        makeJob({ status: "pending" }),
      ]),
    ).toEqual({
      total: 5,
      gone: 0,
      following: 0,
      done: 1,
      failed: 1,
      canceled: 1,
      working: 1,
      waiting: 1,
      downloadable: 1,
      percent: 70,
    }));

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
