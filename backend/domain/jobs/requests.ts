/** What a visitor may do with jobs. Whatever is not theirs does not exist: not_found. */
import { createHash, randomUUID } from "node:crypto";
import type { CreateConversion } from "../../../common/api.ts";
import { UserError } from "../../../common/errors.ts";
import { isActive } from "../../../common/job.ts";
import { qualityFor, tierAllows, TIERS, type Format, type Quality, type Tier } from "../../../common/tiers.ts";
import { announce, moveJob, WORK_FIELDS } from "./change.ts";
import type { Domain } from "../domain.ts";
import { ACTIVE, freePlaces, inTurn, RateLimitedError, readActive, requireRoomFor, vacate } from "./fair-use.ts";
import type { StoredJob } from "./job-model.ts";
import { releaseFile } from "./files.ts";
import { judgeLink } from "./link-policy.ts";
import { hasFile } from "./present.ts";
import { findRepeated, requestMark, type RequestName } from "./repeated-request.ts";
import { isDuplicateKeyError } from "../database/duplicate-key.ts";
import { countUsage } from "../accounts/usage.ts";
import { audienceOf, visibleTo, type Viewer } from "../accounts/viewer.ts";

/**
 * Puts a link into the queue; the same request sent again is answered with the job it made.
 * @throws ConversionError when the link policy refuses the link
 * @throws UserError pro_required when more quality is asked for than the tier has, rate_limited,
 *   conflict when the key was used for something else
 */
export async function createConversion(
  domain: Domain,
  viewer: Viewer,
  input: CreateConversion,
  requestKey?: string,
): Promise<StoredJob> {
  const sourceUrl = judgeLink(input.youtubeUrl, domain.videoHosts);
  requireQuality(viewer, input);
  const [job] = await addJobs(
    domain,
    viewer,
    [sourceUrl],
    input.format,
    requestKey === undefined ? {} : { request: { key: requestKey, content: ["one", sourceUrl, input.format] } },
  );
  if (!job) throw new Error("a job was asked for and none was made");
  return job;
}

/** @throws UserError pro_required, saying what Pro would allow; bad_request for what no plan has */
export function requireQuality(
  viewer: Viewer,
  { format, quality }: { format: Format; quality?: Quality | undefined },
): void {
  if (quality === undefined || tierAllows(viewer.tier, format, quality)) return;
  if (!tierAllows("pro", format, quality))
    throw new UserError("bad_request", `${format.toUpperCase()} comes in up to ${qualityFor("pro", format)}.`);
  throw new UserError(
    "pro_required",
    `Pro converts ${format.toUpperCase()} up to ${qualityFor("pro", format)}; your plan up to ${qualityFor(viewer.tier, format)}.`,
  );
}

export interface AddOptions {
  readonly batchId?: string;
  /** Sent again, it makes nothing new. */
  readonly request?: RequestName;
}

/**
 * Jobs for links that were judged, with a ticket each.
 * @param links in their canonical form; the first is the first to be worked on
 * @throws UserError rate_limited when they are more than the viewer may have active, conflict
 */
export function addJobs(
  domain: Domain,
  viewer: Viewer,
  links: readonly string[],
  format: Format,
  { batchId, request }: AddOptions = {},
): Promise<StoredJob[]> {
  return inTurn(domain, viewer, async () => {
    for (;;) {
      const made = request ? await findRepeated(domain, viewer, request, links.length) : [];
      if (made.length > 0) return made;
      const active = await readActive(domain, viewer);
      requireRoomFor(domain, viewer, links.length, active.count);
      const places = freePlaces(viewer, active, links.length);
      const quality = qualityFor(viewer.tier, format);
      const now = new Date();
      const jobs = links.map((sourceUrl, index): StoredJob => ({
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
        priority: priorityOf(viewer, active.count + index),
        ...(places[index] === undefined ? {} : { place: places[index] }),
        progress: 0,
        title: sourceUrl,
        ...(batchId === undefined ? {} : { batchId }),
        ...(request ? requestMark(viewer, request, index) : {}),
        // A millisecond apart, so that whoever sorts by time finds them in the order of their lines.
        createdAt: new Date(now.getTime() + index),
        updatedAt: now,
      }));
      try {
        await domain.jobs.insertMany(jobs);
      } catch (error) {
        if (!isDuplicateKeyError(error)) throw error;
        // At the same moment the same request has arrived elsewhere, or the owner's places were taken there.
        // Nobody was told of those that came before; the owner's next look says whether there is room.
        await domain.jobs.deleteMany({ _id: { $in: jobs.map(({ _id }) => _id) } });
        await vacate(domain, viewer, places);
        continue;
      }
      for (const job of jobs) announce(domain, job);
      // Should we die between these two lines, the sweeper finds the jobs without a ticket.
      await Promise.all(jobs.map((job) => domain.tickets.enqueue({ jobId: job._id, priority: job.priority })));
      return jobs;
    }
  });
}

