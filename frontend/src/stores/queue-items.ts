/** The items of the queue: single jobs, and batches at the position of their newest job. */
import type { Job } from "../../../common/job.ts";
import type { CurrentJobState } from "./current-job.ts";

type ProcessingJob = Extract<Job, { status: "processing" }>;

export interface QueueItem {
  /** A job id or a batch id. */
  readonly id: string;
  /** Absent for a single job. */
  readonly jobIds?: readonly string[];
}

/** @returns the path of the archive with all files of a batch */
export function archiveUrlOf(batchId: string): string {
  return `/api/batch-conversions/${encodeURIComponent(batchId)}/zip`;
}

/** Groups jobs into items. @param jobs newest first */
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
  // Within a batch the jobs are in the order of its lines, oldest first.
  for (const jobIds of batches.values()) jobIds.reverse();
  return items;
}

/** Whether two lists have the same ids in the same order. */
export function areSameItems(left: readonly QueueItem[], right: readonly QueueItem[]): boolean {
  return (
    left.length === right.length &&
    left.every((item, index) => {
      const other = right[index];
      return item.id === other?.id && (item.jobIds ?? []).join() === (other.jobIds ?? []).join();
    })
  );
}

/**
 * Creates a function like {@link itemsOf} that returns the same array object while the items stay the same.
 * It leaves out the current job, also before the page knows which of the new jobs it is: see stores/current-job.ts.
 */
export function createItemSelector(): (
  jobs: readonly Job[],
  current: Pick<CurrentJobState, "id" | "idsBefore">,
) => readonly QueueItem[] {
  let last: readonly QueueItem[] = [];
  return (jobs, { id: currentId, idsBefore }) => {
    const isListed = ({ id, batchId }: Job) =>
      id !== currentId && (idsBefore === null || batchId !== undefined || idsBefore.has(id));
    const items = itemsOf(jobs.filter(isListed));
    if (!areSameItems(last, items)) last = items;
    return last;
  };
}

/** The fields that change while a job is processing. Every other field is shown by the whole row. */
const PROGRESS_FIELDS: ReadonlySet<string> = new Set<keyof ProcessingJob>([
  "progress",
  "stage",
  "etaSeconds",
  "bytesPerSecond",
  "updatedAt",
]);

/** Whether two versions of a job are equal apart from their progress. */
function isSameButForProgress(a: Job, b: Job): boolean {
  if (a.status !== "processing" || b.status !== "processing") return false;
  const fieldsOfA: Readonly<Record<string, unknown>> = a;
  const fieldsOfB: Readonly<Record<string, unknown>> = b;
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].every((name) => PROGRESS_FIELDS.has(name) || fieldsOfA[name] === fieldsOfB[name]);
}

/** Creates a function that returns the earlier version of the job while only the progress changes. */
export function createStableJob(): (job: Job | undefined) => Job | undefined {
  let last: Job | undefined;
  return (job) => {
    if (!(job && last && isSameButForProgress(job, last))) last = job;
    return last;
  };
}

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
