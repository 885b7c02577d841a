/**
 * What a worker may do with jobs. Every write names the attempt it was handed: a worker that was
 * paused, cut off or replaced changes nothing any more and learns so from a null or a false.
 */
import { SENTENCES, type ConversionErrorCode } from "../../../common/errors.ts";
import type { Stage } from "../../../common/job.ts";
import { TIERS } from "../../../common/tiers.ts";
import { announce, moveJob, WORK_FIELDS } from "./change.ts";
import type { Domain } from "../domain.ts";
import { releaseAttempt, releaseFile, releaseReplacedPicture } from "./files.ts";
import { held, type Fence } from "./held.ts";
import type { StoredJob } from "./job-model.ts";
import { presentJob } from "./present.ts";
import { countUsage } from "../accounts/usage.ts";
import { audienceOf } from "../accounts/viewer.ts";

/**
 * The next one makes it good should a fail-over lose it, so one server's word is enough: three of four writes are
 * these.
 */
const SOON_REPEATED = { writeConcern: { w: 1 } } as const;

/** A job that was held by so many workers when they died may be what killed them: it runs with no other beside it. */
const DEATHS_BEFORE_ALONE = 2;
/** With the third one it was alone, and is not tried again. */
const MAX_DEATHS = 3;
const DIED_TOO_OFTEN = "Our server stopped three times while it worked on this video. Contact us if you need it.";

/** @returns whether no other job may run in the same process as this one */
export function mustRunAlone({ workerDeaths = 0 }: Pick<StoredJob, "workerDeaths">): boolean {
  return workerDeaths >= DEATHS_BEFORE_ALONE;
}

/** Takes a queued job: it is the worker's until the lease ends. Null: somebody else has it, or it is over. */
export async function claimJob(domain: Domain, jobId: string, workerId: string): Promise<StoredJob | null> {
  return moveJob(domain, { _id: jobId }, "pending", {
    $set: { workerId, leaseExpiresAt: leaseEnd(domain), progress: 0 },
    $unset: { stage: 1, etaSeconds: 1, bytesPerSecond: 1, error: 1, note: 1 },
  });
}

/** Extends the lease. False: the job is no longer the caller's. */
export async function renewLease(domain: Domain, fence: Fence): Promise<boolean> {
  const { matchedCount } = await domain.jobs.updateOne(
    held(fence),
    { $set: { leaseExpiresAt: leaseEnd(domain) } },
    SOON_REPEATED,
  );
  return matchedCount === 1;
}

/** What has become known about the video, at once for everybody to see. */
export async function describeJob(
  domain: Domain,
  fence: Fence,
  about: { title?: string; durationSeconds?: number; thumbnailKey?: string; note?: string },
): Promise<StoredJob | null> {
  const changes = { ...about, updatedAt: new Date() };
  const before = await domain.jobs
    .findOneAndUpdate(held(fence), { $set: changes }, { returnDocument: "before" })
    .lean<StoredJob>();
  if (!before) return null;
  const job = { ...before, ...changes };
  announce(domain, job);
  await releaseReplacedPicture(domain, before, about.thumbnailKey);
  return job;
}

export interface ProgressUpdate {
  readonly stage: Stage;
  /** Of the whole attempt, 0 to 99. */
  readonly progress: number;
  readonly etaSeconds?: number;
  readonly bytesPerSecond?: number;
}

/** From waiting to working. */
export async function beginProcessing(domain: Domain, fence: Fence, update: ProgressUpdate): Promise<StoredJob | null> {
  return moveJob(domain, { _id: fence._id, attempt: fence.attempt, status: "pending" }, "processing", {
    $set: { ...update, leaseExpiresAt: leaseEnd(domain) },
  });
}

/**
 * Stores how far a job is, without telling anybody. Null: the job is no longer the caller's.
 * @returns the job as it is now: its owner may have signed in meanwhile
 */
export async function saveProgress(domain: Domain, fence: Fence, update: ProgressUpdate): Promise<StoredJob | null> {
  return domain.jobs
    .findOneAndUpdate(
      { ...held(fence), status: "processing" },
      { $set: { ...update, updatedAt: new Date() }, $unset: absent(update) },
      { returnDocument: "after", ...SOON_REPEATED },
    )
    .lean<StoredJob>();
}

/** Tells how far a job is, without storing it. `job` is the job as last read or written. */
export function pushProgress(domain: Domain, job: StoredJob, update: ProgressUpdate): void {
  const { etaSeconds: _eta, bytesPerSecond: _speed, ...rest } = job;
  const current: StoredJob = { ...rest, ...update, status: "processing", updatedAt: new Date() };
  domain.bus.publish("job", { audience: audienceOf(job), job: presentJob(current) });
}

