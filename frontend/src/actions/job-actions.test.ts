import { describe, expect, it } from "vitest";
import type { Job } from "../../../common/job.ts";
import { ApiError } from "../api/errors.ts";
import type { Notice } from "../stores/notice.ts";
import { makeJob } from "../testing/sample-jobs.ts";
import { createJobsStore, jobsToShow } from "../stores/jobs.ts";
import { createJobActions } from "./job-actions.ts";
import type { JobActionParts } from "./job-actions.ts";

function actionsOn(job: Job, answer: () => Promise<Job>) {
  const jobs = createJobsStore();
  jobs.getState().receive(job);
  const notices: Notice[] = [];
  const api = {
    cancelConversion: answer,
    retryConversion: answer,
    removeConversion: async () => (await answer(), null),
  };
  const actions = createJobActions({ api, jobs, notify: (notice) => notices.push(notice) });
  return { actions, notices, status: () => jobsToShow(jobs.getState())[0]?.status };
}

describe("cancel", () => {
  it("shows the job as canceled at once and after the server's answer", async () => {
    const canceled = makeJob({ status: "canceled" });
    const { actions, status, notices } = actionsOn(makeJob({ status: "processing" }), () => Promise.resolve(canceled));
    const canceling = actions.cancel("one");
    expect(status()).toBe("canceled");
    await canceling;
    expect(status()).toBe("canceled");
    expect(notices).toEqual([
      { kind: "info", title: "Conversion Canceled", description: "URL conversion has been canceled" },
    ]);
  });

  it("says nothing of a cancellation when the job has ended before", async () => {
    const { actions, notices } = actionsOn(makeJob(), () => Promise.resolve(makeJob({ status: "completed" })));
    await actions.cancel("one");
    expect(notices).toEqual([]);
  });

  it("is reverted with a toast when the server refuses", async () => {
    const refusal = new ApiError(409, "Conflict", '{"code":"conflict","message":"It has changed."}');
    const { actions, status, notices } = actionsOn(makeJob({ status: "processing" }), () => Promise.reject(refusal));
    await actions.cancel("one");
    expect(status()).toBe("processing");
    expect(notices).toEqual([{ kind: "error", title: "Cancel Failed", description: "It has changed." }]);
  });

  it("shows its own text when there is no response", async () => {
    const { actions, notices } = actionsOn(makeJob(), () => Promise.reject(new TypeError("fetch failed")));
    await actions.cancel("one");
    expect(notices).toEqual([{ kind: "error", title: "Cancel Failed", description: "Failed to cancel conversion" }]);
  });
});

it("removes a job that the server does not have, without a toast", async () => {
  const { actions, status, notices } = actionsOn(makeJob({ status: "failed" }), () =>
    Promise.reject(new ApiError(404, "Not Found", "")),
  );
  await actions.retry("one");
  expect(status()).toBeUndefined();
  expect(notices).toEqual([]);
});

it("removes a removed job from the list", async () => {
  const { actions, status } = actionsOn(makeJob({ status: "completed" }), () => Promise.resolve(makeJob()));
  await actions.remove("one");
  expect(status()).toBeUndefined();
});

it("sends requests for one job one after the other and shows the result of the last", async () => {
  const jobs = createJobsStore();
  jobs.getState().receive(makeJob({ status: "canceled" }));
  const sent: string[] = [];
  const send = (name: string) => void sent.push(name);
  const retried = Promise.withResolvers<Job>();
  const api: JobActionParts["api"] = {
    retryConversion: () => (send("retry"), retried.promise),
    cancelConversion: async (_id, after) => (await after, send("cancel"), makeJob({ status: "canceled", attempt: 2 })),
    removeConversion: async (_id, after) => (await after, send("remove"), null),
  };
  const actions = createJobActions({ api, jobs, notify: () => undefined });
  const requests = [actions.retry("one"), actions.cancel("one"), actions.remove("one")];
  expect(jobsToShow(jobs.getState())).toEqual([]);
  retried.resolve(makeJob({ status: "queued", attempt: 2 }));
  await requests[0];
  expect(sent).toEqual(["retry", "cancel"]);
  expect(jobsToShow(jobs.getState())).toEqual([]);
  await Promise.all(requests);
  expect(sent).toEqual(["retry", "cancel", "remove"]);
  expect(jobsToShow(jobs.getState())).toEqual([]);
});

it("sends a request although the one before it was refused", async () => {
  const { actions, status, notices } = actionsOn(makeJob({ status: "failed" }), () =>
    Promise.reject(new ApiError(409, "Conflict", "")),
  );
  await Promise.all([actions.retry("one"), actions.remove("one")]);
  expect(notices.map(({ title }) => title)).toEqual(["Retry Failed", "Remove Failed"]);
  expect(status()).toBe("failed");
});
