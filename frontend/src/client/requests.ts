/** The client's changes of jobs and batches, which wait in the outbox while the network is away. */
import { createBatchActions } from "../actions/batch-actions.ts";
import { createJobActions } from "../actions/job-actions.ts";
import { Outbox } from "../outbox/outbox.ts";
import { createRequests } from "../outbox/requests.ts";
import { browser, isOnline, storage } from "../platform/runtime.ts";
import { createLateAnswers, resumeEntry, retryOnReconnect } from "./outbox-wiring.ts";
import { notingLinks } from "./job-links.ts";
import { noteOwn } from "./own-jobs.ts";
import { hookOf } from "./store-hook.ts";
import { api, connection, jobs, user, viewerId } from "./stores.ts";
import { closeToast, notify } from "./toaster.ts";

const { onExpired, ...lateAnswers } = createLateAnswers({ jobs, notify, noteOwn });
const outbox = new Outbox({ storage, windows: browser, isOnline, viewerId, onExpired });
export const requests = createRequests({ api: notingLinks(api), outbox, viewerId, ...lateAnswers });
export const batchActions = createBatchActions({ api: requests, jobs, notify });
export const jobActions = createJobActions({ api: requests, jobs, notify });
/** Takes back a waiting request. */
export const withdrawRequest = requests.takeBack;
export const useOutbox = hookOf(outbox.store);

outbox.store.subscribe(({ waiting }) => {
  if (waiting.length === 0) closeToast("network");
});

/** Sends the entries that an earlier page has stored. Called once the page is rendered. */
export function startOutbox(): void {
  // The network may have changed while the page loaded.
  connection.getState().setOnline(isOnline());
  retryOnReconnect({ outbox, connection, user, browser });
  outbox.start((entry) => resumeEntry(entry, { requests, jobActions, batchActions }));
}
