/** Actions on one job. Their result is shown at once and reverted if the server refuses. */
import { ApiError, isAbort, sentenceFor } from "../api/errors.ts";
import type { Requests } from "../outbox/requests.ts";
import type { Notify } from "../stores/notice.ts";
import type { Intent, JobsStore } from "../stores/jobs.ts";
import type { Texts } from "../texts/en.ts";
import { currentTexts } from "../texts/store.ts";
import type { Job } from "../../../common/job.ts";
import { createTurns } from "./in-turn.ts";

export interface JobActions {
  cancel(id: string): Promise<void>;
  remove(id: string): Promise<void>;
  retry(id: string): Promise<void>;
  /** Shows the result of a request that an earlier page made, until its answer arrives. */
  follow(id: string, intent: Intent, answer: Promise<Job | null>): Promise<void>;
}

export interface JobActionParts {
  readonly api: Pick<Requests, "cancelConversion" | "removeConversion" | "retryConversion">;
  readonly jobs: JobsStore;
  readonly notify: Notify;
}

const FAILURES = { cancel: "cancelFailed", remove: "removeFailed", retry: "retryFailed" } as const satisfies Record<
  Intent,
  keyof Texts["job"]["notices"]
>;

export function createJobActions({ api, jobs, notify }: JobActionParts): JobActions {
  const inTurn = createTurns();

  function act(id: string, intent: Intent, request: (after?: Promise<void>) => Promise<Job | null>): Promise<void> {
    jobs.getState().intend([id], intent);
    return inTurn(
      id,
      (before) => showAnswer(id, intent, request(before)),
      () => jobs.getState().settle([id]),
    );
  }

  /** Never rejects: a toast reports the failure. */
  async function showAnswer(id: string, intent: Intent, answer: Promise<Job | null>): Promise<void> {
    const { receive } = jobs.getState();
    try {
      const job = await answer;
      receive(job ?? { id, removed: true });
      if (intent === "cancel" && job?.status === "canceled")
        notify({ kind: "info", ...currentTexts().converter.notices.canceled });
    } catch (error) {
      // The job was removed already, for instance in another window.
      if (error instanceof ApiError && error.status === 404) receive({ id, removed: true });
      else if (!isAbort(error)) {
        const { title, description } = currentTexts().job.notices[FAILURES[intent]];
        notify({ kind: "error", title, description: sentenceFor(error, description) });
      }
    }
  }

  return {
    cancel: (id) => act(id, "cancel", (after) => api.cancelConversion(id, after)),
    remove: (id) => act(id, "remove", (after) => api.removeConversion(id, after)),
    retry: (id) => act(id, "retry", (after) => api.retryConversion(id, after)),
    follow: (id, intent, answer) => act(id, intent, () => answer),
  };
}
