/** The client's changes of jobs, and its requests for new ones. Until the outbox is loaded they wait for it. */
import { createJobActions } from "../actions/job-actions.ts";
import type { Requests } from "../outbox/requests.ts";
import { laterScript } from "../platform/later-script.ts";
import { jobs } from "./stores.ts";
import { notify } from "./toaster.ts";

export const outboxScript = laterScript(() => import("./outbox.ts"));

/** Loads the outbox and lets it begin, also when it could not be loaded earlier. @returns null without a network */
export async function startOutbox() {
  const script = await outboxScript.load();
  script?.start();
  return script;
}

/** @throws TypeError like a request without a network, and what the signal was aborted with */
async function whenLoaded(signal?: AbortSignal): Promise<Requests> {
  const script = await startOutbox();
  signal?.throwIfAborted();
  if (!script) throw new TypeError("the outbox could not be loaded");
  return script.requests;
}

type Early =
  "createConversion" | "createBatch" | "createSelection" | "cancelConversion" | "removeConversion" | "retryConversion";

export const requests: Pick<Requests, Early> = {
  createConversion: async (input, signal) => (await whenLoaded(signal)).createConversion(input, signal),
  createBatch: async (input) => (await whenLoaded()).createBatch(input),
  createSelection: async (input, signal) => (await whenLoaded(signal)).createSelection(input, signal),
  cancelConversion: async (...change) => (await whenLoaded()).cancelConversion(...change),
  removeConversion: async (...change) => (await whenLoaded()).removeConversion(...change),
  retryConversion: async (...change) => (await whenLoaded()).retryConversion(...change),
};

export const jobActions = createJobActions({ api: requests, jobs, notify });
