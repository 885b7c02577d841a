/** Counts of a batch and its progress, which the title of every page shows. */
import type { Job } from "../../../common/job.ts";

export interface BatchTally {
  /** Of the whole batch; of what was chosen from a list, many may not be queued yet. */
  readonly total: number;
  /** Jobs before the known ones, which have ended: the page knows the newest jobs of the viewer only. */
  readonly gone: number;
  /** What is not queued yet. */
  readonly following: number;
  readonly done: number;
  readonly failed: number;
  readonly canceled: number;
  readonly working: number;
  readonly waiting: number;
  readonly downloadable: number;
  /** Whole percent over all jobs; an ended job counts as 100. */
  readonly percent: number;
}

/** How far the known jobs of a batch reach in it. A canceled batch has a lower total, which some jobs may not have yet. */
function extentOf(jobs: readonly Job[]): Pick<BatchTally, "total" | "gone" | "following"> {
  const queued = Math.max(jobs.length, ...jobs.map(({ batchPosition = -1 }) => batchPosition + 1));
  const total = Math.max(queued, Math.min(...jobs.map(({ batchTotal = queued }) => batchTotal)));
  return jobs.length === 0
    ? { total: 0, gone: 0, following: 0 }
    : { total, gone: queued - jobs.length, following: total - queued };
}

/** Counts the jobs of a batch by their status. */
export function tallyOf(jobs: readonly Job[]): BatchTally {
  const count = (...statuses: Job["status"][]) => jobs.filter(({ status }) => statuses.includes(status)).length;
  const ended = count("completed", "failed", "canceled");
  const extent = extentOf(jobs);
  const processingPercent = jobs.reduce((sum, job) => sum + (job.status === "processing" ? job.progress : 0), 0);
  return {
    ...extent,
    done: count("completed"),
    failed: count("failed"),
    canceled: count("canceled"),
    working: count("processing"),
    waiting: count("queued", "pending"),
    downloadable: jobs.filter((job) => job.status === "completed" && job.downloadUrl !== undefined).length,
    percent: jobs.length === 0 ? 0 : Math.floor(((extent.gone + ended) * 100 + processingPercent) / extent.total),
  };
}

/**
 * Finds the percentage for the document title.
 * @param jobs newest first
 * @returns the progress of the oldest processing job, or of its whole batch; undefined when no job is processing
 */
export function percentOfWork(jobs: readonly Job[]): number | undefined {
  const working = jobs.findLast(({ status }) => status === "processing");
  if (working?.batchId === undefined) return working?.progress;
  return tallyOf(jobs.filter(({ batchId }) => batchId === working.batchId)).percent;
}
