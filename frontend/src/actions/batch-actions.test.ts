import { describe, expect, it } from "vitest";
import type { Job } from "../../../common/job.ts";
import { ApiError } from "../api/errors.ts";
import type { Notice } from "../stores/notice.ts";
import { createJobsStore, jobsToShow } from "../stores/jobs.ts";
import { makeJob } from "../testing/sample-jobs.ts";
import { createBatchActions } from "./batch-actions.ts";

/** A batch with two processing jobs; what is sent is answered when the test says so. */
function openBatch() {
  const member = (id: string, status: string) => makeJob({ id, batchId: "b", status });
  const jobs = createJobsStore();
  jobs.getState().receiveAll([member("one", "processing"), member("two", "processing")]);
  const sent: string[] = [];
  const cancel = Promise.withResolvers<Job[]>();
  const retry = Promise.withResolvers<Job[]>();
  const notices: Notice[] = [];
  const actions = createBatchActions({
    api: {
      cancelBatch: async (_id, _jobIds, after) => (await after, sent.push("cancel"), cancel.promise),
      retryBatch: async (_id, _jobIds, after) => (await after, sent.push("retry"), retry.promise),
    },
    jobs,
    notify: (notice) => notices.push(notice),
  });
  const intents = () => [...new Set([...jobs.getState().intents.values()].map(({ intent }) => intent))];
  const statuses = () => jobsToShow(jobs.getState()).map(({ status }) => status);
  return { actions, sent, cancel, retry, notices, intents, statuses };
}

describe("actions on a batch", () => {
  it("are sent one after the other, and the result of the last is shown until it is answered", async () => {
    const { actions, sent, cancel, retry, intents, statuses } = openBatch();
    const canceling = actions.cancelAll("b");
    const retrying = actions.retryFailed("b");
    await Promise.resolve();
    expect(sent).toEqual(["cancel"]);
    cancel.resolve([]);
    await canceling;
    expect(sent).toEqual(["cancel", "retry"]);
    expect(intents()).toEqual(["retry"]);
    retry.resolve([]);
    await retrying;
    expect(intents()).toEqual([]);
    expect(statuses()).toEqual(["processing", "processing"]);
  });

  it("are reverted with a toast when the server refuses", async () => {
    const { actions, cancel, notices, statuses } = openBatch();
    const canceling = actions.cancelAll("b");
    expect(statuses()).toEqual(["canceled", "canceled"]);
    cancel.reject(new ApiError(409, "Conflict", '{"code":"conflict","message":"It has changed."}'));
    await canceling;
    expect(statuses()).toEqual(["processing", "processing"]);
    expect(notices).toEqual([{ kind: "error", title: "Cancel Failed", description: "It has changed." }]);
  });
});
