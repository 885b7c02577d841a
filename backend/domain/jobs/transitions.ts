/** The one table of legal status changes. Every write to a job's status follows it. */
import type { JobStatus } from "../../../common/job.ts";

const LEGAL: Readonly<Record<JobStatus, readonly JobStatus[]>> = {
  // To failed when its video or its owner was blocked.
  queued: ["pending", "failed", "canceled"],
  // Back to queued when the worker died, handed the job back or met a transient error.
  pending: ["processing", "queued", "failed", "canceled"],
  processing: ["completed", "queued", "failed", "canceled"],
  completed: [],
  // Back to queued when the user retries.
  failed: ["queued"],
  canceled: ["queued"],
};

export function isLegal(from: JobStatus, to: JobStatus): boolean {
  return LEGAL[from].includes(to);
}

/** @returns the statuses from which a job may change to `to` */
export function sourcesOf(to: JobStatus): JobStatus[] {
  return (Object.keys(LEGAL) as JobStatus[]).filter((from) => isLegal(from, to));
}
