/** Connects the outbox to the stores: where late answers go, and when it retries. */
import type { BatchAnswer } from "../../../common/api.ts";
import type { Job } from "../../../common/job.ts";
import { sentenceFor } from "../api/errors.ts";
import type { Notify } from "../stores/notice.ts";
import type { ConnectionStore } from "../stores/connection.ts";
import type { JobsStore } from "../stores/jobs.ts";
import type { UserStore } from "../stores/user.ts";
import { currentTexts, sentenceOf } from "../texts/store.ts";
import type { BatchActions } from "../actions/batch-actions.ts";
import type { JobActions } from "../actions/job-actions.ts";
import type { Outbox } from "../outbox/outbox.ts";
import type { Requests } from "../outbox/requests.ts";
import type { OutboxEntry } from "../outbox/entries.ts";

export interface LateAnswerParts {
  readonly jobs: JobsStore;
  readonly notify: Notify;
  /** Notes that the visitor has started the jobs here. Called before they are in the list. */
  readonly noteOwn: (jobs: readonly Job[], link?: string) => void;
}

/** Callbacks for answers to waiting requests: jobs go into the list, refusals become toasts. */
export function createLateAnswers({ jobs, notify, noteOwn }: LateAnswerParts) {
  return {
    onLateJob(job: Job, link: string): void {
      noteOwn([job], link);
      jobs.getState().receive(job);
    },
    onLateBatch(answer: BatchAnswer): void {
      noteOwn(answer.jobs);
      jobs.getState().receiveAll(answer.jobs);
      const { notices, refused } = currentTexts().converter;
      const [first] = answer.refused;
      if (first)
        notify({
          kind: "error",
          title: notices.batchFailed.title,
          description: `${refused(answer.refused.length)}. ${sentenceOf(first)}`,
        });
    },
    onLateRefusal(error: unknown, kind: "convert" | "convertBatch"): void {
      const { failed, batchFailed } = currentTexts().converter.notices;
      const { title, description } = kind === "convert" ? failed : batchFailed;
      notify({ kind: "error", title, description: sentenceFor(error, description) });
    },
    onExpired: () => notify({ kind: "info", ...currentTexts().network.notices.expired }),
  };
}

export interface ResumeParts {
  readonly requests: Requests;
  readonly jobActions: Pick<JobActions, "follow">;
  readonly batchActions: Pick<BatchActions, "follow">;
}

/** Submits an entry that an earlier page has stored again, under the same key. */
export function resumeEntry(entry: OutboxEntry, { requests, jobActions, batchActions }: ResumeParts): void {
  switch (entry.kind) {
    case "convert":
      return requests.resumeConvert(entry);
    case "takeBack":
      return requests.resumeTakeBack(entry);
    case "convertBatch":
      return requests.resumeBatch(entry);
    case "convertSelection":
      return requests.resumeSelection(entry);
    case "cancelBatch":
    case "retryBatch":
      return void batchActions.follow(
        entry.id,
        entry.jobIds,
        entry.kind === "cancelBatch" ? "cancel" : "retry",
        requests.resumeForBatch(entry),
      );
    default:
      return void jobActions.follow(entry.id, entry.kind, requests.resumeForJob(entry));
  }
}

export interface RetryTriggerParts {
  readonly outbox: Outbox;
  readonly connection: ConnectionStore;
  readonly user: UserStore;
  readonly browser: EventTarget;
}

/** Retries the outbox at every sign that the network is back or the viewer is known. */
export function retryOnReconnect({ outbox, connection, user, browser }: RetryTriggerParts): void {
  browser.addEventListener("online", () => outbox.retryNow());
  browser.addEventListener("pageshow", () => outbox.retryNow());
  connection.subscribe((now, before) => {
    if (now.status === "connected" && before.status !== "connected") outbox.retryNow();
  });
  user.subscribe((now, before) => {
    if (now.phase === before.phase && now.user?.id === before.user?.id) return;
    // The entries belong to the user who signed out.
    if (before.phase === "signed-in" && now.user?.id !== before.user?.id) outbox.withdrawAll();
    outbox.retryNow();
  });
}
