/** The one table of what may follow what. Every write to a job's status goes by it. */
import type { JobStatus } from "../../../common/job.ts";

const LEGAL: Readonly<Record<JobStatus, readonly JobStatus[]>> = {
  queued: ["pending", "canceled"],
  // Back to queued: the worker was lost, gave the job back, or met an error that may pass.
  pending: ["processing", "queued", "failed", "canceled"],
  processing: ["completed", "queued", "failed", "canceled"],
  completed: [],
  // Back to queued: the user's retry.
  failed: ["queued"],
  canceled: ["queued"],
};

export function isLegal(from: JobStatus, to: JobStatus): boolean {
  return LEGAL[from].includes(to);
}

/** The statuses a job may be in just before it becomes `to`. */
export function sourcesOf(to: JobStatus): JobStatus[] {
  return (Object.keys(LEGAL) as JobStatus[]).filter((from) => isLegal(from, to));
}
