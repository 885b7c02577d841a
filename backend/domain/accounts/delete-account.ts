/**
 * Deletes accounts. A deleted account is invisible at once; its records are removed later, so that a deletion that was
 * interrupted can be completed.
 */
import { isActive } from "../../../common/job.ts";
import type { Domain } from "../domain.ts";
import { moveJob, WORK_FIELDS } from "../jobs/change.ts";
import { releaseFile } from "../jobs/files.ts";
import type { StoredJob } from "../jobs/job-model.ts";
import { endAllSessions } from "./sessions.ts";
import type { StoredUser } from "./user-model.ts";

/** @returns a subject and owner id that no one can sign in with, for the records that wait to be removed */
const deletedOwner = (userId: string) => `deleted:${userId}`;

/** Deletes an account: clears its personal data, ends its sessions, cancels its jobs and deletes its files. */
export async function deleteAccount(domain: Domain, userId: string): Promise<void> {
  const now = new Date();
  // Subject and email are cleared at once, so that the same person can sign in again as a new user.
  await domain.users.updateOne(
    { _id: userId },
    {
      $set: {
        deletedAt: now,
        subject: deletedOwner(userId),
        email: "",
        tier: "free",
        grantedTier: "free",
        subscriptionTier: "free",
      },
      $unset: { firstName: 1 },
    },
  );
  await clearAccount(domain, userId, now);
}

/**
 * Repeats the clearing of accounts that were deleted longer than a lease ago: a crash may have interrupted it, or a
 * request that was running may have created another job.
 * @returns number of accounts
 */
export async function finishDeletions(domain: Domain, now: Date = new Date()): Promise<number> {
  const before = new Date(now.getTime() - domain.limits.leaseMs);
  const deleted = await domain.users
    .find({ deletedAt: { $ne: null, $lte: before }, isCleared: { $ne: true } })
    .lean<StoredUser[]>();
  for (const { _id } of deleted) {
    await clearAccount(domain, _id, now);
    await domain.users.updateOne({ _id }, { $set: { isCleared: true } });
  }
  return deleted.length;
}

/** Can be repeated. */
async function clearAccount(domain: Domain, userId: string, now: Date): Promise<void> {
  await endAllSessions(domain, userId);
  const jobs = await domain.jobs.find({ userId }).lean<StoredJob[]>();
  for (const job of jobs) await deleteJob(domain, job, now);
  // After the jobs, because a job that completes meanwhile may still write a usage entry.
  for (const hook of domain.accountHooks) await hook.onDeleted?.(userId);
}

async function deleteJob(domain: Domain, job: StoredJob, now: Date): Promise<void> {
  const canceled = isActive(job.status)
    ? await moveJob(domain, { _id: job._id }, "canceled", { $unset: WORK_FIELDS })
    : null;
  if (canceled) {
    domain.bus.publish("job:stop", { id: job._id, attempt: canceled.attempt });
    await domain.tickets.remove(job._id);
  }
  const before = await domain.jobs
    .findOneAndUpdate(
      { _id: job._id },
      { $set: { userId: deletedOwner(job.userId ?? ""), deletedAt: now }, $unset: { fileKey: 1, thumbnailKey: 1 } },
      { returnDocument: "before" },
    )
    .lean<StoredJob>();
  for (const key of [before?.fileKey, before?.thumbnailKey]) if (key !== undefined) await releaseFile(domain, key);
}

/**
 * Removes the records of accounts and jobs that were deleted longer than `accountPurgeMs` ago.
 * @returns number of removed records
 */
export async function purgeDeleted(domain: Domain, now: Date = new Date()): Promise<number> {
  const before = new Date(now.getTime() - domain.limits.accountPurgeMs);
  const due = { deletedAt: { $ne: null, $lte: before } };
  const jobs = await domain.jobs.deleteMany(due);
  const users = await domain.users.find(due, { _id: 1 }).lean<{ _id: string }[]>();
  if (users.length === 0) return jobs.deletedCount;
  const ids = users.map(({ _id }) => _id);
  // These sessions ended at the deletion, but their records may expire later than this.
  const sessions = await domain.sessions.deleteMany({ userId: { $in: ids } });
  await domain.users.deleteMany({ _id: { $in: ids } });
  return jobs.deletedCount + sessions.deletedCount + users.length;
}
