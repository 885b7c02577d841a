/** What can be done with a row. Each shows its outcome at once and takes it back if the server refuses. */
import { ApiError, isAbort, sentenceFor } from "../api/api.ts";
import type { Requests } from "../outbox/requests.ts";
import type { Notify } from "../stores/notice.ts";
import type { Intent, JobsStore } from "../stores/jobs.ts";
import type { Texts } from "../texts/en.ts";
import { currentTexts } from "../texts/store.ts";
import type { Job } from "../../../common/job.ts";

export interface JobActions {
  cancel(id: string): Promise<void>;
  remove(id: string): Promise<void>;
  retry(id: string): Promise<void>;
  /** Shows what was asked for on an earlier page, until its answer comes. */
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
  /** The last wish about each job; an earlier one that ends must not take it off the page. */
  const latest = new Map<string, Promise<void>>();

  function act(id: string, intent: Intent, ask: () => Promise<Job | null>): Promise<void> {
    jobs.getState().intend(id, intent);
    // Asked for in the order of the wishes: of two requests on their way the later may arrive first, and a job that was
    // removed would be running.
    const own: Promise<void> = (latest.get(id) ?? Promise.resolve())
      .then(() => settleWish(id, intent, ask))
      .finally(() => {
        if (latest.get(id) !== own) return;
        latest.delete(id);
        jobs.getState().settle(id);
      });
    latest.set(id, own);
    return own;
  }

  /** Never rejects: what went wrong is told. */
  async function settleWish(id: string, intent: Intent, ask: () => Promise<Job | null>): Promise<void> {
    const { receive } = jobs.getState();
    try {
      receive((await ask()) ?? { id, removed: true });
    } catch (error) {
      // Somebody else has removed it already; there is nothing left to act on or to complain about.
      if (error instanceof ApiError && error.status === 404) receive({ id, removed: true });
      else if (!isAbort(error)) {
        const { title, description } = currentTexts().job.notices[FAILURES[intent]];
        notify({ kind: "error", title, description: sentenceFor(error, description) });
      }
    }
  }

  return {
    cancel: (id) => act(id, "cancel", () => api.cancelConversion(id)),
    remove: (id) => act(id, "remove", () => api.removeConversion(id).then(() => null)),
    retry: (id) => act(id, "retry", () => api.retryConversion(id)),
    follow(id, intent, answer) {
      // It may fail before it is its turn to be looked at.
      answer.catch(() => undefined);
      return act(id, intent, () => answer);
    },
  };
}
