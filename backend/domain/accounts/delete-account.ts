/**
 * Deletes accounts. A deleted account is invisible at once; its records are removed later, so that a deletion that was
 * interrupted can be completed.
 */
import { isActive } from "../../../common/job.ts";
import type { Domain } from "../domain.ts";
import { revokeFeed } from "../feeds/feeds.ts";
import { ACTIVE } from "../jobs/active-limit.ts";
import { moveJob, WORK_FIELDS } from "../jobs/change.ts";
import { releaseAfter } from "../jobs/files.ts";
import { revokeFileLinks } from "../jobs/file-links.ts";
import { eachJob, findJob, findJobs } from "../jobs/find-jobs.ts";
import type { StoredJob } from "../jobs/job-model.ts";
import { endAllSessions } from "./sessions.ts";
import { revokeAllTokens } from "./tokens.ts";
import { deleteOldTombstones, recordTombstone, type AccountTombstone } from "./tombstones.ts";
import type { StoredUser } from "./user-model.ts";

/** @returns a subject and owner id that no one can sign in with, for the records that wait to be removed */
const deletedOwner = (userId: string) => `deleted:${userId}`;

type DeletedAccount = Pick<AccountTombstone, "_id" | "deletedAt">;

const JOBS_IN_MEMORY = 100;
/** Deleting the files of so many jobs takes about a second. */
const JOBS_PER_REQUEST = 200;
const ACCOUNTS_PER_SWEEP = 100;

/** Deletes an account: clears its personal data, ends its sessions, cancels its jobs and deletes its files. */
export async function deleteAccount(domain: Domain, userId: string): Promise<void> {
  const now = new Date();
  await markDeleted(domain, userId, now);
  await clearAccount(domain, { _id: userId, deletedAt: now }, now, JOBS_PER_REQUEST);
}

/** Deletes an account that a backup has brought back, with all of its jobs. */
export async function repeatDeletion(domain: Domain, account: DeletedAccount): Promise<void> {
  await markDeleted(domain, account._id, account.deletedAt);
  // The time of the first deletion decides when the records are removed.
  await clearAccount(domain, account, account.deletedAt);
}

async function markDeleted(domain: Domain, userId: string, deletedAt: Date): Promise<void> {
  // Subject and email are cleared at once, so that the same person can sign in again as a new user.
  await domain.users.updateOne(
    { _id: userId },
    {
      $set: {
        deletedAt,
        subject: deletedOwner(userId),
        email: "",
        tier: "free",
        grantedTier: "free",
        subscriptionTier: "free",
      },
      $unset: { firstName: 1, isOperator: 1 },
    },
  );
}

/**
 * Repeats the clearing of accounts that were deleted longer than a lease ago: a crash may have interrupted it, or a
 * request that was running may have created another job.
 * @returns number of accounts
 */
export async function finishDeletions(domain: Domain, now: Date = new Date()): Promise<number> {
  const before = new Date(now.getTime() - domain.limits.leaseMs);
  const deleted = domain.users
    .find({ deletedAt: { $ne: null, $lte: before }, isCleared: { $ne: true } })
    .limit(ACCOUNTS_PER_SWEEP)
    .lean<StoredUser[]>();
  let count = 0;
  for (const { _id, deletedAt } of await deleted) {
    await clearAccount(domain, { _id, deletedAt: deletedAt ?? now }, now);
    await domain.users.updateOne({ _id }, { $set: { isCleared: true } });
    count += 1;
  }
  return count;
}

/**
 * Can be repeated.
 * @param maxJobs ended jobs beyond these are left to {@link finishDeletions}; nobody can see them meanwhile
 */
async function clearAccount(domain: Domain, account: DeletedAccount, now: Date, maxJobs = 0): Promise<void> {
  const { _id: userId } = account;
  // Before the jobs are cleared, because it names their devices.
  await recordTombstone(domain, account);
  await endAllSessions(domain, userId);
  await revokeAllTokens(domain, userId);
  await revokeFeed(domain, userId);
  await revokeFileLinks(domain, { userId });
  // Before the jobs, so that no more of them are added.
  await domain.selections.deleteMany({ userId });
  await domain.follows.deleteMany({ userId });
  const active = await findJobs(domain, { userId, status: { $in: ACTIVE } });
  for (const job of active) await deleteJob(domain, job, now);
  for await (const job of eachJob(domain, { userId }, { limit: maxJobs, batchSize: JOBS_IN_MEMORY }))
    await deleteJob(domain, job, now);
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
  // Read again: a worker may have named other files until the job was canceled.
  const last = await findJob(domain, { _id: job._id });
  await releaseAfter(domain, [last?.fileKey, last?.thumbnailKey], () =>
    domain.jobs.updateOne(
      { _id: job._id },
      { $set: { userId: deletedOwner(job.userId ?? ""), deletedAt: now }, $unset: { fileKey: 1, thumbnailKey: 1 } },
    ),
  );
}

/**
 * Removes the records of accounts and jobs that were deleted longer than `accountPurgeMs` ago, and old tombstones.
 * @returns number of removed records
 */
export async function purgeDeleted(domain: Domain, now: Date = new Date()): Promise<number> {
  const before = new Date(now.getTime() - domain.limits.accountPurgeMs);
  const due = { deletedAt: { $ne: null, $lte: before } };
  const jobs = await domain.jobs.deleteMany(due);
  const records = jobs.deletedCount + (await deleteOldTombstones(domain, now));
  const users = await domain.users.find(due, { _id: 1 }).lean<{ _id: string }[]>();
  if (users.length === 0) return records;
  const ids = users.map(({ _id }) => _id);
  // These sessions ended at the deletion, but their records may expire later than this.
  const sessions = await domain.sessions.deleteMany({ userId: { $in: ids } });
  await domain.users.deleteMany({ _id: { $in: ids } });
  return records + sessions.deletedCount + users.length;
}
