/**
 * What a worker may do with jobs. Every write names the attempt that the worker was given. A worker that was paused,
 * cut off or replaced changes nothing any more; null or false is returned to it.
 */
import type { QueryFilter } from "mongoose";
import { MINUTE_MS } from "../../../common/durations.ts";
import { doublingDelay } from "../../../common/doubling-delay.ts";
import { exactly, SENTENCES, type ConversionErrorCode } from "../../../common/errors.ts";
import { isYouTubeLink } from "../../../common/hosts.ts";
import { NOT_SHARED, type Findings } from "../../../common/findings.ts";
import type { Stage } from "../../../common/job.ts";
import type { Reason } from "../../../common/reasons.ts";
import { TIERS } from "../../../common/tiers.ts";
import {
  fencedBy,
  FINDING_FIELDS,
  moveJob,
  PROGRESS_FIELDS,
  publishJob,
  WORK_FIELDS,
  WORK_FIELDS_BUT_ERROR,
  type Fence,
} from "./change.ts";
import type { Domain } from "../domain.ts";
import { releaseAttemptFiles, releaseReplacedThumbnail } from "./files.ts";
import { changeJob, findJob, isHeld, withFile } from "./find-jobs.ts";
import type {
  CompletedJob,
  FailedJob,
  HeldJob,
  JobDocument,
  JobWithFile,
  PendingJob,
  ProcessingJob,
  QueuedJob,
  StoredJob,
} from "./job-model.ts";
import { withoutLinks } from "./without-links.ts";
import { presentJob } from "./present.ts";
import { ticketOf } from "./ticket-of.ts";
import { countUsage } from "../accounts/usage.ts";
import { audienceOf } from "../accounts/viewer.ts";

/**
 * For writes that the next write soon replaces, such as progress. One server confirms them; if a fail-over loses one, the
 * next has newer values. Three of four writes are of this kind.
 */
const SOON_REPEATED = { writeConcern: { w: 1 } } as const;

/** Visitors hardly wait longer. YouTube limits an address for up to an hour at a time. */
const LONGEST_REFUSAL_MS = 6 * 60 * MINUTE_MS;
/** A wait that is over at once counts as this, so that a job does not go on for ever. */
const LEAST_REFUSAL_MS = MINUTE_MS;

/**
 * How long a job waits each time that the tool fails at a changed site. A newer release is looked for meanwhile, which
 * takes minutes where there is one. Sites that break yt-dlp are often mended within hours, but visitors are told soon.
 */
const TOOL_WAITS_MS: readonly number[] = [5 * MINUTE_MS, 15 * MINUTE_MS, 40 * MINUTE_MS];
/** Other sites are read by extractors that are mended within weeks, if at all. */
const OTHER_SITES_WAITS_MS: readonly number[] = [5 * MINUTE_MS];

/** After this many worker deaths the job itself may be the cause, so it runs alone. */
const DEATHS_BEFORE_ALONE = 2;
/** The last of these deaths happened while the job ran alone, so the job is the cause and is not tried again. */
const MAX_DEATHS = 3;

/** @returns whether no other job may run in the same process as this one */
export function mustRunAlone({ workerDeaths = 0 }: Pick<StoredJob, "workerDeaths">): boolean {
  return workerDeaths >= DEATHS_BEFORE_ALONE;
}

/**
 * Gives a queued job to a worker until the lease ends.
 * @returns null when the job has another worker or has ended
 */
export async function claimJob(domain: Domain, jobId: string, workerId: string): Promise<PendingJob | null> {
  return moveJob(domain, { _id: jobId }, "pending", {
    $set: { workerId, leaseExpiresAt: leaseEnd(domain), progress: 0 },
    // Sets the field only where it is missing.
    $min: { firstClaimedAt: new Date() },
    $unset: { exit: 1, ...PROGRESS_FIELDS, ...FINDING_FIELDS },
  });
}

/** Extends the job's lease. @returns false when the job is no longer the caller's */
export async function renewLease(domain: Domain, fence: Fence): Promise<boolean> {
  const { matchedCount } = await domain.jobs.updateOne(
    fencedBy(fence),
    { $set: { leaseExpiresAt: leaseEnd(domain) } },
    SOON_REPEATED,
  );
  return matchedCount === 1;
}

/** What becomes known about a job's video and result while a worker has it. */
export type JobDetails = Findings &
  Partial<
    Pick<
      StoredJob,
      "title" | "durationSeconds" | "thumbnailKey" | "chapters" | "note" | "subjects" | "videoKey" | "video" | "exit"
    >
  > & {
    /** Name of the file that may be downloaded while it is made; null when it may not be any more. */
    earlyName?: string | null;
  };

