/** Makes jobs of the videos that have come, within the limits of their owner. */
import { DAY_MS } from "../../../common/durations.ts";
import { ConversionError, UserError } from "../../../common/errors.ts";
import type { Viewer } from "../accounts/viewer.ts";
import type { Domain } from "../domain.ts";
import { ACTIVE, readActiveJobs } from "../jobs/active-limit.ts";
import { addJobs } from "../jobs/add-jobs.ts";
import { keyOfRequest } from "../jobs/conversion-key.ts";
import { cancelJob } from "../jobs/end-jobs.ts";
import { findJobs, withFile } from "../jobs/find-jobs.ts";
import type { StoredJob } from "../jobs/job-model.ts";
import { canonicalEntry } from "../jobs/link-policy.ts";
import { keyPartsOf, outputOf, requireTier } from "../jobs/output.ts";
import { retryJob } from "../jobs/retry-jobs.ts";
import { spareOf } from "../jobs/selections.ts";
import { RateLimitedError } from "../rate-limited-error.ts";
import type { StoredCame, StoredFailure, StoredFollow, StoredWaiting } from "./follow-model.ts";

/** Kept of what came; more than may come in a day. */
export const MAX_CAME = 50;
/** A stream may be announced for so long before it begins. */
const RETRIED_MS = 14 * DAY_MS;

/** @returns an error as it is stored; undefined for one that is no answer to a user */
export function failureOf(error: unknown): StoredFailure | undefined {
  if (!(error instanceof ConversionError || error instanceof UserError)) return undefined;
  const { code, message, reason } = error;
  return { code, message, ...(reason && { reason }) };
}

/**
 * Queues waiting videos, the oldest first. What a limit refuses goes on waiting.
 * @param follow as this process has claimed it: when another has taken it over or it was changed, this ends
 */
export async function queueWaiting(domain: Domain, viewer: Viewer, follow: StoredFollow, now: Date): Promise<void> {
  const dayAgo = new Date(now.getTime() - DAY_MS);
  const leftToday = follow.perDay - follow.came.filter(({ at }) => at > dayAgo).length;
  const ready = follow.waiting.filter(({ problem }) => problem === undefined).slice(0, Math.max(0, leftToday));
  for (const video of ready) {
    const { count } = await readActiveJobs(domain, viewer);
    const slots = domain.limits.activeJobs[viewer.tier];
    if (count >= slots - spareOf(slots)) return;
    const made = await convert(domain, viewer, follow, { video, now });
    if (made === null || !(await keep(domain, viewer, follow, { video, made, at: now }))) return;
  }
}

interface Made {
  /** Present unless it failed. */
  readonly job?: Pick<StoredJob, "_id">;
  readonly isNew?: boolean;
  readonly failure?: StoredFailure;
}

/** @returns null when a limit refuses it for now */
async function convert(
  domain: Domain,
  viewer: Viewer,
  follow: StoredFollow,
  { video, now }: { readonly video: StoredWaiting; readonly now: Date },
): Promise<Made | null> {
  const output = outputOf(follow);
  try {
    requireTier(viewer, follow);
    const link = canonicalEntry(video.link, domain.videoHosts);
    domain.blocks.requireLink(link);
    // Another follow, or the user by hand, may have asked for the same.
    const conversionKey = keyOfRequest(domain, viewer, link, output);
    const own = { conversionKey, userId: viewer.userId, $or: [{ status: { $in: ACTIVE } }, withFile(now)] };
    const before = await domain.jobs.findOne(own, { _id: 1 }).lean<Pick<StoredJob, "_id">>();
    if (before) return { job: before };
    // A list that is followed anew is another follow.
    const content = ["follow", follow._id, follow.createdAt.getTime(), link, ...keyPartsOf(output)];
    // After a crash between this write and the next one, the job that exists is found again.
    const [job] = await addJobs(domain, viewer, [link], output, {
      request: { key: JSON.stringify(content), content },
    });
    return job ? { job, isNew: true } : null;
  } catch (error) {
    if (error instanceof RateLimitedError) return null;
    const failure = failureOf(error);
    if (!failure) throw error;
    return { failure };
  }
}

interface Kept {
  readonly video: StoredWaiting;
  readonly made: Made;
  readonly at: Date;
}

/** @returns false when the follow is not this process's any more */
async function keep(
  domain: Domain,
  viewer: Viewer,
  { _id, nextLookAt }: StoredFollow,
  { video: { link, title }, made: { job, isNew, failure }, at }: Kept,
): Promise<boolean> {
  const came: StoredCame = { link, title, at, ...(job && { jobId: job._id }), ...(failure && { failure }) };
  const { matchedCount } = await domain.follows.updateOne(
    { _id, nextLookAt },
    { $pull: { waiting: { link } }, $push: { came: { $each: [came], $position: 0, $slice: MAX_CAME } } },
  );
  if (matchedCount > 0) return true;
  // It was stopped while the job was added.
  if (job && isNew && !(await domain.follows.exists({ _id }))) await cancelJob(domain, viewer, job._id);
  return false;
}

/** Queues streams and premieres again that had not ended when they came. */
export async function retryStarted(domain: Domain, viewer: Viewer, { came }: StoredFollow, now: Date): Promise<void> {
  const recent = came.filter(({ at }) => at.getTime() > now.getTime() - RETRIED_MS).flatMap(({ jobId }) => jobId ?? []);
  if (recent.length === 0) return;
  const live = await findJobs(domain, { _id: { $in: recent }, userId: viewer.userId, "error.code": "live" });
  for (const job of live)
    if (job.status === "failed" && hasStarted(job.error.reason, now)) await retry(domain, viewer, job);
}

function hasStarted(reason: StoredFailure["reason"], now: Date): boolean {
  return reason?.name !== "starts_later" || new Date(reason.startsAt) <= now;
}

async function retry(domain: Domain, viewer: Viewer, { _id }: StoredJob): Promise<void> {
  try {
    await retryJob(domain, viewer, _id);
  } catch (error) {
    // Its record says why; the next look tries again.
    if (!failureOf(error)) throw error;
  }
}
