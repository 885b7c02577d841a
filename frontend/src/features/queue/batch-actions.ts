/** What can be done with a whole batch; shown at once, and taken back if the server refuses. */
import { isActive } from "../../../../common/job.ts";
import type { Job } from "../../../../common/job.ts";
import { sentenceFor } from "../../api.ts";
import type { Api } from "../../api.ts";
import type { Notify } from "../../notice.ts";
import { jobsToShow } from "../../stores/jobs.ts";
import type { Intent, JobsStore } from "../../stores/jobs.ts";
import type { Texts } from "../../texts/en.ts";
import { currentTexts } from "../../texts/store.ts";

export interface BatchActions {
  cancelAll(batchId: string): Promise<void>;
  retryFailed(batchId: string): Promise<void>;
}

export interface BatchActionParts {
  readonly api: Pick<Api, "cancelBatch" | "retryBatch">;
  readonly jobs: JobsStore;
  readonly notify: Notify;
}

export function createBatchActions({ api, jobs, notify }: BatchActionParts): BatchActions {
  const idsOf = (batchId: string, fits: (job: Job) => boolean) =>
    jobsToShow(jobs.getState())
      .filter((job) => job.batchId === batchId && fits(job))
      .map(({ id }) => id);

  async function act(ids: readonly string[], intent: Intent, ask: () => Promise<Job[]>, failure: keyof Texts["job"]["notices"]): Promise<void> {
    jobs.getState().intendAll(ids, intent);
    try {
      jobs.getState().receiveAll(await ask());
    } catch (error) {
      const { title, description } = currentTexts().job.notices[failure];
      notify({ kind: "error", title, description: sentenceFor(error, description) });
    } finally {
      jobs.getState().settleAll(ids);
    }
  }

  return {
    cancelAll: (batchId) =>
      act(idsOf(batchId, (job) => isActive(job.status)), "cancel", () => api.cancelBatch(batchId), "cancelFailed"),
    retryFailed: (batchId) =>
      act(idsOf(batchId, (job) => job.status === "failed" || job.status === "canceled"), "retry", () => api.retryBatch(batchId), "retryFailed"),
  };
}
