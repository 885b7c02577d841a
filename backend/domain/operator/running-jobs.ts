import type { RunningJob } from "../../../common/operator.ts";
import type { Domain } from "../domain.ts";
import type { StoredJob } from "../jobs/job-model.ts";
import { siteOf } from "./site-of.ts";

/** More than a few workers run at a time. */
const MAX_JOBS = 100;
/** A worker's id ends with a random part, which says nothing to a person. */
const RANDOM_END = /:[0-9a-f-]{36}$/;

/** @returns the jobs in the hands of workers, the longest held first */
export async function readRunningJobs({ jobs }: Pick<Domain, "jobs">): Promise<RunningJob[]> {
  const running = await jobs
    .find({ status: { $in: ["pending", "processing"] } })
    .sort({ createdAt: 1 })
    .limit(MAX_JOBS)
    .lean<StoredJob[]>();
  return running.map((job) => ({
    id: job._id,
    tier: job.tier,
    format: job.format,
    status: job.status,
    stage: job.stage ?? null,
    progress: job.progress,
    attempt: job.attempt,
    site: siteOf(job.sourceUrl),
    worker: (job.workerId ?? "").replace(RANDOM_END, ""),
    exit: job.exit ?? null,
    createdAt: job.createdAt.toISOString(),
  }));
}
