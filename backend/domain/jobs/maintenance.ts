/** Tasks of the sweeper and of a starting worker: lost jobs, lost tickets, expired files and old records. */
import type { JobStatus } from "../../../common/job.ts";
import type { Domain } from "../domain.ts";
import { fencedBy, publishJob } from "./change.ts";
import type { FileRemoval } from "./file-removals.ts";
import { isStrayFile, releaseFile, releaseNow } from "./files.ts";
import { changeJob, findJob, findJobs } from "./find-jobs.ts";
import type { JobDocument, StoredJob } from "./job-model.ts";
import { ticketOf } from "./ticket-of.ts";
import { recordDeath } from "./work.ts";
import { audienceOf } from "../accounts/viewer.ts";

const HELD: { readonly $in: JobStatus[] } = { $in: ["pending", "processing"] };

/**
 * Requeues jobs whose worker has not renewed its lease in time.
 * @returns how many
 */
export async function reclaimLostJobs(domain: Domain, now: Date = new Date()): Promise<number> {
  const lost = await findJobs(domain, { status: HELD, leaseExpiresAt: { $lte: now } });
  let reclaimed = 0;
  for (const job of lost) if (await reclaim(domain, job, now)) reclaimed += 1;
  return reclaimed;
}

/** Does the same for one job; called by the worker that has the job's ticket. */
export async function reclaimJobIfLost(domain: Domain, jobId: string, now: Date = new Date()): Promise<void> {
  const job = await findJob(domain, { _id: jobId, status: HELD, leaseExpiresAt: { $lte: now } });
  if (job) await reclaim(domain, job, now);
}

async function reclaim(domain: Domain, job: StoredJob, now: Date): Promise<StoredJob | null> {
  // The lease is part of the condition because its worker may have renewed it meanwhile.
  const stillLost = await domain.jobs.updateOne(
    { ...fencedBy(job), leaseExpiresAt: { $lte: now } },
    { $set: { leaseExpiresAt: now } },
  );
  if (stillLost.matchedCount === 0) return null;
  return recordDeath(domain, job);
}

/**
 * Requeues all running jobs. Called at the start of a process that works alone, when no worker of them can run.
 * @returns how many
 */
export async function reclaimAllJobs(domain: Domain): Promise<number> {
  const held = await findJobs(domain, { status: HELD });
  for (const job of held) await recordDeath(domain, job);
  return held.length;
}

/**
 * Issues tickets for queued jobs that have none.
 * @param olderThan jobs that changed later are left out, because their ticket may be on its way
 * @returns how many tickets were issued
 */
export async function reissueTickets(domain: Domain, olderThan: Date): Promise<number> {
  const waiting = await domain.jobs
    .find({ status: "queued", updatedAt: { $lte: olderThan }, "tape.waitsFor": { $exists: false } })
    .select({ priority: 1, sourceUrl: 1, cutOf: 1 })
    .lean<Pick<JobDocument, "_id" | "priority" | "sourceUrl" | "cutOf">[]>();
  if (waiting.length === 0) return 0;
  const ticketless = new Set(await domain.tickets.withoutTicket(waiting.map((job) => job._id)));
  for (const job of waiting) if (ticketless.has(job._id)) await domain.tickets.enqueue(ticketOf(job));
  return ticketless.size;
}

/**
 * Deletes the files whose retention has ended, unless another job references them, and then marks their jobs.
 * @returns how many jobs were marked
 */
export async function expireFiles(domain: Domain, now: Date = new Date()): Promise<number> {
  const due = await domain.jobs
    .find({ status: "completed", isExpired: { $ne: true }, expiresAt: { $lte: now } }, { fileKey: 1 })
    .lean<Pick<JobDocument, "_id" | "fileKey">[]>();
  return forEachJob(due, async (job) => {
    await domain.jobs.updateOne({ _id: job._id, status: "completed" }, { $set: { isGivenUp: true } });
    if (job.fileKey !== undefined) await releaseNow(domain, job.fileKey);
    const changes = { isExpired: true, updatedAt: new Date() };
    const expired = await changeJob(domain, { _id: job._id, status: "completed" }, { $set: changes });
    if (expired) publishJob(domain, expired);
  });
}

/**
 * Deletes the records of jobs that ended long ago, with their thumbnails.
 * @returns how many
 */
export async function deleteOldJobs(domain: Domain, now: Date = new Date()): Promise<number> {
  const before = new Date(now.getTime() - domain.limits.historyMs);
  const old = await findJobs(domain, {
    $or: [
      { status: { $in: ["failed", "canceled"] }, updatedAt: { $lte: before } },
      // Not `updatedAt`: a server that was off for long has marked the job just now.
      { status: "completed", isExpired: true, expiresAt: { $lte: before } },
    ],
  });
  return forEachJob(old, async (job) => {
    const { deletedCount } = await domain.jobs.deleteOne({ _id: job._id, attempt: job.attempt });
    // Its visitor has retried it meanwhile.
    if (deletedCount === 0) return;
    if (job.thumbnailKey !== undefined) await releaseFile(domain, job.thumbnailKey);
    domain.bus.publish("job:removed", { audience: audienceOf(job), id: job._id });
  });
}

/** Longer than a request takes between recording a removal and changing the job that names the file. */
const CHANGE_MS = 60_000;
const REMOVALS_PER_SWEEP = 200;

/**
 * Deletes the files whose removal was recorded and not finished.
 * @returns number of removals that are done
 * @throws AggregateError with all failures, after the last removal
 */
export async function finishRemovals(domain: Domain, now: Date = new Date()): Promise<number> {
  const recorded = domain.fileRemovals
    .find({ since: { $lte: now } })
    .sort({ since: 1 })
    .limit(REMOVALS_PER_SWEEP)
    .lean<FileRemoval[]>();
  const failures: unknown[] = [];
  let done = 0;
  for (const removal of await recorded) {
    try {
      if (!(await finishRemoval(domain, removal, now))) continue;
      await domain.fileRemovals.deleteOne({ _id: removal._id });
      done += 1;
    } catch (error) {
      failures.push(error);
      // Behind the others, so that files that cannot be deleted do not fill every sweep.
      await domain.fileRemovals.updateOne({ _id: removal._id }, { $set: { since: now } });
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} files could not be deleted`);
  return done;
}

/** @returns false while a request may be about to change the job that names the file */
async function finishRemoval(domain: Domain, { _id: key, since }: FileRemoval, now: Date): Promise<boolean> {
  if (await isStrayFile(domain, key)) await domain.removeFile(key);
  // A file that is still in use is deleted with its last job.
  else if (since.getTime() > now.getTime() - CHANGE_MS) return false;
  return true;
}

/**
 * Runs the action for every job, even after one has failed: one file that cannot be deleted must not keep the others.
 * @throws AggregateError with all failures, after the last job
 */
async function forEachJob<Job>(jobs: readonly Job[], action: (job: Job) => Promise<void>): Promise<number> {
  const failures: unknown[] = [];
  for (const job of jobs) await action(job).catch((error: unknown) => failures.push(error));
  if (failures.length > 0)
    throw new AggregateError(failures, `${failures.length} of ${jobs.length} jobs could not be dealt with`);
  return jobs.length;
}
