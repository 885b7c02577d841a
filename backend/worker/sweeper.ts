/** Periodic clean-up: jobs of dead workers, lost tickets, expired files, old records, stray files. */
import { finishDeletions, purgeDeleted } from "../domain/accounts/delete-account.ts";
import { deleteEndedBlocks, deleteOldBlockLog } from "../domain/blocks/change-blocks.ts";
import type { Domain } from "../domain/domain.ts";
import { deleteExpiredSessions } from "../domain/accounts/sessions.ts";
import { isStrayFile } from "../domain/jobs/files.ts";
import {
  deleteOldJobs,
  expireFiles,
  finishRemovals,
  reclaimLostJobs,
  reissueTickets,
} from "../domain/jobs/maintenance.ts";
import { deleteOldSelections } from "../domain/jobs/selection-end.ts";
import { queueMoreOfAll } from "../domain/jobs/selections.ts";
import { followAllSongs } from "../domain/jobs/tapes.ts";
import { deleteOldOperatorLog } from "../domain/operator/operator-log.ts";
import { countMissedUsage, deleteOldUsage } from "../domain/accounts/usage.ts";
import type { FileStore } from "../storage/file-store.ts";
import { DONE_TICKET_MS } from "./ticket-store.ts";

/** What a sweep does, in this order. Each step returns how many it has seen to. */
const STEPS = {
  reclaimedJobs: reclaimLostJobs,
  reissuedTickets: (domain: Domain, now: Date, graceMs: number) =>
    reissueTickets(domain, new Date(now.getTime() - graceMs)),
  /** Jobs that were added for links of selections. */
  selectedJobs: queueMoreOfAll,
  /** Tapes whose songs have all ended. */
  queuedTapes: followAllSongs,
  expiredFiles: expireFiles,
  /** Files whose removal was begun before. */
  removedFiles: finishRemovals,
  /** Before old jobs are deleted: their usage could not be counted any more. */
  countedJobs: countMissedUsage,
  forgottenJobs: deleteOldJobs,
  forgottenSelections: deleteOldSelections,
  forgottenSessions: deleteExpiredSessions,
  /** Records of deleted accounts. */
  purgedRecords: purgeDeleted,
  forgottenUsage: deleteOldUsage,
  forgottenTickets: ({ tickets }: Domain, now: Date) => tickets.deleteDone(new Date(now.getTime() - DONE_TICKET_MS)),
  endedBlocks: deleteEndedBlocks,
  forgottenBlockLog: deleteOldBlockLog,
  forgottenOperatorLog: deleteOldOperatorLog,
  /** Last, because it calls the payment provider, which may not answer. */
  clearedAccounts: finishDeletions,
} satisfies Record<string, (domain: Domain, now: Date, graceMs: number) => Promise<number>>;

export type SweepReport = Readonly<Record<keyof typeof STEPS, number>>;

/**
 * Runs every step, even after one has failed: a file that cannot be deleted must not keep sessions and records.
 * @param graceMs a job that has been queued without a ticket for this long gets a new one
 * @param now leases and files that ended later are left alone
 * @throws AggregateError with the failures, after the last step
 */
export async function sweep(domain: Domain, graceMs: number, now: Date = new Date()): Promise<SweepReport> {
  const failures: unknown[] = [];
  const report: Record<string, number> = {};
  for (const [name, step] of Object.entries(STEPS))
    report[name] = await step(domain, now, graceMs).catch((error: unknown) => {
      failures.push(error);
      return 0;
    });
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} steps of a sweep failed`);
  return report as SweepReport;
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