export interface ProgressUpdate {
  readonly stage: Stage;
  /** Of the whole attempt, 0 to 99. */
  readonly progress: number;
  readonly etaSeconds?: number;
  readonly bytesPerSecond?: number;
}

/** @returns the change that stores a progress, without what the last one had beside it; none for no progress */
function progressChange(update: ProgressUpdate | undefined) {
  const $unset: Record<string, 1> = {};
  if (update && update.etaSeconds === undefined) $unset["etaSeconds"] = 1;
  if (update && update.bytesPerSecond === undefined) $unset["bytesPerSecond"] = 1;
  return { $set: { ...update, updatedAt: new Date() }, $unset };
}

/**
 * Stores and publishes what has become known about the video.
 * @param progress of a job that is processing: what was stored of it is older than what browsers show
 * @returns null when the job is no longer the caller's
 */
export async function describeJob(
  domain: Domain,
  fence: Fence,
  about: JobDetails,
  progress?: ProgressUpdate,
): Promise<HeldJob | null> {
  const { earlyName, ...known } = about;
  const change = progressChange(progress);
  const $set = { ...known, ...(typeof earlyName === "string" ? { earlyName } : {}), ...change.$set };
  const $unset = { ...change.$unset, ...(earlyName === null ? { earlyName: 1 } : {}) };
  const before = await changeHeld(domain, fencedBy(fence), { $set, $unset }, { returns: "before" });
  if (!before) return null;
  const job = { ...before, ...$set };
  for (const name of Object.keys($unset)) Reflect.deleteProperty(job, name);
  publishJob(domain, job);
  await releaseReplacedThumbnail(domain, before, about.thumbnailKey);
  return job;
}

/**
 * Moves a claimed job from pending to processing.
 * @returns null when the job is no longer the caller's
 */
export async function beginProcessing(
  domain: Domain,
  fence: Fence,
  update: ProgressUpdate,
): Promise<ProcessingJob | null> {
  return moveJob(domain, { _id: fence._id, attempt: fence.attempt, status: "pending" }, "processing", {
    $set: { ...update, leaseExpiresAt: leaseEnd(domain) },
  });
}

/**
 * Stores and publishes until when a claimed job waits because the video site asked for it.
 * @param resumesAt null: it goes on
 * @param progress of a job that is processing; it must not be behind what was pushed, because browsers ignore versions
 *   with less progress
 * @returns null when the job is no longer the caller's
 */
export async function pauseJob(
  domain: Domain,
  fence: Fence,
  resumesAt: Date | null,
  progress: ProgressUpdate | undefined,
): Promise<HeldJob | null> {
  const { $set, $unset } = progressChange(progress);
  const update = resumesAt ? { $set: { ...$set, resumesAt }, $unset } : { $set, $unset: { ...$unset, resumesAt: 1 } };
  const job = await changeHeld(domain, fencedBy(fence), update);
  if (job) publishJob(domain, job);
  return job;
}

/**
 * Stores a job's progress without publishing it.
 * @returns the job as it is now, because its owner may have signed in meanwhile; null when it is no longer the caller's
 */
export async function saveProgress(domain: Domain, fence: Fence, update: ProgressUpdate): Promise<HeldJob | null> {
  return changeHeld(domain, { ...fencedBy(fence), status: "processing" }, progressChange(update), SOON_REPEATED);
}

async function changeHeld(...change: Parameters<typeof changeJob>): Promise<HeldJob | null> {
  const job = await changeJob(...change);
  return job && isHeld(job) ? job : null;
}

/**
 * Publishes a job's progress without storing it.
 * @param job as it was last read or written
 */
export function pushProgress(domain: Domain, job: ProcessingJob, update: ProgressUpdate): void {
  const { etaSeconds: _eta, bytesPerSecond: _speed, ...rest } = job;
  const current: ProcessingJob = { ...rest, ...update, updatedAt: new Date() };
  domain.bus.publish("job", { audience: audienceOf(job), job: presentJob(current) });
}

/** @returns when the file of a job that is completed now may be deleted */
export function expiryOf(tier: StoredJob["tier"], now: Date): Date {
  return new Date(now.getTime() + TIERS[tier].retentionSeconds * 1_000);
}

/**
 * Completes a job in one atomic write.
 * @param tier decides how long the file is kept
 * @returns null when the job is no longer the caller's, and then the file is not the job's either
 */