/** The viewer's jobs, newest first: all that are active, and the newest of the others. */
export async function listJobs(domain: Domain, viewer: Viewer): Promise<StoredJob[]> {
  const mine = visibleTo(viewer);
  const newest = await domain.jobs
    .find(mine)
    .sort({ createdAt: -1 })
    .limit(domain.limits.listLength)
    .lean<StoredJob[]>();
  if (newest.length < domain.limits.listLength) return newest;
  const listed = new Set(newest.map((job) => job._id));
  const active = await domain.jobs
    .find({ ...mine, status: { $in: ACTIVE } })
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

/** The job, for whoever wants its file. @throws UserError not_found, also when the file has expired */
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
 * Stops an active job, or removes one that has ended together with its file.
 * @param mustBeActive the caller means to cancel: a job that ended in the meantime keeps its file
 * @returns the canceled job, or null when it was removed
 * @throws UserError not_found; conflict when the job is not as the caller saw it
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

/** Stops an active job of the viewer's. Null: there is none of this id. */
export async function cancelJob(domain: Domain, viewer: Viewer, id: string): Promise<StoredJob | null> {
  const canceled = await moveJob(domain, { _id: id, ...visibleTo(viewer) }, "canceled", { $unset: WORK_FIELDS });
  if (!canceled) return null;
  // The worker first: it is the one that keeps processes busy.
  domain.bus.publish("job:canceled", { id, attempt: canceled.attempt });
  await domain.tickets.remove(id);
  return canceled;
}

/** Takes a job that has ended out of everybody's list, and its files with it unless they are another's too. */
export async function removeJob(domain: Domain, job: StoredJob): Promise<void> {
  // Afterwards nobody would know of it.
  await countUsage(domain, job);
  const { deletedCount } = await domain.jobs.deleteOne({ _id: job._id, attempt: job.attempt, status: job.status });
  if (deletedCount === 0) throw new UserError("conflict");
  domain.bus.publish("job:removed", { audience: audienceOf(job), id: job._id });
  for (const key of [job.fileKey, job.thumbnailKey]) if (key !== undefined) await releaseFile(domain, key);
}

/**
 * Starts a failed or canceled job over, with as many attempts as a new one has.
 * @throws UserError not_found, conflict when it is in no state to be retried, rate_limited
 */
export async function retryJob(domain: Domain, viewer: Viewer, id: string): Promise<StoredJob> {
  const job = await getJob(domain, viewer, id);
  if (job.status !== "failed" && job.status !== "canceled") throw new UserError("conflict");
  const [retried] = await retryJobs(domain, viewer, [job]);
  if (!retried) throw new UserError("conflict");
  return retried;
}

/**
 * A job keeps the tier it was made on, but for this: whoever has moved up since, perhaps because the
 * job was refused for its length, asks for it anew. Moving down takes nothing away.
 */
function liftedTo(tier: Tier, { tier: made, format, sourceUrl }: StoredJob): Partial<StoredJob> {
  if (TIERS[tier].priority <= TIERS[made].priority) return {};
  const quality = qualityFor(tier, format);
  return { tier, quality, conversionKey: conversionKeyOf(sourceUrl, format, quality) };
}

/**
 * The same for jobs that were looked up. @returns those that nobody else has started over meanwhile
 * @throws UserError rate_limited when not even one could be
 */
export function retryJobs(domain: Domain, viewer: Viewer, jobs: readonly StoredJob[]): Promise<StoredJob[]> {
  return inTurn(domain, viewer, async () => {
    const active = await readActive(domain, viewer);
    requireRoomFor(domain, viewer, jobs.length, active.count);
    const places = freePlaces(viewer, active, jobs.length);
    const tries = await Promise.allSettled(
      jobs.map((job, index) => retryInPlace(domain, viewer, job, active.count + index, places.slice(index, index + 1))),
    );
    const retried = tries.flatMap((one) => (one.status === "fulfilled" ? (one.value ?? []) : []));
    await Promise.all(retried.map((job) => domain.tickets.enqueue({ jobId: job._id, priority: job.priority })));
    const failed = tries.find((one) => one.status === "rejected");
    // Another process has taken the rest of the places.
    if (failed && (retried.length === 0 || !(failed.reason instanceof RateLimitedError))) throw failed.reason;
    return retried;
  });
}

/** Null: somebody else has started it over. @throws RateLimitedError when another process has taken the last place */
async function retryInPlace(
  domain: Domain,
  viewer: Viewer,
  job: StoredJob,
  activeBefore: number,
  wanted: readonly string[],
): Promise<StoredJob | null> {
  const lifted = { ...job, ...liftedTo(viewer.tier, job) };
  const { tier, quality, conversionKey } = lifted;
  for (let [place] = wanted; ;) {
    try {
      return await moveJob(domain, { _id: job._id, attempt: job.attempt }, "queued", {
        $set: {
          tier,
          quality,
          conversionKey,
          ...(place === undefined ? {} : { place }),
          attempt: job.attempt + 1,
          finalAttempt: job.attempt + domain.limits.maxAttempts,
          progress: 0,
          priority: priorityOf(lifted, activeBefore),
        },
        $unset: WORK_FIELDS,
      });
    } catch (error) {
      if (!isDuplicateKeyError(error) || place === undefined) throw error;
      await vacate(domain, viewer, [place]);
      const active = await readActive(domain, viewer);
      requireRoomFor(domain, viewer, 1, active.count);
      [place] = freePlaces(viewer, active, 1);
    }
  }
}

/**
 * Pro before free; within a tier the n-th active job of one owner ranks below the first of
 * another, so that one owner's many do not shut the others out.
 * @param activeBefore how many the owner has before it
 */
function priorityOf({ tier }: { tier: Tier }, activeBefore: number): number {
  return TIERS[tier].priority - Math.min(activeBefore, TIERS.pro.priority - 1);
}

function conversionKeyOf(sourceUrl: string, format: Format, quality: Quality): string {
  return createHash("sha256")
    .update(JSON.stringify([sourceUrl, format, quality]))
    .digest("hex");
}