/** The one atomic end of a success. Null: the job is no longer the caller's, and neither is the file. */
export async function finishJob(
  domain: Domain,
  fence: Fence,
  file: { fileKey: string; fileSize: number; durationSeconds?: number; note?: string; isRepeat?: boolean },
  tier: StoredJob["tier"],
): Promise<StoredJob | null> {
  const now = new Date();
  const completed = await moveJob(domain, { _id: fence._id, attempt: fence.attempt }, "completed", {
    $set: {
      ...file,
      progress: 100,
      completedAt: now,
      expiresAt: new Date(now.getTime() + TIERS[tier].retentionSeconds * 1_000),
    },
    $unset: { stage: 1, etaSeconds: 1, bytesPerSecond: 1, workerId: 1, leaseExpiresAt: 1, error: 1 },
  });
  // The file is there whether or not it could be counted; the sweeper counts what is missing.
  if (completed) await countUsage(domain, completed).catch(() => undefined);
  return completed;
}

/** The end of an attempt that failed for good. */
export async function failJob(
  domain: Domain,
  fence: Fence,
  code: ConversionErrorCode,
  message: string = SENTENCES[code],
): Promise<StoredJob | null> {
  return moveJob(domain, { _id: fence._id, attempt: fence.attempt }, "failed", {
    $set: { error: { code, message } },
    $unset: { stage: 1, etaSeconds: 1, bytesPerSecond: 1, workerId: 1, leaseExpiresAt: 1, note: 1, fileKey: 1 },
  });
}

/**
 * Starts a job over after a failure that may pass: later, or not at all once its attempts are used
 * up; then it fails with the reason.
 */
export async function startOver(
  domain: Domain,
  job: StoredJob,
  code: ConversionErrorCode,
  message?: string,
): Promise<StoredJob | null> {
  if (job.attempt >= job.finalAttempt) return failJob(domain, job, code, message);
  const startsSoFar = domain.limits.maxAttempts - (job.finalAttempt - job.attempt);
  const runAtMs = Date.now() + domain.limits.retryBackoffMs * 2 ** Math.max(0, startsSoFar - 1);
  return requeue(domain, job, job.finalAttempt, runAtMs);
}

/** Gives a job back because its worker is going away: no fault of the job, so no attempt is used up. */
export async function handBack(domain: Domain, job: StoredJob): Promise<StoredJob | null> {
  return requeue(domain, job, job.finalAttempt + 1);
}

/**
 * Starts a job over whose worker died, and counts the death; an orderly stop hands jobs back instead. After the last
 * attempt or the third death the job fails.
 * @returns the job as it is now; null when it was no longer held
 */
export async function recordDeath(domain: Domain, job: StoredJob): Promise<StoredJob | null> {
  const moved = await moveDead(domain, job);
  // A worker that was only paused removes by itself what it stores from now on.
  if (moved) await releaseAttempt(domain, job);
  return moved;
}

function moveDead(domain: Domain, job: StoredJob): Promise<StoredJob | null> {
  const workerDeaths = (job.workerDeaths ?? 0) + 1;
  if (workerDeaths >= MAX_DEATHS) return failJob(domain, job, "internal", DIED_TOO_OFTEN);
  if (job.attempt >= job.finalAttempt) return failJob(domain, job, "internal");
  return requeue(domain, { ...job, workerDeaths }, job.finalAttempt);
}

async function requeue(
  domain: Domain,
  job: StoredJob,
  finalAttempt: number,
  runAtMs?: number,
): Promise<StoredJob | null> {
  const queued = await moveJob(
    domain,
    { _id: job._id, attempt: job.attempt, status: { $in: ["pending", "processing"] } },
    "queued",
    {
      $set: {
        attempt: job.attempt + 1,
        finalAttempt,
        progress: 0,
        ...(job.workerDeaths === undefined ? {} : { workerDeaths: job.workerDeaths }),
      },
      $unset: WORK_FIELDS,
    },
  );
  if (!queued) return null;
  await domain.tickets.remove(job._id);
  await domain.tickets.enqueue({
    jobId: job._id,
    priority: job.priority,
    ...(runAtMs === undefined ? {} : { runAtMs }),
  });
  return queued;
}

/** A finished job whose file answers the same request: the one whose file stays longest. */
export async function findReusable(domain: Domain, job: StoredJob): Promise<StoredJob | null> {
  return domain.jobs
    .findOne({
      conversionKey: job.conversionKey,
      status: "completed",
      isExpired: { $ne: true },
      isGivenUp: { $ne: true },
      expiresAt: { $gt: new Date() },
    })
    .sort({ expiresAt: -1 })
    .lean<StoredJob>();
}

