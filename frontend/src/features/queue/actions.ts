/** What can be done with a row. Each shows its outcome at once and takes it back if the server refuses. */
import { ApiError, isAbort, sentenceFor } from "../../api.ts";
import type { Requests } from "../network/requests.ts";
import type { Notify } from "../../notice.ts";
import type { Intent, JobsStore } from "../../stores/jobs.ts";
import type { Texts } from "../../texts/en.ts";
import { currentTexts } from "../../texts/store.ts";
import type { Job } from "../../../../common/job.ts";

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

const FAILURES = { cancel: "cancelFailed", remove: "removeFailed", retry: "retryFailed" } as const satisfies Record<Intent, keyof Texts["job"]["notices"]>;

export function createJobActions({ api, jobs, notify }: JobActionParts): JobActions {
  /** The last wish about each job; an earlier one that ends later must not take it off the page. */
  const latest = new Map<string, symbol>();

  async function act(id: string, intent: Intent, ask: () => Promise<Job | null>): Promise<void> {
    const { intend, receive, settle } = jobs.getState();
    const own = Symbol(intent);
    latest.set(id, own);
    intend(id, intent);
    try {
      receive((await ask()) ?? { id, removed: true });
    } catch (error) {
      // Somebody else has removed it already; there is nothing left to act on or to complain about.
      if (error instanceof ApiError && error.status === 404) receive({ id, removed: true });
      else if (!isAbort(error)) {
        const { title, description } = currentTexts().job.notices[FAILURES[intent]];
        notify({ kind: "error", title, description: sentenceFor(error, description) });
      }
    } finally {
      if (latest.get(id) === own) {
        latest.delete(id);
        settle(id);
      }
    }
  }

  return {
    cancel: (id) => act(id, "cancel", () => api.cancelConversion(id)),
    remove: (id) => act(id, "remove", () => api.removeConversion(id).then(() => null)),
    retry: (id) => act(id, "retry", () => api.retryConversion(id)),
    follow: (id, intent, answer) => act(id, intent, () => answer),
  };
}
