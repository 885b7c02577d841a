/** Actions on a whole batch. Their result is shown at once and reverted if the server refuses. */
import { isActive } from "../../../common/job.ts";
import type { Job } from "../../../common/job.ts";
import { isAbort, sentenceFor } from "../api/errors.ts";
import type { Notify } from "../stores/notice.ts";
import type { Requests } from "../outbox/requests.ts";
import { jobsToShow } from "../stores/jobs.ts";
import type { JobsStore } from "../stores/jobs.ts";
import type { Texts } from "../texts/en.ts";
import { currentTexts } from "../texts/store.ts";

export interface BatchActions {
  cancelAll(batchId: string): Promise<void>;
  retryFailed(batchId: string): Promise<void>;
  /** Shows the result of a request that an earlier page made, until its answer arrives. */
  follow(jobIds: readonly string[], intent: "cancel" | "retry", answer: Promise<Job[]>): Promise<void>;
}

export interface BatchActionParts {
  readonly api: Pick<Requests, "cancelBatch" | "retryBatch">;
  readonly jobs: JobsStore;
  readonly notify: Notify;
}

const FAILURES = { cancel: "cancelFailed", retry: "retryFailed" } as const satisfies Partial<
  Record<string, keyof Texts["job"]["notices"]>
>;

export function createBatchActions({ api, jobs, notify }: BatchActionParts): BatchActions {
  const idsOf = (batchId: string, isAffected: (job: Job) => boolean) =>
    jobsToShow(jobs.getState())
      .filter((job) => job.batchId === batchId && isAffected(job))
      .map(({ id }) => id);

  async function act(ids: readonly string[], intent: "cancel" | "retry", request: () => Promise<Job[]>): Promise<void> {
    jobs.getState().intendAll(ids, intent);
    try {
      jobs.getState().receiveAll(await request());
    } catch (error) {
      if (isAbort(error)) return;
      const { title, description } = currentTexts().job.notices[FAILURES[intent]];
      notify({ kind: "error", title, description: sentenceFor(error, description) });
    } finally {
      jobs.getState().settleAll(ids);
    }
  }

  const actOn = (
    batchId: string,
    isAffected: (job: Job) => boolean,
    intent: "cancel" | "retry",
    request: (ids: readonly string[]) => Promise<Job[]>,
  ) => {
    const ids = idsOf(batchId, isAffected);
    return act(ids, intent, () => request(ids));
  };

  return {
    cancelAll: (batchId) =>
      actOn(
        batchId,
        (job) => isActive(job.status),
        "cancel",
        (ids) => api.cancelBatch(batchId, ids),
      ),
    retryFailed: (batchId) =>
      actOn(
        batchId,
        (job) => job.status === "failed" || job.status === "canceled",
        "retry",
        (ids) => api.retryBatch(batchId, ids),
      ),
    follow: (ids, intent, answer) => act(ids, intent, () => answer),
  };
}
