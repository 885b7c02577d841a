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
