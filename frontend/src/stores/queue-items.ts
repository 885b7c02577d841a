/** What stands in the queue: single jobs, and batches at the place of their newest job. */
import type { Job } from "../../../common/job.ts";

export interface QueueItem {
  /** A job's id, or a batch's. */
  readonly id: string;
  /** Absent for a single job. */
  readonly jobIds?: readonly string[];
}

/** @param jobs newest first */
export function itemsOf(jobs: readonly Job[]): QueueItem[] {
  const batches = new Map<string, string[]>();
  const items: QueueItem[] = [];
  for (const { id, batchId } of jobs) {
    const batch = batchId === undefined ? undefined : batches.get(batchId);
    if (batch) batch.push(id);
    else if (batchId === undefined) items.push({ id });
    else {
      const jobIds = [id];
      batches.set(batchId, jobIds);
      items.push({ id: batchId, jobIds });
    }
  }
  // In a batch the order is that of the lines, which is the order in which its jobs were made.
  for (const jobIds of batches.values()) jobIds.reverse();
  return items;
}

/** Whether two lists show the same rows; how far the jobs are does not matter. */
export function areSameItems(some: readonly QueueItem[], others: readonly QueueItem[]): boolean {
  return (
    some.length === others.length &&
    some.every((item, index) => {
      const other = others[index];
      return item.id === other?.id && (item.jobIds ?? []).join() === (other.jobIds ?? []).join();
    })
  );
}

/** The rows for a list of jobs; the very same list of rows while only their contents change. */
export function createItemsOf(): (jobs: readonly Job[]) => readonly QueueItem[] {
  let kept: readonly QueueItem[] = [];
  return (jobs) => {
    const items = itemsOf(jobs);
    if (!areSameItems(kept, items)) kept = items;
    return kept;
  };
}

/** Whether two versions differ in nothing but how far the work is. */
function isSameButForProgress(a: Job, b: Job): boolean {
  if (a.status !== "processing" || b.status !== "processing") return false;
  const still = ({
    id,
    attempt,
    title,
    thumbnailUrl,
    durationSeconds,
    format,
    quality,
    note,
    batchId,
    createdAt,
  }: Job) => [id, attempt, title, thumbnailUrl, durationSeconds, format, quality, note, batchId, createdAt];
  const others = still(b);
  return still(a).every((value, index) => value === others[index]);
}

/** Hands back the version it was given before while only the progress changes. */
export function createStillJob(): (job: Job | undefined) => Job | undefined {
  let kept: Job | undefined;
  return (job) => {
    if (!(job && kept && isSameButForProgress(job, kept))) kept = job;
    return kept;
  };
}

export interface BatchTally {
  readonly total: number;
  readonly done: number;
  readonly failed: number;
  readonly canceled: number;
  readonly working: number;
  readonly waiting: number;
  readonly downloadable: number;
  /** Whole percent over all jobs; an ended job counts as whole. */
  readonly percent: number;
}

export function tallyOf(jobs: readonly Job[]): BatchTally {
  const count = (...statuses: Job["status"][]) => jobs.filter(({ status }) => statuses.includes(status)).length;
  const ended = count("completed", "failed", "canceled");
  const moving = jobs.reduce((sum, job) => sum + (job.status === "processing" ? job.progress : 0), 0);
  return {
    total: jobs.length,
    done: count("completed"),
    failed: count("failed"),
    canceled: count("canceled"),
    working: count("processing"),
    waiting: count("queued", "pending"),
    downloadable: jobs.filter((job) => job.status === "completed" && job.downloadUrl !== undefined).length,
    percent: jobs.length === 0 ? 0 : Math.floor((ended * 100 + moving) / jobs.length),
  };
}

/**
 * How far the work is that has gone on for longest: a batch as a whole. Undefined while nothing is at work. @param jobs
 * newest first
 */
export function percentOfWork(jobs: readonly Job[]): number | undefined {
  const working = jobs.findLast(({ status }) => status === "processing");
  if (working?.batchId === undefined) return working?.progress;
  return tallyOf(jobs.filter(({ batchId }) => batchId === working.batchId)).percent;
}
