/** Versions of one job as they are pushed, in any order. */
import { constantFrom, integer, record } from "fast-check";
import { Job, type JobStatus } from "../../../common/job.ts";
import { compareStatus } from "../../../common/merge.ts";

export const START_MS = Date.UTC(2026, 0, 1);

export interface Version {
  readonly status: JobStatus;
  readonly attempt?: number;
  readonly progress?: number;
  readonly updatedMs?: number;
  readonly title?: string;
  readonly thumbnailUrl?: string | undefined;
  readonly etaSeconds?: number;
}

export function version({
  status,
  attempt = 1,
  progress = 0,
  updatedMs = 0,
  title = "a link",
  thumbnailUrl,
  etaSeconds,
}: Version): Job {
  return Job.parse({
    id: "a",
    title,
    format: "mp3",
    quality: "128kbps",
    attempt,
    status,
    createdAt: new Date(START_MS).toISOString(),
    updatedAt: new Date(START_MS + updatedMs).toISOString(),
    progress: status === "completed" ? 100 : status === "queued" || status === "pending" ? 0 : progress,
    ...(thumbnailUrl === undefined ? {} : { thumbnailUrl }),
    ...(status === "processing" ? { stage: "download", ...(etaSeconds === undefined ? {} : { etaSeconds }) } : {}),
    ...(status === "completed" ? { fileSize: 1, expiresAt: new Date(START_MS).toISOString() } : {}),
    ...(status === "failed" ? { error: { code: "network", message: "No." } } : {}),
  });
}

export const versions = record({
  status: constantFrom<JobStatus>(
    "queued",
    "pending",
    "processing",
    "processing",
    "processing",
    "completed",
    "failed",
    "canceled",
  ),
  attempt: integer({ min: 1, max: 3 }),
  progress: integer({ min: 0, max: 99 }),
  updatedMs: integer({ min: 0, max: 20 }),
  title: constantFrom("a link", "A title"),
  thumbnailUrl: constantFrom(undefined, "/picture"),
  etaSeconds: integer({ min: 0, max: 9 }),
}).map(version);

/** Whether `job` may be sent after `before`. */
export function isForward(before: Job, job: Job): boolean {
  return compareStatus(job, before) >= 0 && (job.attempt > before.attempt || job.progress >= before.progress);
}