/** Jobs whose worker has been silent for longer than the lease. */
export async function reclaimLost(domain: Domain, now: Date = new Date()): Promise<number> {
  const lost = await domain.jobs
    .find({ status: { $in: ["pending", "processing"] }, leaseExpiresAt: { $lte: now } })
    .lean<StoredJob[]>();
  let reclaimed = 0;
  for (const job of lost) if (await startOverLost(domain, job, now)) reclaimed += 1;
  return reclaimed;
}

/** The same for one job, for whoever holds its ticket. */
export async function reclaimIfLost(domain: Domain, jobId: string): Promise<void> {
  const now = new Date();
  const job = await domain.jobs
    .findOne({ _id: jobId, status: { $in: ["pending", "processing"] }, leaseExpiresAt: { $lte: now } })
    .lean<StoredJob>();
  if (job) await startOverLost(domain, job, now);
}

async function startOverLost(domain: Domain, job: StoredJob, now: Date): Promise<StoredJob | null> {
  // The lease is part of the condition: its worker may have come back while we looked.
  const stillLost = await domain.jobs.updateOne(
    { ...held(job), leaseExpiresAt: { $lte: now } },
    { $set: { leaseExpiresAt: now } },
  );
  if (stillLost.matchedCount === 0) return null;
  return recordDeath(domain, job);
}

/** At the start of a process that is alone: whatever was held, was held by one that is gone. */
export async function reclaimAll(domain: Domain): Promise<number> {
  const held = await domain.jobs.find({ status: { $in: ["pending", "processing"] } }).lean<StoredJob[]>();
  for (const job of held) await recordDeath(domain, job);
  return held.length;
}

/** Queued jobs that lost their ticket, or never got one, get one. */
export async function reissueTickets(domain: Domain, olderThan: Date): Promise<number> {
  const waiting = await domain.jobs
    .find({ status: "queued", updatedAt: { $lte: olderThan } })
    .select({ priority: 1 })
    .lean<StoredJob[]>();
  if (waiting.length === 0) return 0;
  const bare = new Set(await domain.tickets.withoutTicket(waiting.map((job) => job._id)));
  for (const job of waiting)
    if (bare.has(job._id)) await domain.tickets.enqueue({ jobId: job._id, priority: job.priority });
  return bare.size;
}

/**
 * Does the same with each, whatever became of the others: one file that cannot be deleted must not
 * keep the rest for ever.
 * @throws AggregateError of what failed, when all have been tried
 */
async function withEach(jobs: readonly StoredJob[], act: (job: StoredJob) => Promise<void>): Promise<number> {
  const failures: unknown[] = [];
  for (const job of jobs) await act(job).catch((error: unknown) => failures.push(error));
  if (failures.length > 0)
    throw new AggregateError(failures, `${failures.length} of ${jobs.length} jobs could not be dealt with`);
  return jobs.length;
}

/** Deletes the files whose time is up, unless they are another job's too; then says so of their jobs. */
export async function expireFiles(domain: Domain, now: Date = new Date()): Promise<number> {
  const due = await domain.jobs
    .find({ status: "completed", isExpired: { $ne: true }, expiresAt: { $lte: now } })
    .lean<StoredJob[]>();
  return withEach(due, async (job) => {
    await domain.jobs.updateOne({ _id: job._id, status: "completed" }, { $set: { isGivenUp: true } });
    if (job.fileKey !== undefined) await releaseFile(domain, job.fileKey);
    const expired = await domain.jobs
      .findOneAndUpdate(
        { _id: job._id, status: "completed" },
        { $set: { isExpired: true, updatedAt: new Date() } },
        { returnDocument: "after" },
      )
      .lean<StoredJob>();
    if (expired) announce(domain, expired);
  });
}

/** Forgets jobs that ended long ago. */
export async function forgetOldJobs(domain: Domain, now: Date = new Date()): Promise<number> {
  const old = await domain.jobs
    .find({
      status: { $in: ["completed", "failed", "canceled"] },
      updatedAt: { $lte: new Date(now.getTime() - domain.limits.historyMs) },
      $or: [{ status: { $ne: "completed" } }, { isExpired: true }],
    })
    .lean<StoredJob[]>();
  return withEach(old, async (job) => {
    await domain.jobs.deleteOne({ _id: job._id, attempt: job.attempt });
    if (job.thumbnailKey !== undefined) await releaseFile(domain, job.thumbnailKey);
    domain.bus.publish("job:removed", { audience: audienceOf(job), id: job._id });
  });
}

function leaseEnd(domain: Domain): Date {
  return new Date(Date.now() + domain.limits.leaseMs);
}

function absent(update: ProgressUpdate): Record<string, 1> {
  return {
    ...(update.etaSeconds === undefined ? { etaSeconds: 1 as const } : {}),
    ...(update.bytesPerSecond === undefined ? { bytesPerSecond: 1 as const } : {}),
  };
}
