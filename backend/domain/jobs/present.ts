/** The presenter: the one place where a stored job becomes its wire form, for responses, snapshots and events. */
import { EXACT_SENTENCES } from "../../../common/errors.ts";
import { FINDING_WORDS } from "../../../common/finding-words.ts";
import { findingsOf } from "../../../common/findings.ts";
import type { Job } from "../../../common/job.ts";
import { EXACT_REASONS, type Reason } from "../../../common/reasons.ts";
import { remarksOn } from "../../../common/remarks.ts";
import { describeShortfall } from "../../../common/shortfall.ts";
import type { CompletedJob, FailedJob, HeldJob, QueuedJob, StoredJob } from "./job-model.ts";

/**
 * Turns a stored job into its wire form.
 * @param nowMs decides whether the file has expired; an expired file has no download address, even before the sweeper
 *   deletes it
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
    ...findingsOf(job),
    ...optional("choices", job.choices),
    ...optional("durationSeconds", job.durationSeconds),
    ...optional("batchId", job.batchId),
    ...optional("batchTitle", job.batchTitle),
    ...optional("batchTotal", job.batchTotal),
    ...optional("batchPosition", job.batchPosition),
    ...optional("tape", job.tape),
    ...optional("note", noteOf(job)),
    // The attempt is part of the address because thumbnails are cached and each attempt stores its own.
    ...(job.thumbnailKey ? { thumbnailUrl: `/api/conversions/${job._id}/thumbnail?attempt=${job.attempt}` } : {}),
  };
  switch (job.status) {
    case "queued":
      return { ...base, status: job.status, ...resumesAtOf(job), ...optional("isCatchingUp", job.isCatchingUp) };
    case "pending":
      return { ...base, status: job.status, ...resumesAtOf(job) };
    case "canceled":
      return { ...base, status: job.status };
    case "processing":
      return {
        ...base,
        status: job.status,
        stage: job.stage,
        ...(job.earlyName === undefined ? {} : { downloadUrl: downloadUrlOf(job) }),
        // The estimates do not know of the wait.
        ...(job.resumesAt
          ? resumesAtOf(job)
          : { ...optional("etaSeconds", job.etaSeconds), ...optional("bytesPerSecond", job.bytesPerSecond) }),
      };
    case "failed":
      return {
        ...base,
        status: job.status,
        error: presentError(job.error),
      };
    case "completed":
      return {
        ...base,
        status: job.status,
        fileSize: job.fileSize,
        expiresAt: job.expiresAt.toISOString(),
        ...optional("receipt", job.receipt),
        ...(job.isBlocked === true ? { isBlocked: true } : {}),
        ...(hasFile(job, nowMs) ? { downloadUrl: downloadUrlOf(job) } : {}),
      };
  }
}

function resumesAtOf({ resumesAt }: QueuedJob | HeldJob): { resumesAt?: string } {
  return optional("resumesAt", resumesAt?.toISOString());
}

function downloadUrlOf({ _id }: StoredJob): string {
  return `/api/conversions/${_id}/file`;
}

/** @returns the remarks about the result in English */
function noteOf(job: StoredJob): string | undefined {
  return job.note ?? (remarksOn(job, FINDING_WORDS, describeShortfall).join("; ") || undefined);
}

/** @returns whether a completed job's file may still be downloaded */
export function hasFile({ isExpired, expiresAt }: CompletedJob, nowMs: number): boolean {
  return isExpired !== true && expiresAt.getTime() > nowMs;
}

/** Jobs of earlier versions are stored without the reasons of fixed sentences. */
const REASON_OF_SENTENCE = new Map<string, Reason>(EXACT_REASONS.map((name) => [EXACT_SENTENCES[name], { name }]));

function presentError({ code, message, reason }: FailedJob["error"]) {
  return { code, message, ...optional("reason", reason ?? REASON_OF_SENTENCE.get(message)) };
}

/** Leaves the key out when there is no value: the wire format has no null, and its tests accept no undefined. */
function optional<K extends string, V>(key: K, value: V | null | undefined): { [P in K]?: V } {
  return (value === undefined || value === null ? {} : { [key]: value }) as { [P in K]?: V };
}
