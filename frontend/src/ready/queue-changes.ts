/** Finds what has changed between two states of the queue, above all what has ended. */
import { isActive } from "../../../common/job.ts";
import type { Job } from "../../../common/job.ts";
import { jobsToShow } from "../stores/jobs.ts";
import type { JobsStore } from "../stores/jobs.ts";
import { tallyOf } from "../stores/batch-tally.ts";

export interface Ended {
  /** Of the batch, or of the single job. */
  readonly id: string;
  /** All jobs of the batch, or the single job. */
  readonly jobs: readonly Job[];
}

export interface QueueChange {
  readonly before: readonly Job[];
  readonly now: readonly Job[];
  readonly ended: readonly Ended[];
}

/**
 * A batch ends once, with its last job. Leaves out canceled jobs, because the user canceled them, and those whose retry was
 * refused: they are back at the attempt before.
 */
export function endedBetween(before: readonly Job[], now: readonly Job[]): Ended[] {
  const active = new Map(before.filter((job) => isActive(job.status)).map((job) => [job.id, job.attempt]));
  const hasEnded = ({ id, attempt, status }: Job) =>
    attempt >= (active.get(id) ?? Infinity) && (status === "completed" || status === "failed");
  const ended = now.filter(hasEnded);
  const batches = new Set(ended.flatMap(({ batchId }) => batchId ?? []));
  return [
    ...ended.filter(({ batchId }) => batchId === undefined).map((job) => ({ id: job.id, jobs: [job] })),
    ...[...batches].flatMap((id) => {
      const jobs = now.filter((job) => job.batchId === id);
      return jobs.some((job) => isActive(job.status)) || tallyOf(jobs).following > 0 ? [] : [{ id, jobs }];
    }),
  ];
}

/** Calls the handlers with each change of the queue from now on. */
export function followQueue(jobs: JobsStore, handlers: readonly ((change: QueueChange) => void)[]): void {
  let before = jobsToShow(jobs.getState());
  jobs.subscribe((state) => {
    const now = jobsToShow(state);
    if (now === before) return;
    const change = { before, now, ended: endedBetween(before, now) };
    before = now;
    for (const handle of handlers) handle(change);
  });
}