export async function finishJob(
  domain: Domain,
  fence: Fence,
  file: Findings &
    Pick<JobWithFile, "durationSeconds" | "chapters" | "note" | "isRepeat" | "fileKey" | "fileSize" | "receipt">,
  tier: StoredJob["tier"],
): Promise<CompletedJob | null> {
  const now = new Date();
  const completed = await moveJob(domain, { _id: fence._id, attempt: fence.attempt }, "completed", {
    $set: {
      ...file,
      progress: 100,
      completedAt: now,
      expiresAt: expiryOf(tier, now),
    },
    $unset: { ...PROGRESS_FIELDS, workerId: 1, leaseExpiresAt: 1, error: 1, resumesAt: 1 },
  });
  // The job is completed even if its usage could not be counted; the sweeper counts it later.
  if (completed) await countUsage(domain, completed).catch(() => undefined);
  return completed;
}

/** Why a job fails, beside the code. */
export interface FailureDetails {
  /** Shown to the visitor. */
  readonly message?: string;
  /** The message with its figures, for pages in other languages. */
  readonly reason?: Reason | undefined;
  /** What the tool said, for operators; may hold links. */
  readonly words?: string | undefined;
}

/**
 * Ends a job with an error.
 * @returns null when the job is no longer the caller's
 */
export async function failJob(
  domain: Domain,
  fence: Fence,
  code: ConversionErrorCode,
  { message = SENTENCES[code], reason, words }: FailureDetails = {},
): Promise<FailedJob | null> {
  const error: FailedJob["error"] = { code, message };
  if (reason) error.reason = reason;
  if (words !== undefined) error.words = withoutLinks(words);
  return moveJob(domain, { _id: fence._id, attempt: fence.attempt }, "failed", {
    $set: { error },
    $unset: WORK_FIELDS_BUT_ERROR,
  });
}

/**
 * Queues a job again after a transient failure, with a back-off that doubles each time. When no attempt is left, the
 * job fails with this error.
 * @returns null when the job is no longer the caller's
 */
export async function startOver(
  domain: Domain,
  job: StoredJob,
  code: ConversionErrorCode,
  details: FailureDetails = {},
): Promise<StoredJob | null> {
  if (job.attempt >= job.finalAttempt) return failJob(domain, job, code, details);
  const startsSoFar = domain.limits.maxAttempts - (job.finalAttempt - job.attempt);
  const runAtMs = Date.now() + doublingDelay(Math.max(0, startsSoFar - 1), domain.limits.retryBackoffMs);
  return requeue(domain, job, job.finalAttempt, runAtMs);
}

/**
 * Queues a job again because its worker stops. This uses up no attempt, because the job did not fail.
 * @returns null when the job is no longer the caller's
 */
export async function handBack(domain: Domain, job: StoredJob): Promise<StoredJob | null> {
  return requeue(domain, job, job.finalAttempt + 1);
}

/**
 * Queues a job until the video site may be asked again. This uses up no attempt. A job that the site has refused for
 * hours fails; its retry by the visitor may wait as long again. A job that waits for its turn does not fail.
 * @param untilMs when it is tried again, in milliseconds since 1970
 * @param isRefusal whether the site refuses us; else only the operator's budget is used up
 * @returns null when the job is no longer the caller's
 */
export async function waitForSite(
  domain: Domain,
  job: StoredJob,
  untilMs: number,
  isRefusal: boolean,
): Promise<StoredJob | null> {
  const { waitsSince = new Date(), refusedMs: before = 0 } = job;
  const refusedMs = isRefusal ? before + Math.max(LEAST_REFUSAL_MS, untilMs - Date.now()) : before;
  if (refusedMs > LONGEST_REFUSAL_MS) return failJob(domain, job, "busy");
  const resumesAt = new Date(untilMs);
  return requeue(domain, job, job.finalAttempt + 1, untilMs, { resumesAt, waitsSince, refusedMs });
}

/**
 * Queues a job that failed because the video site has changed, while a newer tool is looked for. This uses up no
 * attempt. After an hour, or five minutes for a site other than YouTube, the job fails with this error.
 * @returns null when the job is no longer the caller's
 */
export async function waitForTool(
  domain: Domain,
  job: StoredJob,
  details: FailureDetails = {},
): Promise<StoredJob | null> {
  const { waitsSince = new Date(), toolWaits = 0 } = job;
  const waitsMs = isYouTubeLink(job.sourceUrl) ? TOOL_WAITS_MS : OTHER_SITES_WAITS_MS;
  const waitMs = waitsMs[toolWaits];
  if (waitMs === undefined) return failJob(domain, job, "site_changed", details);
  const untilMs = Date.now() + waitMs;
  const wait = { resumesAt: new Date(untilMs), isCatchingUp: true, waitsSince, toolWaits: toolWaits + 1 } as const;
  return requeue(domain, job, job.finalAttempt + 1, untilMs, wait);
}

