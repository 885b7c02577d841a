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
import { createTurns } from "./in-turn.ts";

export interface BatchActions {
  cancelAll(batchId: string): Promise<void>;
  retryFailed(batchId: string): Promise<void>;
  /** Shows the result of a request that an earlier page made, until its answer arrives. */
  follow(batchId: string, jobIds: readonly string[], intent: "cancel" | "retry", answer: Promise<Job[]>): Promise<void>;
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
  const inTurn = createTurns();
  /** The jobs of each batch whose intended result is shown. */
  const intended = new Map<string, readonly string[]>();

  const idsOf = (batchId: string, isAffected: (job: Job) => boolean) =>
    jobsToShow(jobs.getState())
      .filter((job) => job.batchId === batchId && isAffected(job))
      .map(({ id }) => id);

  async function showAnswer(intent: "cancel" | "retry", answer: Promise<Job[]>): Promise<void> {
    try {
      jobs.getState().receiveAll(await answer);
    } catch (error) {
      if (isAbort(error)) return;
      const { title, description } = currentTexts().job.notices[FAILURES[intent]];
      notify({ kind: "error", title, description: sentenceFor(error, description) });
    }
  }

  function act(
    batchId: string,
    ids: readonly string[],
    intent: "cancel" | "retry",
    request: (after?: Promise<void>) => Promise<Job[]>,
  ): Promise<void> {
    jobs.getState().intend(ids, intent);
    intended.set(batchId, [...(intended.get(batchId) ?? []), ...ids]);
    return inTurn(
      batchId,
      (before) => showAnswer(intent, request(before)),
      () => {
        jobs.getState().settle(intended.get(batchId) ?? []);
        intended.delete(batchId);
      },
    );
  }

  return {
    cancelAll(batchId) {
      const ids = idsOf(batchId, (job) => isActive(job.status));
      return act(batchId, ids, "cancel", (after) => api.cancelBatch(batchId, ids, after));
    },
    retryFailed(batchId) {
      const ids = idsOf(batchId, (job) => job.status === "failed" || job.status === "canceled");
      return act(batchId, ids, "retry", (after) => api.retryBatch(batchId, ids, after));
    },
    follow: (batchId, ids, intent, answer) => act(batchId, ids, intent, () => answer),
  };
}
