/** What rows see of the store: each its own part, so that a push draws what it is about and nothing else. */
import { useState } from "react";
import { useShallow } from "zustand/react/shallow";
import type { Job } from "../../../../common/job.ts";
import { useJobs } from "../../client/client.ts";
import { jobsById, jobsToShow } from "../../stores/jobs.ts";
import { createItemSelector, createStableJob, tallyOf } from "../../stores/queue-items.ts";
import type { BatchTally, QueueItem } from "../../stores/queue-items.ts";

/**
 * The job, or as it stood when it left the list; drawn again only when something else than its progress has changed.
 */
export function useStableJob(id: string): Job | undefined {
  const [keep] = useState(createStableJob);
  const job = useJobs((state) => keep(jobsById(state).get(id)));
  const [last, setLast] = useState(job);
  if (job && job !== last) setLast(job);
  return job ?? last;
}

/** The rows of the queue, newest first. */
export function useQueueItems(): readonly QueueItem[] {
  const [itemsFor] = useState(createItemSelector);
  return useJobs((state) => itemsFor(jobsToShow(state)));
}

/** How a batch stands as a whole. */
export function useTally(jobIds: readonly string[]): BatchTally {
  return useJobs(useShallow((state) => tallyOf(jobIds.flatMap((id) => jobsById(state).get(id) ?? []))));
}

/** The same, but for how far it is. */
export function useCounts(jobIds: readonly string[]): Omit<BatchTally, "percent"> {
  return useJobs(
    useShallow((state) => ({ ...tallyOf(jobIds.flatMap((id) => jobsById(state).get(id) ?? [])), percent: undefined })),
  );
}
