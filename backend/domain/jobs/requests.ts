/** What a visitor may do with jobs. A job of another owner is answered with not_found, as if it did not exist. */
import { createHash, randomUUID } from "node:crypto";
import type { CreateConversion } from "../../../common/api.ts";
import { UserError } from "../../../common/errors.ts";
import { isActive } from "../../../common/job.ts";
import { qualityFor, tierAllows, TIERS, type Format, type Quality, type Tier } from "../../../common/tiers.ts";
import { publishJob, moveJob, WORK_FIELDS } from "./change.ts";
import type { Domain } from "../domain.ts";
import { RateLimitedError } from "../rate-limited-error.ts";
import {
  ACTIVE,
  freeSlots,
  readActiveJobs,
  releaseStaleSlots,
  requireCapacity,
  serializeByOwner,
} from "./active-limit.ts";
import type { StoredJob } from "./job-model.ts";
import { releaseFile } from "./files.ts";
import { canonicalLink } from "./link-policy.ts";
import { hasFile } from "./present.ts";
import { findRepeated, requestMark, type RequestName } from "./repeated-request.ts";
import { isDuplicateKeyError } from "../database/duplicate-key.ts";
import { countUsage } from "../accounts/usage.ts";
import { audienceOf, visibleTo, type Viewer } from "../accounts/viewer.ts";

/**
 * Queues a job for one link. A repeated request is answered with the job that it made the first time.
 * @param requestKey the browser's name for this request
 * @throws ConversionError when the link policy refuses the link
 * @throws UserError pro_required when the requested quality is above the tier's; rate_limited; conflict when the key
 *   was used for a different request
 */
export async function createConversion(
  domain: Domain,
  viewer: Viewer,
  input: CreateConversion,
  requestKey?: string,
): Promise<StoredJob> {
  const sourceUrl = canonicalLink(input.youtubeUrl, domain.videoHosts);
  requireQuality(viewer, input);
  const request = requestKey === undefined ? undefined : { key: requestKey, content: ["one", sourceUrl, input.format] };
  const [job] = await addJobs(domain, viewer, [sourceUrl], input.format, { request });
  if (!job) throw new Error("addJobs returned no job for one link");
  return job;
}

/** @throws UserError pro_required, with what Pro allows; bad_request for a quality that no plan has */
export function requireQuality(
  viewer: Viewer,
  { format, quality }: { format: Format; quality?: Quality | undefined },
): void {
  if (quality === undefined || tierAllows(viewer.tier, format, quality)) return;
  const name = format.toUpperCase();
  const best = qualityFor("pro", format);
  if (!tierAllows("pro", format, quality)) throw new UserError("bad_request", `${name} comes in up to ${best}.`);
  throw new UserError(
    "pro_required",
    `Pro converts ${name} up to ${best}; your plan up to ${qualityFor(viewer.tier, format)}.`,
  );
}

export interface AddOptions {
  readonly batchId?: string | undefined;
  /** Given for a request that the browser may repeat: the second one makes no new jobs. */
  readonly request?: RequestName | undefined;
}

/**
 * Adds jobs for checked links, each with a ticket.
 * @param links canonical links, in the order in which they should be converted
 * @throws UserError rate_limited when the viewer would have too many active jobs, conflict
 */
export function addJobs(
  domain: Domain,
  viewer: Viewer,
  links: readonly string[],
  format: Format,
  options: AddOptions = {},
): Promise<StoredJob[]> {
  return serializeByOwner(domain, viewer, async () => {
    for (;;) {
      const jobs = await tryToAddJobs(domain, viewer, links, format, options);
      if (jobs) return jobs;
    }
  });
}

/** @returns null when another process took a slot or received the same request at the same moment: try again */
async function tryToAddJobs(
  domain: Domain,
  viewer: Viewer,
  links: readonly string[],
  format: Format,
  { batchId, request }: AddOptions,
): Promise<StoredJob[] | null> {
  const repeated = request ? await findRepeated(domain, viewer, request, links.length) : [];
  if (repeated.length > 0) return repeated;
  const active = await readActiveJobs(domain, viewer);
  requireCapacity(domain, viewer, links.length, active.count);
  const slots = freeSlots(viewer, active, links.length);
  const now = new Date();
  const jobs = links.map((sourceUrl, index): StoredJob => {
    const job = newJob(domain, viewer, { sourceUrl, format, priority: priorityOf(viewer, active.count + index), now });
    // One millisecond apart, so that sorting by time gives the order of the lines.
    job.createdAt = new Date(now.getTime() + index);
    // Left out when they are not set: null would count in the unique indexes.
    if (slots[index] !== undefined) job.place = slots[index];
    if (batchId !== undefined) job.batchId = batchId;
    if (request) Object.assign(job, requestMark(viewer, request, index));
    return job;
  });
  try {
    await domain.jobs.insertMany(jobs);
  } catch (error) {
    if (!isDuplicateKeyError(error)) throw error;
    // None of the jobs has been published yet, so those that were inserted can be deleted.
    await domain.jobs.deleteMany({ _id: { $in: jobs.map(({ _id }) => _id) } });
    await releaseStaleSlots(domain, viewer, slots);
    return null;
  }
  for (const job of jobs) publishJob(domain, job);
  // If the process dies between these two lines, the sweeper finds the jobs without a ticket.
  await Promise.all(jobs.map((job) => domain.tickets.enqueue({ jobId: job._id, priority: job.priority })));
  return jobs;
}

