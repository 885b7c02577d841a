/** Finds jobs and batches that have ended between two states of the queue. */
import { isActive } from "../../../../common/job.ts";
import type { Job } from "../../../../common/job.ts";

export type Ended =
  | { readonly id: string; readonly job: Job }
  /** A batch counts once, when its last job has ended. */
  | { readonly id: string; readonly batch: readonly Job[] };

/** Leaves out canceled jobs, because the user canceled them. */
export function endedBetween(before: readonly Job[], now: readonly Job[]): Ended[] {
  const wasActive = new Set(before.filter((job) => isActive(job.status)).map((job) => job.id));
  const ended = now.filter((job) => wasActive.has(job.id) && (job.status === "completed" || job.status === "failed"));
  const batches = new Set(ended.flatMap(({ batchId }) => batchId ?? []));
  return [
    ...ended.filter(({ batchId }) => batchId === undefined).map((job) => ({ id: job.id, job })),
    ...[...batches].flatMap((id) => {
      const batch = now.filter((job) => job.batchId === id);
      return batch.some((job) => isActive(job.status)) ? [] : [{ id, batch }];
    }),
  ];
}