/** Lets the jobs go on that wait for a newer tool, because there is one. Several processes may do so. */
export async function resumeCaughtUp(domain: Domain): Promise<void> {
  const waiting = await domain.jobs
    .find({ status: "queued", isCatchingUp: true }, { _id: 1 })
    .lean<{ _id: string }[]>();
  for (const { _id } of waiting) {
    const job = await changeJob(
      domain,
      { _id, status: "queued", isCatchingUp: true },
      { $set: { updatedAt: new Date() }, $unset: { resumesAt: 1, isCatchingUp: 1 } },
    );
    if (!job) continue;
    publishJob(domain, job);
    await domain.tickets.remove(_id);
    await domain.tickets.enqueue(ticketOf(job));
  }
}

/**
 * Requeues a job whose worker died, and counts the death. (A worker that stops in an orderly way hands its jobs
 * back instead.) After the last attempt or the third death the job fails.
 * @returns the job as it is now; null when it was no longer held
 */
export async function recordDeath(domain: Domain, job: StoredJob): Promise<StoredJob | null> {
  const moved = await requeueOrFail(domain, { ...job, workerDeaths: (job.workerDeaths ?? 0) + 1 });
  // If the worker was only paused, it deletes what it stores from now on.
  if (moved) await releaseAttemptFiles(domain, job);
  return moved;
}

function requeueOrFail(domain: Domain, job: StoredJob & { workerDeaths: number }): Promise<StoredJob | null> {
  if (job.workerDeaths >= MAX_DEATHS) return failJob(domain, job, "internal", exactly("stopped_too_often"));
  if (job.attempt >= job.finalAttempt) return failJob(domain, job, "internal");
  return requeue(domain, job, job.finalAttempt);
}

async function requeue(
  domain: Domain,
  job: StoredJob,
  finalAttempt: number,
  runAtMs?: number,
  wait: Pick<QueuedJob, "resumesAt" | "isCatchingUp" | "waitsSince" | "refusedMs" | "toolWaits"> = {},
): Promise<QueuedJob | null> {
  const { workerDeaths } = job;
  // A field cannot be set and unset in one write.
  const unset = Object.fromEntries(Object.entries(WORK_FIELDS).filter(([field]) => !(field in wait)));
  const queued = await moveJob(domain, fencedBy(job), "queued", {
    $set: {
      attempt: job.attempt + 1,
      finalAttempt,
      progress: 0,
      ...(workerDeaths === undefined ? {} : { workerDeaths }),
      ...wait,
    },
    $unset: unset,
  });
  if (!queued) return null;
  await domain.tickets.remove(job._id);
  await domain.tickets.enqueue({ ...ticketOf(job), runAtMs });
  return queued;
}

/** A video by its site's id, as a request that one file answers. */
export interface SameVideoRequest {
  /** Code of the video, by which jobs are found. */
  readonly subject: string;
  readonly videoKey: string;
}

/** @returns the completed job whose file answers the same request and is kept longest */
export const findReusable = (domain: Domain, job: Pick<StoredJob, "conversionKey">): Promise<JobWithFile | null> =>
  findShared(domain, { conversionKey: job.conversionKey });

/** Like {@link findReusable}, for a video to which another link may have led. */
export const findSameVideo = (domain: Domain, { subject, videoKey }: SameVideoRequest): Promise<JobWithFile | null> =>
  findShared(domain, { subjects: subject, videoKey });

/** A repeat is left out until its usage is counted: only then it is sure that it has its file, see stored-repeat.ts. */
async function findShared(domain: Domain, request: QueryFilter<JobDocument>): Promise<JobWithFile | null> {
  const canBeShared = {
    ...request,
    ...withFile(new Date()),
    ...Object.fromEntries(NOT_SHARED.map((name) => [name, { $ne: true }])),
    $nor: [{ isRepeat: true, isUsageCounted: { $ne: true } }],
  };
  const found = await findJob(domain, canBeShared, { sort: { expiresAt: -1 } });
  return found?.status === "completed" && found.fileKey !== undefined ? { ...found, fileKey: found.fileKey } : null;
}

function leaseEnd(domain: Domain): Date {
  return new Date(Date.now() + domain.limits.leaseMs);
}
