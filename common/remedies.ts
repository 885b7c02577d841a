/** What can help after a conversion has failed, or a preview shows that it would fail. */
import { REMEDIES, type ConversionErrorCode, type ErrorBody, type ErrorCode, type Remedy } from "./error-codes.ts";
import type { Job } from "./job.ts";
import type { Reason } from "./reasons.ts";
import { isSameInAllTiers, qualityFor, TIERS, type Tier } from "./tiers.ts";

/** Requests that may pass in a moment. */
const PASSING: ReadonlySet<ErrorCode> = new Set(["rate_limited", "network_busy", "queue_full", "unavailable_now"]);

const isForRetry = (remedy: Remedy): boolean => remedy === "again" || remedy === "retry";

type FailedJob = Extract<Job, { status: "failed" }>;

/** Whether a preview's failure means that a conversion of the same link fails too. */
export function isCertainToFail(code: ErrorCode): boolean {
  const remedy = code in REMEDIES ? REMEDIES[code as ConversionErrorCode] : "retry";
  return !isForRetry(remedy);
}

/** Whether a preview that has failed may succeed later. @param error null if there was no answer */
export function canRetryPreview(error: Pick<ErrorBody, "code"> | null): boolean {
  if (error === null || PASSING.has(error.code)) return true;
  const remedy = error.code in REMEDIES ? REMEDIES[error.code as ConversionErrorCode] : "other_link";
  return isForRetry(remedy) || remedy === "wait";
}

/** Whether a video is longer than any plan allows. */
export function isLongerThanPro(durationSeconds: number | null | undefined): boolean {
  return (durationSeconds ?? 0) > TIERS.pro.maxDurationSeconds;
}

type Failure = Pick<ErrorBody, "code" | "reason">;

/**
 * Whether a video is beyond a limit of the visitor's plan. Other errors with the same code, such as "too large to open",
 * are about limits that all plans have; their reason says so.
 */
export function isPlanLimit({ code, reason }: Failure): boolean {
  return (code === "too_long" || code === "too_large") && (reason === undefined || proLimitOf(reason) !== undefined);
}

/** @returns the limit of Pro that a reason names; null where Pro has none that is enough; undefined for another reason */
function proLimitOf(reason: Reason | undefined): number | null | undefined {
  switch (reason?.name) {
    case "longer_than_plan":
      return reason.proMaxSeconds;
    case "result_too_large":
    case "file_too_large":
    case "source_too_large":
      return reason.proMaxBytes;
    default:
      return undefined;
  }
}

/** Whether it is possible that Pro takes a video that is beyond a limit. Without a reason no size is known. */
export function mayFitPro(failure: Failure, durationSeconds: number | null | undefined): boolean {
  return isPlanLimit(failure) && !isLongerThanPro(durationSeconds) && proLimitOf(failure.reason) !== null;
}

/**
 * Whether the job was made with the limits of the free plan: a job keeps the quality of its tier. Where both tiers have
 * the same, only a reason for the free plan names a limit of Pro.
 */
function isOfFreePlan({ format, quality, error }: FailedJob): boolean {
  if (!isSameInAllTiers(format)) return quality !== qualityFor("pro", format);
  return typeof proLimitOf(error.reason) === "number";
}

/** Whether a job has failed at a limit of the free plan that Pro may lift. */
export function isLiftedByPro(job: FailedJob): boolean {
  return isOfFreePlan(job) && mayFitPro(job.error, job.durationSeconds);
}

/** Whether the failure is about the chosen part, and not about the whole video. */
function isAboutPart({ code, reason }: Failure): boolean {
  return code === "part_outside" || reason?.name === "no_text_in_part";
}

/**
 * Whether a part of the video, or another one, may succeed. A part is chosen on the time line, which needs the video's
 * length.
 */
export function isLiftedByPart(failure: Failure, durationSeconds: number | null | undefined): boolean {
  return (isPlanLimit(failure) || isAboutPart(failure)) && (durationSeconds ?? 0) > 0;
}

/** Whether a job has failed for want of something that was chosen: a language or chapters that the video does not have. */
export function isLiftedByOtherChoices({ format, error: { code, reason } }: FailedJob): boolean {
  if (code === "no_subtitles") return format !== "transcript" || reason === undefined;
  return code === "no_chapters" || reason?.name === "no_such_sound";
}

/** Whether there is nothing to read in the whole video, which can still be heard. */
function lacksTranscript({ format, error, choices }: FailedJob): boolean {
  return format === "transcript" && error.code === "no_subtitles" && choices?.part === undefined;
}

/** Whether the picture of a video without sound can be had. Its length is all that is known of its size. */
function fitsAsMp4({ format, error, durationSeconds }: FailedJob, tier: Tier): boolean {
  const isSilent = format !== "mp4" && error.reason?.name === "no_sound";
  return isSilent && (durationSeconds ?? 0) <= TIERS[tier].maxDurationSeconds;
}

/** @returns the format in which a failed job may succeed without another choice; null if there is none */
export function otherFormatFor(job: FailedJob, tier: Tier): "mp3" | "mp4" | null {
  if (fitsAsMp4(job, tier)) return "mp4";
  return fitsAsMp3(job, tier) ? "mp3" : null;
}

/** Whether the MP3 of a video that was too large in another format, or has no subtitles, fits the plan by its length. */
function fitsAsMp3(job: FailedJob, tier: Tier): boolean {
  const { maxFileBytes, maxDurationSeconds, mp3BitrateKbps } = TIERS[tier];
  const { durationSeconds } = job;
  return (
    job.format !== "mp3" &&
    (job.error.code === "too_large" || lacksTranscript(job)) &&
    durationSeconds !== undefined &&
    durationSeconds <= maxDurationSeconds &&
    (durationSeconds * mp3BitrateKbps * 1_000) / 8 <= maxFileBytes
  );
}

/**
 * Whether a retry of an ended job can help.
 * @param tier of the visitor now: after an upgrade a retry uses the new limits
 */
export function canRetry(job: Job, tier: Tier): boolean {
  if (job.status === "canceled") return true;
  if (job.status !== "failed") return false;
  const remedy = REMEDIES[job.error.code];
  // Other failures with its code pass; this job has stopped three workers, and would stop the next one.
  if (job.error.reason?.name === "stopped_too_often") return false;
  return isForRetry(remedy) || remedy === "wait" || (tier === "pro" && isLiftedByPro(job));
}
