/**
 * The wire form of a conversion job, the same in responses, snapshots and events.
 * The union on `status` makes reading a field that a state does not have a type error.
 */
import { z } from "zod";
import { WireConversionErrorCode } from "./errors.ts";
import { Format, Quality } from "./tiers.ts";

export const JobStatus = z.enum(["queued", "pending", "processing", "completed", "failed", "canceled"]);
export type JobStatus = z.infer<typeof JobStatus>;

/** The step that a worker is at while a job is processing. */
export const Stage = z.enum(["download", "convert", "store"]);
export type Stage = z.infer<typeof Stage>;

const base = {
  id: z.string().min(1),
  /** The video's title; the link itself until the metadata has been read. */
  title: z.string(),
  format: Format,
  quality: Quality,
  /** Whole percent of the attempt, 0 to 100; 100 only when completed. */
  progress: z.number().min(0).max(100),
  /** Starts at 1 and grows by 1 each time the job starts over. */
  attempt: z.number().int().min(1),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  durationSeconds: z.number().positive().optional(),
  /** A path on this site, never a URL of the video site. */
  thumbnailUrl: z.string().optional(),
  batchId: z.string().optional(),
  /** A remark on the result, such as "360p to fit 50 MB". */
  note: z.string().optional(),
};

export const QueuedJob = z.object({
  ...base,
  status: z.literal("queued"),
  /** Set while the job waits because the video site asked for it: when it is tried again. */
  resumesAt: z.iso.datetime().optional(),
});
export const PendingJob = z.object({ ...base, status: z.literal("pending") });
export const ProcessingJob = z.object({
  ...base,
  status: z.literal("processing"),
  stage: Stage,
  /** Estimated time left; absent until there is an estimate. */
  etaSeconds: z.number().min(0).optional(),
  /** Download speed, while downloading. */
  bytesPerSecond: z.number().min(0).optional(),
});
export const CompletedJob = z.object({
  ...base,
  status: z.literal("completed"),
  /** Size in bytes. */
  fileSize: z.number().int().positive(),
  expiresAt: z.iso.datetime(),
  /** Present only while the file exists. */
  downloadUrl: z.string().optional(),
});
export const FailedJob = z.object({
  ...base,
  status: z.literal("failed"),
  error: z.object({ code: WireConversionErrorCode, message: z.string() }),
});
export const CanceledJob = z.object({ ...base, status: z.literal("canceled") });

export const Job = z.discriminatedUnion("status", [
  QueuedJob,
  PendingJob,
  ProcessingJob,
  CompletedJob,
  FailedJob,
  CanceledJob,
]);
export type Job = z.infer<typeof Job>;

/** Whether the job has not ended yet; an active job can be canceled. */
export function isActive(status: JobStatus): boolean {
  return status === "queued" || status === "pending" || status === "processing";
}

/** Whether the job is queued or pending; users see both as "waiting". */
export function isWaiting(status: JobStatus): boolean {
  return status === "queued" || status === "pending";
}
