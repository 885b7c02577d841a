/** Hooks with which each row subscribes to its own part of the jobs store, so that a push renders only that row. */
import { createContext, useContext, useState } from "react";
import { useShallow } from "zustand/react/shallow";
import type { Job } from "../../../../common/job.ts";
import { canRetry } from "../../../../common/remedies.ts";
import { useBatch, useConverter } from "../../client/converter.ts";
import { useCurrentJob, useDevice, useDownloadedUrls, useJobs, usePreviewedJobs } from "../../client/stores.ts";
import { useOutbox } from "../../client/outbox.ts";
import { filesToShow, jobsById, jobsToShow } from "../../stores/jobs.ts";
import { withPreview } from "../../stores/previewed-jobs.ts";
import { tallyOf } from "../../stores/batch-tally.ts";
import type { BatchTally } from "../../stores/batch-tally.ts";
import { createItemSelector, createStableJob } from "../../stores/queue-items.ts";
import type { QueueItem } from "../../stores/queue-items.ts";
import { useIsBatch } from "../converter/ModeToggle.tsx";
import type { JobContentProps } from "./JobContent.tsx";

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

/** {@link useStableJob} with the data of its preview until the server has read the video's metadata. */
export function useShownJob(id: string): Job | undefined {
  const job = useStableJob(id);
  const previewed = usePreviewedJobs((state) => state.byJob.get(id));
  return job && withPreview(job, previewed);
}

/** Subscribes to the items of the queue, which does not list the current job. @returns newest first */
export function useQueueItems(): readonly QueueItem[] {
  const [itemsFor] = useState(createItemSelector);
  const current = useCurrentJob((state) => state);
  return useJobs((state) => itemsFor(jobsToShow(state), current));
}

/** Whether the form that is shown has something to convert. */
function useHasInput(): boolean {
  const isBatch = useIsBatch();
  const hasLines = useBatch(({ text }) => text.trim() !== "");
  const hasLink = useConverter(({ link }) => link.trim() !== "");
  return isBatch ? hasLines : hasLink;
}

/**
 * @returns id of the newest job with a file that the visitor has not downloaded: its Download is the one filled button of
 * the screen. None while the form has a link, because then it is Convert.
 */
export function useMainDownload(): string | undefined {
  const hasInput = useHasInput();
  const urls = useDownloadedUrls();
  return useJobs((state) => (hasInput ? undefined : filesToShow(state).find(({ url }) => !urls.has(url))?.jobId));
}

/** Whether a list of all jobs stands on the page of the converter, which shows the current one with its own Download. */
export const BesideConverter = createContext(false);

/** Whether the Download of a row is the filled button; not where the converter has the same one. */
export function useIsMainDownload(id: string, place: JobContentProps["place"]): boolean {
  const isBeside = useContext(BesideConverter);
  const currentId = useCurrentJob((state) => state.id);
  const isRepeated = isBeside && place !== "converter" && currentId === id;
  return useMainDownload() === id && !isRepeated;
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

/**
 * Whether a retry can help one of the jobs that have failed or, when all have ended, were canceled. Not before a
 * cancellation is confirmed: the second press of a double click on Cancel would start everything anew.
 */
export function useCanRetry(batchId: string, jobIds: readonly string[], isActive: boolean): boolean {
  const tier = useDevice((state) => state.tier);
  // Without a network it is not confirmed for a long time.
  const isCancelKept = useOutbox(({ waiting }) =>
    waiting.some(
      ({ kind, ...entry }) => kind.startsWith("cancel") && "id" in entry && [batchId, ...jobIds].includes(entry.id),
    ),
  );
  return useJobs(
    (state) =>
      (isCancelKept || !jobIds.some((id) => state.intents.get(id)?.intent === "cancel")) &&
      jobIds.some((id) => {
        const job = jobsById(state).get(id);
        return job !== undefined && !(isActive && job.status === "canceled") && canRetry(job, tier);
      }),
  );
}