function newJob(
  domain: Domain,
  viewer: Viewer,
  { sourceUrl, format, priority, now }: Pick<StoredJob, "sourceUrl" | "format" | "priority"> & { readonly now: Date },
): StoredJob {
  const quality = qualityFor(viewer.tier, format);
  return {
    _id: randomUUID(),
    deviceId: viewer.deviceId,
    userId: viewer.userId,
    tier: viewer.tier,
    sourceUrl,
    conversionKey: conversionKeyOf(sourceUrl, format, quality),
    format,
    quality,
    status: "queued",
    attempt: 1,
    finalAttempt: domain.limits.maxAttempts,
    priority,
    progress: 0,
    title: sourceUrl,
    createdAt: now,
    updatedAt: now,
  };
}

/** @returns the viewer's jobs, newest first: all active ones, and the newest of the others */
export async function listJobs(domain: Domain, viewer: Viewer): Promise<StoredJob[]> {
  const ownJobs = visibleTo(viewer);
  const newest = await domain.jobs
    .find(ownJobs)
    .sort({ createdAt: -1 })
    .limit(domain.limits.listLength)
    .lean<StoredJob[]>();
  if (newest.length < domain.limits.listLength) return newest;
  const listed = new Set(newest.map((job) => job._id));
  const active = await domain.jobs
    .find({ ...ownJobs, status: { $in: ACTIVE } })
    .sort({ createdAt: -1 })
    .lean<StoredJob[]>();
  return [...newest, ...active.filter((job) => !listed.has(job._id))];
}

/** @throws UserError not_found */
export async function getJob(domain: Domain, viewer: Viewer, id: string): Promise<StoredJob> {
  const job = await domain.jobs.findOne({ _id: id, ...visibleTo(viewer) }).lean<StoredJob>();
  if (!job) throw new UserError("not_found");
  return job;
}

/**
 * @returns a completed job whose file can be downloaded
 * @throws UserError not_found, also when the file has expired
 */
export async function getFinishedJob(
  domain: Domain,
  viewer: Viewer,
  id: string,
): Promise<StoredJob & { fileKey: string }> {
  const job = await getJob(domain, viewer, id);
  if (job.status !== "completed" || job.fileKey === undefined || !hasFile(job, Date.now()))
    throw new UserError("not_found", "This file is no longer here. Convert the link again to get a new one.");
  return { ...job, fileKey: job.fileKey };
}

/**
 * Cancels an active job, or removes an ended one together with its file.
 * @param mustBeActive the visitor means to cancel, so a job that has just ended keeps its file
 * @returns the canceled job, or null when it was removed
 * @throws UserError not_found; conflict when the job's status has changed meanwhile
 */
export async function cancelOrRemove(
  domain: Domain,
  viewer: Viewer,
  id: string,
  mustBeActive = false,
): Promise<StoredJob | null> {
  const canceled = await cancelJob(domain, viewer, id);
  if (canceled) return canceled;
  const job = await getJob(domain, viewer, id);
  if (isActive(job.status)) throw new UserError("conflict");
  if (mustBeActive)
    throw new UserError("conflict", "This conversion has just ended, so there was nothing left to cancel.");
  await removeJob(domain, job);
  return null;
}

/** Cancels an active job of the viewer. @returns null when the viewer has no active job with this id */
export async function cancelJob(domain: Domain, viewer: Viewer, id: string): Promise<StoredJob | null> {
  const canceled = await moveJob(domain, { _id: id, ...visibleTo(viewer) }, "canceled", { $unset: WORK_FIELDS });
  if (!canceled) return null;
  // The worker is told first, because its tools still run for this job.
  domain.bus.publish("job:stop", { id, attempt: canceled.attempt });
  await domain.tickets.remove(id);
  return canceled;
}

/**
 * Removes an ended job, and its files unless another job references them.
 * @throws UserError conflict when the job has changed meanwhile
 */
