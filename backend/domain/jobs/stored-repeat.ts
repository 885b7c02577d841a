/**
 * A request whose file is stored already needs no worker: its job is added as a completed one, in a single write.
 *
 * Pages follow a job from its start to its end, so they are told both: the job as it was asked for, which is never
 * stored, and then its end.
 */
import { findingsOf } from "../../../common/findings.ts";
import { countUsage } from "../accounts/usage.ts";
import { isDuplicateKeyError } from "../database/duplicate-key.ts";
import type { Domain } from "../domain.ts";
import { announceEnd, userListens } from "../webhooks/announce-end.ts";
import { publishEnd, publishJob } from "./change.ts";
import { releaseAfter, stillHasFile } from "./files.ts";
import type { CompletedJob, JobWithFile, QueuedJob } from "./job-model.ts";
import { setFields } from "./set-fields.ts";
import { expiryOf, findReusable } from "./work.ts";

/** @returns the job whose file answers the same request; null when a worker has to make or find one */
export async function findStoredRepeat(domain: Domain, conversionKey: string): Promise<JobWithFile | null> {
  const other = await findReusable(domain, { conversionKey });
  if (!other) return null;
  // While the storage does not answer, the job waits in the queue, and not the visitor for the answer.
  const isStored = await domain.isStored(other.fileKey).catch(() => false);
  return isStored ? other : null;
}

/**
 * Adds a job that is completed with the file of another one.
 * @param asked the new job as it would be queued
 * @returns the same job, as the answer to the request; null when the file was removed, or another process received the
 *   same request, at the same moment: try again
 */
export async function addWithFileOf(domain: Domain, asked: QueuedJob, other: JobWithFile): Promise<QueuedJob | null> {
  const completed = completedWith(asked, other);
  const isAnnounced = await userListens(domain, asked.userId);
  if (isAnnounced) completed.announcedAfter = completed.updatedAt;
  try {
    await domain.jobs.insertMany([completed]);
  } catch (error) {
    if (isDuplicateKeyError(error)) return null;
    throw error;
  }
  // After the write, as files.ts says. Until then no other request takes the file over from this job: see findReusable.
  if (!(await stillHasFile(domain, other))) {
    await releaseAfter(domain, [other.fileKey, other.thumbnailKey], () => domain.jobs.deleteOne({ _id: asked._id }));
    return null;
  }
  for (const job of [asked, completed]) {
    publishJob(domain, job);
    domain.journal.moved(job);
  }
  publishEnd(domain, completed);
  // The answer goes first. What a crash or an outage leaves undone is done by the sweeper.
  setImmediate(() => {
    void Promise.allSettled([countUsage(domain, completed), isAnnounced && announceEnd(domain, completed)]);
  });
  return asked;
}

function completedWith(asked: QueuedJob, other: JobWithFile): CompletedJob {
  const now = new Date();
  const { title, fileKey, fileSize, thumbnailKey, durationSeconds, chapters, note, subjects, videoKey } = other;
  const about = { thumbnailKey, durationSeconds, chapters, note, subjects, videoKey, ...findingsOf(other) };
  // An ended job holds no slots.
  const { place: _place, network: _network, networkSlot: _networkSlot, ...rest } = asked;
  return {
    ...rest,
    ...setFields(about),
    status: "completed",
    progress: 100,
    title,
    fileKey,
    fileSize,
    isRepeat: true,
    completedAt: now,
    expiresAt: expiryOf(asked.tier, now),
    updatedAt: now,
  };
}
