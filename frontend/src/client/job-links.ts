/** The links of the visitor's jobs, for what helps after a job has failed or its file has expired. */
import type { RefusedLine } from "../../../common/api.ts";
import type { Job } from "../../../common/job.ts";
import type { Api } from "../api/api.ts";
import { storage } from "../platform/runtime.ts";
import { createOwnLinks } from "../stores/own-links.ts";

/** Of single jobs and batches. They are as long in the browser as its jobs. */
export const links = createOwnLinks(storage);
/** Of videos that were chosen from a list, by batch: most of their jobs are made later. */
const selections = new Map<string, readonly string[]>();

const acceptedOf = (urls: readonly string[], refused: readonly RefusedLine[]) =>
  urls.filter((_, index) => refused.every(({ line }) => line !== index + 1));

/** @returns undefined for a job of another browser */
export function linkOf({ id, batchId = "", batchPosition = -1 }: Job): string | undefined {
  return links.of(id) ?? selections.get(batchId)?.[batchPosition];
}

/** Must be called when another user's jobs are shown. */
export function forgetLinks(): void {
  links.forget();
  selections.clear();
}

/** @returns the API, whose answers about new jobs are noted, also those that come late */
export function notingLinks(api: Api): Api {
  return {
    ...api,
    async createConversion(input, ...rest) {
      const job = await api.createConversion(input, ...rest);
      links.add(job.id, input.youtubeUrl);
      return job;
    },
    async createBatch(input, ...rest) {
      const answer = await api.createBatch(input, ...rest);
      const accepted = acceptedOf(input.urls, answer.refused);
      // A line may have several links; then it is not known which job is whose.
      if (accepted.length === answer.jobs.length)
        answer.jobs.forEach(({ id }, index) => links.add(id, accepted[index] ?? ""));
      return answer;
    },
    async createSelection(input, ...rest) {
      const answer = await api.createSelection(input, ...rest);
      selections.set(answer.batchId, acceptedOf(input.urls, answer.refused));
      return answer;
    },
  };
}
