/** What can be done with a row. Each shows its outcome at once and takes it back if the server refuses. */
import { ApiError, sentenceFor } from "../../api.ts";
import type { Api } from "../../api.ts";
import type { Notify } from "../../notice.ts";
import type { Intent, JobsStore } from "../../stores/jobs.ts";
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
  async function act(id: string, intent: Intent, ask: () => Promise<Job | null>, failure: [string, string]): Promise<void> {
    const { intend, receive, settle } = jobs.getState();
    intend(id, intent);
    try {
      receive((await ask()) ?? { id, removed: true });
    } catch (error) {
      // Somebody else has removed it already; there is nothing left to act on or to complain about.
      if (error instanceof ApiError && error.status === 404) receive({ id, removed: true });
      else notify({ kind: "error", title: failure[0], description: sentenceFor(error, failure[1]) });
    } finally {
      settle(id);
    }
  }

  return {
    cancel: (id) => act(id, "cancel", () => api.cancelConversion(id), ["Cancel Failed", "Failed to cancel conversion"]),
    remove: (id) => act(id, "remove", () => api.removeConversion(id).then(() => null), ["Remove Failed", "Failed to remove conversion"]),
    retry: (id) => act(id, "retry", () => api.retryConversion(id), ["Retry Failed", "Failed to retry conversion"]),
  };
}
