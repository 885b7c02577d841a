/** Periodic clean-up: jobs of dead workers, lost tickets, expired files, old records, stray files. */
import { finishDeletions, purgeDeleted } from "../domain/accounts/delete-account.ts";
import type { Domain } from "../domain/domain.ts";
import { deleteExpiredSessions } from "../domain/accounts/sessions.ts";
import { isStrayFile } from "../domain/jobs/files.ts";
import { expireFiles, deleteOldJobs, reclaimLostJobs, reissueTickets } from "../domain/jobs/maintenance.ts";
import { countMissedUsage, deleteOldUsage } from "../domain/accounts/usage.ts";
import type { FileStore } from "../storage/file-store.ts";

export interface SweepReport {
  readonly reclaimedJobs: number;
  readonly reissuedTickets: number;
  readonly expiredFiles: number;
  readonly countedJobs: number;
  readonly forgottenJobs: number;
  readonly forgottenSessions: number;
  /** Records of deleted accounts. */
  readonly purgedRecords: number;
  readonly forgottenUsage: number;
  readonly clearedAccounts: number;
}

/** @param graceMs a job that has been queued without a ticket for this long gets a new one */
export async function sweep(domain: Domain, graceMs: number): Promise<SweepReport> {
  const now = new Date();
  return {
    reclaimedJobs: await reclaimLostJobs(domain, now),
    reissuedTickets: await reissueTickets(domain, new Date(now.getTime() - graceMs)),
    expiredFiles: await expireFiles(domain, now),
    // Before old jobs are deleted: their usage could not be counted any more.
    countedJobs: await countMissedUsage(domain),
    forgottenJobs: await deleteOldJobs(domain, now),
    forgottenSessions: await deleteExpiredSessions(domain, now),
    purgedRecords: await purgeDeleted(domain, now),
    forgottenUsage: await deleteOldUsage(domain, now),
    // Last, because it calls the payment provider, which may not answer.
    clearedAccounts: await finishDeletions(domain, now),
  };
}

/**
 * Removes stored files that no job names, and unfinished files. A crash before the job is completed leaves the former,
 * a crash while the file is being stored the latter.
 * @param minAgeMs younger files are kept, because their job may be about to name them
 * @param unfinishedAgeMs younger unfinished files are kept, because a worker may be storing them; null keeps them all
 * @returns number of removed files
 */
export async function removeStrayFiles(
  domain: Domain,
  store: FileStore,
  minAgeMs: number,
  unfinishedAgeMs: number | null = minAgeMs,
): Promise<number> {
  let removed = unfinishedAgeMs === null ? 0 : await store.clearUnfinished(unfinishedAgeMs);
  for await (const { key, modifiedAt } of store.list()) {
    if (Date.now() - modifiedAt.getTime() < minAgeMs || !(await isStrayFile(domain, key))) continue;
    await store.remove(key);
    removed += 1;
  }
  return removed;
}
