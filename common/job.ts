/**
 * The wire form of a conversion job, the same in responses, snapshots and events.
 * The union on `status` makes reading a field that a state does not have a type error.
 */
import { z } from "zod";
import { ConversionChoices, transcriptKindOf } from "./choices.ts";
import { WireConversionErrorCode } from "./error-codes.ts";
import { FINDINGS, unlessNewer, type FileKind } from "./findings.ts";
import { WireReason } from "./reasons.ts";
import { Receipt } from "./receipt.ts";
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
  ...FINDINGS,
  /** Whole percent of the attempt, 0 to 100; 100 only when completed. */
  progress: z.number().min(0).max(100),
  /** Starts at 1 and grows by 1 each time the job starts over. */
  attempt: z.number().int().min(1),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  durationSeconds: z.number().positive().optional(),
  /** Left out when nothing was chosen beside the format, and in a job of a newer build with choices unknown here. */
  choices: unlessNewer(ConversionChoices),
  /** A path on this site, never a URL of the video site. */
  thumbnailUrl: z.string().optional(),
  batchId: z.string().optional(),
  /** For jobs chosen from a list: its title, and how many jobs the batch has once all of them are queued. */
  batchTitle: z.string().optional(),
  batchTotal: z.number().int().positive().optional(),
  /** Position of the job among all of the batch, from 0. */
  batchPosition: z.number().int().min(0).optional(),
  /** Of a tape, which joins the files of a batch: which batch, and how many of its jobs have not ended yet. */
  tape: unlessNewer(z.object({ batchId: z.string(), songs: z.number(), waitsFor: z.number().optional() })),
  /** What is said of the result, in English; a job of an earlier version has only this. */
  note: z.string().optional(),
};

/**
 * Set while the job waits because the video site asked for it: when it goes on. A queued job is then tried again; one
 * that a worker has goes on where it is.
 */
const resumesAt = z.iso.datetime().optional();

/** The job waits because the video site has changed, and the server looks for a newer yt-dlp. */
const isCatchingUpField = unlessNewer(z.literal(true));

export const QueuedJob = z.object({ ...base, status: z.literal("queued"), resumesAt, isCatchingUp: isCatchingUpField });
export const PendingJob = z.object({ ...base, status: z.literal("pending"), resumesAt });
export const ProcessingJob = z.object({
  ...base,
  resumesAt,
  status: z.literal("processing"),
  stage: Stage,
  /** Estimated time left; absent until there is an estimate, and while the job waits. */
  etaSeconds: z.number().min(0).optional(),
  /** Download speed, while downloading. */
  bytesPerSecond: z.number().min(0).optional(),
  /** Present once the file may be downloaded while it is made. */
  downloadUrl: z.string().optional(),
});
export const CompletedJob = z.object({
  ...base,
  status: z.literal("completed"),
  /** Size in bytes. */
  fileSize: z.number().int().positive(),
  expiresAt: z.iso.datetime(),
  /** Left out for a file that was there already. */
  receipt: unlessNewer(Receipt),
  /** The file was deleted because the operator has blocked its video. */
  isBlocked: z.boolean().optional(),
  /** Present only while the file exists. */
  downloadUrl: z.string().optional(),
});
export const FailedJob = z.object({
  ...base,
  status: z.literal("failed"),
  error: z.object({ code: WireConversionErrorCode, message: z.string(), reason: WireReason }),
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

/** Marks a job whose format was added by a newer build. */
const JobOfNewerBuild = z
  .object({ format: z.string().refine((format) => !(Format.options as readonly string[]).includes(format)) })
  .transform(() => []);

/** Jobs on the wire; those of formats that this build does not know are left out. */
export const WireJobs = z
  .array(z.union([Job.transform((job) => [job]), JobOfNewerBuild]))
  .transform((jobs): Job[] => jobs.flat());

/** @returns what a finished file is; undefined while that is not known */
export function fileKindOf({
  format,
  fileKind,
  choices,
}: Pick<Job, "format" | "fileKind" | "choices">): FileKind | undefined {
  if (format === "transcript") return transcriptKindOf(choices);
  return format === "original" ? fileKind : format;
}

/** @returns when a job goes on that waits for the video site */
export function resumesAtOf(job: Job): string | undefined {
  return "resumesAt" in job ? job.resumesAt : undefined;
}

/** @returns whether a job waits for a newer tool rather than for the video site */
export function isCatchingUp(job: Job): boolean {
  return "isCatchingUp" in job && job.isCatchingUp === true;
}

/** Whether the job has not ended yet; an active job can be canceled. */
export function isActive(status: JobStatus): boolean {
  return status === "queued" || status === "pending" || status === "processing";
}

/** Whether the job is queued or pending; users see both as "waiting". */
export function isWaiting(status: JobStatus): boolean {
  return status === "queued" || status === "pending";
}
