import { describe, expect, it } from "vitest";
import { createBatchActions } from "../actions/batch-actions.ts";
import { createJobActions } from "../actions/job-actions.ts";
import { readEntries } from "../outbox/entries.ts";
import { Outbox } from "../outbox/outbox.ts";
import { createRequests } from "../outbox/requests.ts";
import type { RequestParts } from "../outbox/requests.ts";
import { createJobsStore } from "../stores/jobs.ts";
import { memoryStorage } from "../testing/memory-storage.ts";
import { makeJob } from "../testing/sample-jobs.ts";
import { silentApi } from "../testing/silent-api.ts";
import { createLateAnswers, resumeEntry } from "./outbox-wiring.ts";

const ignore = () => undefined;

/** One page; those of one browser share the storage. */
function openPage(storage: ReturnType<typeof memoryStorage>, isOnline: boolean) {
  const called: string[] = [];
  const firstCall = Promise.withResolvers<void>();
  const note = (name: string) => {
    called.push(name);
    firstCall.resolve();
    return new Promise<never>(ignore);
  };
  const api: RequestParts["api"] = {
    ...silentApi,
    cancelConversion: () => note("cancelConversion"),
    retryConversion: () => note("retryConversion"),
    cancelBatch: () => note("cancelBatch"),
    retryBatch: () => note("retryBatch"),
  };
  const viewerId = () => null;
  const windows = new EventTarget();
  const outbox = new Outbox({ storage, windows, isOnline: () => isOnline, viewerId, onExpired: ignore });
  const late = { onLateJob: ignore, onLateBatch: ignore, onLateRefusal: ignore };
  const requests = createRequests({ api, outbox, viewerId, ...late });
  const jobs = createJobsStore();
  const jobActions = createJobActions({ api: requests, jobs, notify: ignore });
  const batchActions = createBatchActions({ api: requests, jobs, notify: ignore });
  const start = () => outbox.start((entry) => resumeEntry(entry, { requests, jobActions, batchActions }));
  return { jobActions, batchActions, start, called, firstCall: firstCall.promise };
}

describe("of several requests that a page without a network has left, the next page sends the last", () => {
  it("about a job", async () => {
    const storage = memoryStorage();
    const { jobActions } = openPage(storage, false);
    void jobActions.cancel("one");
    void jobActions.retry("one");
    expect(readEntries(storage).map(({ kind }) => kind)).toEqual(["cancel", "retry"]);
    const next = openPage(storage, true);
    next.start();
    await next.firstCall;
    expect(next.called).toEqual(["retryConversion"]);
  });

  it("about a batch", async () => {
    const storage = memoryStorage();
    const { batchActions } = openPage(storage, false);
    void batchActions.retryFailed("b");
    void batchActions.cancelAll("b");
    expect(readEntries(storage).map(({ kind }) => kind)).toEqual(["retryBatch", "cancelBatch"]);
    const next = openPage(storage, true);
    next.start();
    await next.firstCall;
    expect(next.called).toEqual(["cancelBatch"]);
  });
});

it("notes the jobs of late answers as started here, before they are in the list", () => {
  const jobs = createJobsStore();
  const noted: unknown[] = [];
  const answers = createLateAnswers({
    jobs,
    notify: ignore,
    noteOwn: (own, link) => noted.push([own.map(({ id }) => id), link, jobs.getState().table.size]),
  });
  answers.onLateJob(makeJob(), "https://youtu.be/a");
  answers.onLateBatch({ batchId: "b", jobs: [makeJob({ id: "two", batchId: "b" })], refused: [] });
  expect(noted).toEqual([
    [["one"], "https://youtu.be/a", 0],
    [["two"], undefined, 1],
  ]);
});
