/** Actions on one job. Their result is shown at once and reverted if the server refuses. */
import { ApiError, isAbort, sentenceFor } from "../api/errors.ts";
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
  /** The last request for each job; an earlier one that ends must not reset the shown intent of a later one. */
  const latest = new Map<string, Promise<void>>();

  function act(id: string, intent: Intent, request: () => Promise<Job | null>): Promise<void> {
    jobs.getState().intend(id, intent);
    // Requests for one job are sent one after the other: sent together, the later one could arrive first, and a
    // removed job would be running.
    const settled: Promise<void> = (latest.get(id) ?? Promise.resolve())
      .then(() => finishRequest(id, intent, request))
      .finally(() => {
        if (latest.get(id) !== settled) return;
        latest.delete(id);
        jobs.getState().settle(id);
      });
    latest.set(id, settled);
    return settled;
  }

  /** Never rejects: a toast reports the failure. */
  async function finishRequest(id: string, intent: Intent, request: () => Promise<Job | null>): Promise<void> {
    const { receive } = jobs.getState();
    try {
      const job = await request();
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
    cancel: (id) => act(id, "cancel", () => api.cancelConversion(id)),
    remove: (id) => act(id, "remove", () => api.removeConversion(id).then(() => null)),
    retry: (id) => act(id, "retry", () => api.retryConversion(id)),
    follow(id, intent, answer) {
      // It may reject before its turn comes, which would count as an unhandled rejection.
      answer.catch(() => undefined);
      return act(id, intent, () => answer);
    },
  };
}
