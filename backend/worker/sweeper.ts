/** What time alone makes due: lost workers, lost tickets, files past their time, old records, stray files. */
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
  /** Records that deleted accounts had left behind. */
  readonly purgedRecords: number;
  readonly forgottenUsage: number;
  readonly clearedAccounts: number;
}

/** @param graceMs a queued job without a ticket for this long has lost it */
export async function sweep(domain: Domain, graceMs: number): Promise<SweepReport> {
  const now = new Date();
  return {
    reclaimedJobs: await reclaimLostJobs(domain, now),
    reissuedTickets: await reissueTickets(domain, new Date(now.getTime() - graceMs)),
    expiredFiles: await expireFiles(domain, now),
    // Before their records go.
    countedJobs: await countMissedUsage(domain),
    forgottenJobs: await deleteOldJobs(domain, now),
    forgottenSessions: await deleteExpiredSessions(domain, now),
    purgedRecords: await purgeDeleted(domain, now),
    forgottenUsage: await deleteOldUsage(domain, now),
    // Last: somebody else may have to be asked for it, who may not answer.
    clearedAccounts: await finishDeletions(domain, now),
  };
}

/**
 * Removes stored files that no job names, and halves of files: a crash between storing and
 * finishing leaves the one, a crash while storing the other.
 * @param minAgeMs younger files are left alone, their job may be about to name them
 * @param unfinishedAgeMs younger halves are left alone, a worker may be storing them; null: all are
 * @returns how many there were
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