export async function removeJob(domain: Domain, job: StoredJob): Promise<void> {
  // Before the job is deleted, because usage is counted from its record.
  await countUsage(domain, job);
  const { deletedCount } = await domain.jobs.deleteOne({ _id: job._id, attempt: job.attempt, status: job.status });
  if (deletedCount === 0) throw new UserError("conflict");
  domain.bus.publish("job:removed", { audience: audienceOf(job), id: job._id });
  for (const key of [job.fileKey, job.thumbnailKey]) if (key !== undefined) await releaseFile(domain, key);
}

/**
 * Queues a failed or canceled job again, with as many attempts as a new job has.
 * @throws UserError not_found; conflict when the job is neither failed nor canceled; rate_limited
 */
export async function retryJob(domain: Domain, viewer: Viewer, id: string): Promise<StoredJob> {
  const job = await getJob(domain, viewer, id);
  if (job.status !== "failed" && job.status !== "canceled") throw new UserError("conflict");
  const [retried] = await retryJobs(domain, viewer, [job]);
  if (!retried) throw new UserError("conflict");
  return retried;
}

/**
 * Queues failed or canceled jobs again.
 * @returns the queued jobs; those that another request has queued meanwhile are left out
 * @throws UserError rate_limited when no job could be queued
 */
export function retryJobs(domain: Domain, viewer: Viewer, jobs: readonly StoredJob[]): Promise<StoredJob[]> {
  return serializeByOwner(domain, viewer, async () => {
    const active = await readActiveJobs(domain, viewer);
    requireCapacity(domain, viewer, jobs.length, active.count);
    const slots = freeSlots(viewer, active, jobs.length);
    const results = await Promise.allSettled(
      jobs.map((job, index) => retryInSlot(domain, viewer, job, active.count + index, slots[index])),
    );
    const retried = results.flatMap((result) => (result.status === "fulfilled" ? (result.value ?? []) : []));
    await Promise.all(retried.map((job) => domain.tickets.enqueue({ jobId: job._id, priority: job.priority })));
    const failed = results.find((result) => result.status === "rejected");
    // Some jobs may be queued although another process has taken the other slots.
    if (failed && (retried.length === 0 || !(failed.reason instanceof RateLimitedError))) throw failed.reason;
    return retried;
  });
}

/**
 * @param firstSlot tried first; another free slot is chosen when another process has taken it
 * @returns null when another request has queued the job meanwhile
 * @throws RateLimitedError when other processes have taken all slots
 */
async function retryInSlot(
  domain: Domain,
  viewer: Viewer,
  job: StoredJob,
  activeBefore: number,
  firstSlot: string | undefined,
): Promise<StoredJob | null> {
  const upgraded = { ...job, ...upgradeTo(viewer.tier, job) };
  const { tier, quality, conversionKey } = upgraded;
  let slot = firstSlot;
  for (;;) {
    try {
      return await moveJob(domain, { _id: job._id, attempt: job.attempt }, "queued", {
        $set: {
          tier,
          quality,
          conversionKey,
          // Left out when there is none: null would count in the unique index.
          ...(slot === undefined ? {} : { place: slot }),
          attempt: job.attempt + 1,
          finalAttempt: job.attempt + domain.limits.maxAttempts,
          progress: 0,
          priority: priorityOf(upgraded, activeBefore),
        },
        $unset: WORK_FIELDS,
      });
    } catch (error) {
      if (!isDuplicateKeyError(error) || slot === undefined) throw error;
      await releaseStaleSlots(domain, viewer, [slot]);
      const active = await readActiveJobs(domain, viewer);
      requireCapacity(domain, viewer, 1, active.count);
      slot = freeSlots(viewer, active, 1)[0];
    }
  }
}

/**
 * A job keeps the tier it was created with, with one exception: a retry after an upgrade uses the new tier, because
 * the job may have failed at a limit of the old one. A downgrade changes nothing.
 * @returns the fields that change
 */
function upgradeTo(tier: Tier, { tier: created, format, sourceUrl }: StoredJob): Partial<StoredJob> {
  if (TIERS[tier].priority <= TIERS[created].priority) return {};
  const quality = qualityFor(tier, format);
  return { tier, quality, conversionKey: conversionKeyOf(sourceUrl, format, quality) };
}

/**
 * Pro ranks before free. Within a tier the n-th active job of one owner ranks below the first job of another, so that
 * an owner with many jobs does not block the others.
 * @param activeBefore number of active jobs that the owner has before this one
 */
function priorityOf({ tier }: { tier: Tier }, activeBefore: number): number {
  return TIERS[tier].priority - Math.min(activeBefore, TIERS.pro.priority - 1);
}

function conversionKeyOf(sourceUrl: string, format: Format, quality: Quality): string {
  return createHash("sha256")
    .update(JSON.stringify([sourceUrl, format, quality]))
    .digest("hex");
}
