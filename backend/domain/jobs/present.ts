/** The one place where a stored job becomes its wire form, for answers, snapshots and events alike. */
import type { Job } from "../../../common/job.ts";
import type { StoredJob } from "./job-model.ts";

/**
 * @param nowMs decides whether the file still counts as there: a file whose time is up is gone to
 *   everybody, even before the sweeper has come by.
 * @throws Error when a stored job lacks what its status promises; that is a fault of ours.
 */
export function presentJob(job: StoredJob, nowMs: number = Date.now()): Job {
  const base = {
    id: job._id,
    title: job.title,
    format: job.format,
    quality: job.quality,
    progress: job.progress,
    attempt: job.attempt,
    createdAt: job.createdAt.toISOString(),
    updatedAt: job.updatedAt.toISOString(),
    ...present("durationSeconds", job.durationSeconds),
    ...present("batchId", job.batchId),
    ...present("note", job.note),
    // The attempt is in the address because a new attempt makes a new picture, and pictures are cached.
    ...(job.thumbnailKey ? { thumbnailUrl: `/api/conversions/${job._id}/thumbnail?attempt=${job.attempt}` } : {}),
  };
  switch (job.status) {
    case "queued":
    case "pending":
    case "canceled":
      return { ...base, status: job.status };
    case "processing":
      return {
        ...base,
        status: job.status,
        stage: must(job, "stage"),
        ...present("etaSeconds", job.etaSeconds),
        ...present("bytesPerSecond", job.bytesPerSecond),
      };
    case "failed":
      return {
        ...base,
        status: job.status,
        error: { code: must(job, "error").code, message: must(job, "error").message },
      };
    case "completed":
      return {
        ...base,
        status: job.status,
        fileSize: must(job, "fileSize"),
        expiresAt: must(job, "expiresAt").toISOString(),
        ...(hasFile(job, nowMs) ? { downloadUrl: `/api/conversions/${job._id}/file` } : {}),
      };
  }
}

/** Whether a completed job's file may still be downloaded. */
export function hasFile(job: StoredJob, nowMs: number): boolean {
  return job.isExpired !== true && job.expiresAt !== undefined && job.expiresAt.getTime() > nowMs;
}

function present<K extends string, V>(key: K, value: V | null | undefined): { [P in K]?: V } {
  return (value === undefined || value === null ? {} : { [key]: value }) as { [P in K]?: V };
}

function must<K extends keyof StoredJob>(job: StoredJob, key: K): NonNullable<StoredJob[K]> {
  const value = job[key];
  if (value === undefined || value === null) throw new Error(`job ${job._id} is ${job.status} without ${key}`);
  return value;
}
