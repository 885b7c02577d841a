/** Words about a job or a batch that has ended. */
import type { Job } from "../../../common/job.ts";
import { tallyOf } from "../stores/batch-tally.ts";
import { currentFormats, currentTexts } from "../texts/store.ts";

/** @param jobs a single job, or all of a batch @returns the title, or else "Batch of 3 videos" */
export function nameOf(jobs: readonly Job[]): string {
  const [first] = jobs;
  if (first?.batchId === undefined) return first?.title ?? "";
  return first.batchTitle ?? currentTexts().batch.name(jobs.length);
}

/** @param jobs all of a batch @returns for example "2 done, 1 failed" */
export function outcomeOf(jobs: readonly Job[]): string {
  const { batch } = currentTexts();
  const { done, failed } = tallyOf(jobs);
  const counts = [...(done > 0 ? [batch.done(done)] : []), ...(failed > 0 ? [batch.failed(failed)] : [])];
  return currentFormats().list(counts);
}
