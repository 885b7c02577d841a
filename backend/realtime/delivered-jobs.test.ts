import { array, assert, boolean, property, tuple } from "fast-check";
import { describe, expect, it } from "vitest";
import type { Job } from "../../common/job.ts";
import { compareStatus, mergeIntoTable, type JobTable } from "../../common/merge.ts";
import { isForward, version, versions } from "../dev/testing/job-versions.ts";
import { DeliveredJobs } from "./delivered-jobs.ts";

const processing = versions.filter(({ status }) => status === "processing");
const shown = (table: JobTable): Job => table.get("a") as Job;

describe("versions of several processes, in any order", () => {
  it("reach a page so that nothing goes back, and the newest status and the highest percentage are shown", () => {
    assert(
      property(array(versions, { minLength: 1, maxLength: 40 }), (arriving) => {
        const delivered = new DeliveredJobs();
        const sent = arriving.flatMap((job) => delivered.accept(job) ?? []);
        expect(sent.every((job, index) => isForward(sent[index - 1] ?? job, job))).toBe(true);

        const last = sent.at(-1) as Job;
        expect(shown(sent.reduce<JobTable>(mergeIntoTable, new Map()))).toMatchObject({
          status: last.status,
          progress: last.progress,
        });
        for (const job of arriving) {
          const order = compareStatus(last, job);
          expect(order > 0 || (order === 0 && last.progress >= job.progress)).toBe(true);
        }
      }),
    );
  });

  it("do not go back on a page that lists from the database, where progress is written less often", () => {
    assert(
      property(array(tuple(processing, boolean()), { minLength: 1, maxLength: 40 }), (arriving) => {
        const delivered = new DeliveredJobs();
        let table: JobTable = new Map();
        for (const [job, isListed] of arriving) {
          const next = isListed ? delivered.withDeliveredProgress(job) : delivered.accept(job);
          if (next === null) continue;
          const before = (table.get("a") as Job | undefined) ?? next;
          table = mergeIntoTable(table, next);
          expect(isForward(before, shown(table))).toBe(true);
        }
      }),
    );
  });
});

it("sends no version of a job that was removed", () => {
  const delivered = new DeliveredJobs();
  delivered.accept(version({ status: "processing", progress: 5 }));
  delivered.remove("a");
  expect(delivered.accept(version({ status: "canceled" }))).toBeNull();
});
