/**
 * The client's outbox, which sends the visitor's changes and keeps them while the network is away. Not part of the first
 * scripts: requests.ts loads it after them.
 */
import { createBatchActions } from "../actions/batch-actions.ts";
import { Outbox } from "../outbox/outbox.ts";
import { createRequests } from "../outbox/requests.ts";
import { browser, isOnline, storage } from "../platform/runtime.ts";
import { createLateAnswers, resumeEntry, retryOnReconnect } from "./outbox-wiring.ts";
import { notingLinks } from "./job-links.ts";
import { noteOwn } from "./own-jobs.ts";
import { jobActions } from "./requests.ts";
import { hookOf } from "./store-hook.ts";
import { api, connection, jobs, user, viewerId } from "./stores.ts";
import { closeToast, notify } from "./toaster.ts";

const { onExpired, ...lateAnswers } = createLateAnswers({ jobs, notify, noteOwn });
const outbox = new Outbox({ storage, windows: browser, isOnline, viewerId, onExpired });
export const requests = createRequests({ api: notingLinks(api), outbox, viewerId, ...lateAnswers });
export const batchActions = createBatchActions({ api: requests, jobs, notify });
/** Takes back a waiting request. */
export const withdrawRequest = requests.takeBack;
export const useOutbox = hookOf(outbox.store);

outbox.store.subscribe(({ waiting }) => {
  if (waiting.length === 0) closeToast("network");
});

let isStarted = false;

/** Sends the entries that an earlier page has stored, once. Called when the page is rendered. */
export function start(): void {
  if (isStarted) return;
  isStarted = true;
  retryOnReconnect({ outbox, connection, user, browser });
  outbox.start((entry) => resumeEntry(entry, { requests, jobActions, batchActions }));
}
