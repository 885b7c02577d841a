import { describe, expect, it } from "vitest";
import { makeJob } from "../../sample-jobs.ts";
import { followJobs } from "./rows.ts";
import type { Row } from "./rows.ts";

const job = (id: string) => makeJob({ id });
const resting = (...ids: string[]): Row[] => ids.map((id) => ({ job: job(id), motion: "resting" }));
const told = (rows: readonly Row[]) => rows.map((row) => `${row.job.id} ${row.motion}`);

describe("rows", () => {
  it("lets a new job enter and a missing one leave from its own place", () => {
    const rows = followJobs(resting("c", "b", "a"), [job("d"), job("c"), job("a")]);
    expect(told(rows)).toEqual(["d entering", "c resting", "b leaving", "a resting"]);
  });

  it("keeps neighbours that leave together in order, also at the ends", () => {
    const rows = followJobs(resting("d", "c", "b", "a"), [job("b")]);
    expect(told(rows)).toEqual(["d leaving", "c leaving", "b resting", "a leaving"]);
  });

  it("lets a job that comes back enter anew", () => {
    const left = followJobs(resting("a"), []);
    expect(told(followJobs(left, [job("a")]))).toEqual(["a entering"]);
  });
});
