/** Hooks with which each row subscribes to its own part of the jobs store, so that a push renders only that row. */
import { useState } from "react";
import { useShallow } from "zustand/react/shallow";
import type { Job } from "../../../../common/job.ts";
import { useJobs } from "../../client/client.ts";
import { jobsById, jobsToShow } from "../../stores/jobs.ts";
import { createItemSelector, createStableJob, tallyOf } from "../../stores/queue-items.ts";
import type { BatchTally, QueueItem } from "../../stores/queue-items.ts";

/**
 * Subscribes to a job; renders again only for other changes than progress.
 * @returns the job, or its last version after it was removed
 */
export function useStableJob(id: string): Job | undefined {
  const [stabilize] = useState(createStableJob);
  const job = useJobs((state) => stabilize(jobsById(state).get(id)));
  const [last, setLast] = useState(job);
  if (job && job !== last) setLast(job);
  return job ?? last;
}

/** Subscribes to the items of the queue. @returns newest first */
export function useQueueItems(): readonly QueueItem[] {
  const [itemsFor] = useState(createItemSelector);
  return useJobs((state) => itemsFor(jobsToShow(state)));
}

/** Subscribes to the counts and the progress of a batch. */
export function useTally(jobIds: readonly string[]): BatchTally {
  return useJobs(useShallow((state) => tallyOf(jobIds.flatMap((id) => jobsById(state).get(id) ?? []))));
}

/** Subscribes to the counts of a batch; does not render again for progress. */
export function useCounts(jobIds: readonly string[]): Omit<BatchTally, "percent"> {
  return useJobs(
    useShallow((state) => ({ ...tallyOf(jobIds.flatMap((id) => jobsById(state).get(id) ?? [])), percent: undefined })),
  );
}
