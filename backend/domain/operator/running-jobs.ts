import type { RunningJob } from "../../../common/operator.ts";
import type { Domain } from "../domain.ts";
import { findJobs, isHeld } from "../jobs/find-jobs.ts";
import { siteOf } from "../sites/site-of.ts";

/** More than a few workers run at a time. */
const MAX_JOBS = 100;
/** A worker's id ends with a random part, which says nothing to a person. */
const RANDOM_END = /:[0-9a-f-]{36}$/;

/** @returns the jobs in the hands of workers, the longest held first */
export async function readRunningJobs(domain: Domain): Promise<RunningJob[]> {
  const isRunning = { status: { $in: ["pending" as const, "processing" as const] } };
  const running = await findJobs(domain, isRunning, { sort: { createdAt: 1 }, limit: MAX_JOBS });
  return running.filter(isHeld).map((job) => ({
    id: job._id,
    tier: job.tier,
    format: job.format,
    status: job.status,
    stage: job.status === "processing" ? job.stage : null,
    progress: job.progress,
    attempt: job.attempt,
    site: siteOf(job.sourceUrl),
    worker: (job.workerId ?? "").replace(RANDOM_END, ""),
    exit: job.exit ?? null,
    createdAt: job.createdAt.toISOString(),
  }));
}
