/** What the outbox means to the rest of the client: where its answers go, and when it is to try again. */
import type { BatchAnswer } from "../../../common/api.ts";
import type { Job } from "../../../common/job.ts";
import { sentenceFor } from "../api/api.ts";
import type { Notify } from "../stores/notice.ts";
import type { ConnectionStore } from "../stores/connection.ts";
import type { JobsStore } from "../stores/jobs.ts";
import type { UserStore } from "../stores/user.ts";
import { currentTexts, sentenceOf } from "../texts/store.ts";
import type { BatchActions } from "../actions/batch-actions.ts";
import type { JobActions } from "../actions/job-actions.ts";
import type { Outbox } from "../outbox/outbox.ts";
import type { Requests } from "../outbox/requests.ts";
import type { Wish } from "../outbox/entries.ts";

/** Answers to requests whose form is long empty: into the list, or a word on why not. */
export function createLateAnswers({ jobs, notify }: { readonly jobs: JobsStore; readonly notify: Notify }) {
  return {
    onLateJob: (job: Job) => jobs.getState().receive(job),
    onLateBatch(answer: BatchAnswer): void {
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

export interface TakeUpParts {
  readonly requests: Requests;
  readonly jobActions: Pick<JobActions, "follow">;
  readonly batchActions: Pick<BatchActions, "follow">;
}

/** Asks again for what an earlier page has left, under the key it was given there. */
export function takeUp(wish: Wish, { requests, jobActions, batchActions }: TakeUpParts): void {
  switch (wish.kind) {
    case "convert":
      return requests.resumeConvert(wish);
    case "convertBatch":
      return requests.resumeBatch(wish);
    case "cancelBatch":
    case "retryBatch":
      return void batchActions.follow(
        wish.jobIds,
        wish.kind === "cancelBatch" ? "cancel" : "retry",
        requests.resumeForBatch(wish),
      );
    default:
      return void jobActions.follow(wish.id, wish.kind, requests.resumeForJob(wish));
  }
}

export interface FollowParts {
  readonly outbox: Outbox;
  readonly connection: ConnectionStore;
  readonly user: UserStore;
  readonly browser: EventTarget;
}

/** Every sign that the network is back, or that it is known who is there. */
export function followConnection({ outbox, connection, user, browser }: FollowParts): void {
  browser.addEventListener("online", () => outbox.hurry());
  browser.addEventListener("pageshow", () => outbox.hurry());
  connection.subscribe((now, before) => {
    if (now.status === "connected" && before.status !== "connected") outbox.hurry();
  });
  user.subscribe((now, before) => {
    if (now.phase === before.phase && now.user?.id === before.user?.id) return;
    // Another person at the same page: what the last one asked for is not theirs.
    if (before.phase === "signed-in" && now.user?.id !== before.user?.id) outbox.forget();
    outbox.hurry();
  });
}
