/** What can be done with a row. Each shows its outcome at once and takes it back if the server refuses. */
import { ApiError, sentenceFor } from "../../api.ts";
import type { Api } from "../../api.ts";
import type { Notify } from "../../notice.ts";
import type { Intent, JobsStore } from "../../stores/jobs.ts";
import type { Texts } from "../../texts/en.ts";
import { currentTexts } from "../../texts/store.ts";
import type { Job } from "../../../../common/job.ts";

export interface JobActions {
  cancel(id: string): Promise<void>;
  remove(id: string): Promise<void>;
  retry(id: string): Promise<void>;
}

export interface JobActionParts {
  readonly api: Pick<Api, "cancelConversion" | "removeConversion" | "retryConversion">;
  readonly jobs: JobsStore;
  readonly notify: Notify;
}

export function createJobActions({ api, jobs, notify }: JobActionParts): JobActions {
  async function act(id: string, intent: Intent, ask: () => Promise<Job | null>, failure: keyof Texts["job"]["notices"]): Promise<void> {
    const { intend, receive, settle } = jobs.getState();
    intend(id, intent);
    try {
      receive((await ask()) ?? { id, removed: true });
    } catch (error) {
      // Somebody else has removed it already; there is nothing left to act on or to complain about.
      if (error instanceof ApiError && error.status === 404) receive({ id, removed: true });
      else {
        const { title, description } = currentTexts().job.notices[failure];
        notify({ kind: "error", title, description: sentenceFor(error, description) });
      }
    } finally {
      settle(id);
    }
  }

  return {
    cancel: (id) => act(id, "cancel", () => api.cancelConversion(id), "cancelFailed"),
    remove: (id) => act(id, "remove", () => api.removeConversion(id).then(() => null), "removeFailed"),
    retry: (id) => act(id, "retry", () => api.retryConversion(id), "retryFailed"),
  };
}
