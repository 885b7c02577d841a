import { describe, expect, it } from "vitest";
import type { Job } from "../../../common/job.ts";
import { ApiError } from "../api/api.ts";
import type { Notice } from "../stores/notice.ts";
import { makeJob } from "../testing/sample-jobs.ts";
import { createJobsStore, jobsToShow } from "../stores/jobs.ts";
import { createJobActions } from "./job-actions.ts";

function actionsOn(job: Job, answer: () => Promise<Job>) {
  const jobs = createJobsStore();
  jobs.getState().receive(job);
  const notices: Notice[] = [];
  const api = {
    cancelConversion: answer,
    retryConversion: answer,
    removeConversion: async () => void (await answer()),
  };
  const actions = createJobActions({ api, jobs, notify: (notice) => notices.push(notice) });
  return { actions, notices, status: () => jobsToShow(jobs.getState())[0]?.status };
}

describe("cancel", () => {
  it("shows at once and stays when the server agrees", async () => {
    const canceled = makeJob({ status: "canceled" });
    const { actions, status, notices } = actionsOn(makeJob({ status: "processing" }), () => Promise.resolve(canceled));
    const asked = actions.cancel("one");
    expect(status()).toBe("canceled");
    await asked;
    expect(status()).toBe("canceled");
    expect(notices).toEqual([]);
  });

  it("is taken back with a word when the server does not", async () => {
    const refusal = new ApiError(409, "Conflict", '{"code":"conflict","message":"It has changed."}');
    const { actions, status, notices } = actionsOn(makeJob({ status: "processing" }), () => Promise.reject(refusal));
    await actions.cancel("one");
    expect(status()).toBe("processing");
    expect(notices).toEqual([{ kind: "error", title: "Cancel Failed", description: "It has changed." }]);
  });

  it("has a word of its own when there is no answer", async () => {
    const { actions, notices } = actionsOn(makeJob(), () => Promise.reject(new TypeError("fetch failed")));
    await actions.cancel("one");
    expect(notices).toEqual([{ kind: "error", title: "Cancel Failed", description: "Failed to cancel conversion" }]);
  });
});

it("a job that is gone at the server leaves the list without a complaint", async () => {
  const { actions, status, notices } = actionsOn(makeJob({ status: "failed" }), () =>
    Promise.reject(new ApiError(404, "Not Found", "")),
  );
  await actions.retry("one");
  expect(status()).toBeUndefined();
  expect(notices).toEqual([]);
});

it("a removed job leaves the list", async () => {
  const { actions, status } = actionsOn(makeJob({ status: "completed" }), () => Promise.resolve(makeJob()));
  await actions.remove("one");
  expect(status()).toBeUndefined();
});

it("wishes about one job are asked for one after the other, and what shows is the last", async () => {
  const jobs = createJobsStore();
  jobs.getState().receive(makeJob({ status: "canceled" }));
  const asked: string[] = [];
  const retried = Promise.withResolvers<Job>();
  const api = {
    retryConversion: () => (asked.push("retry"), retried.promise),
    cancelConversion: () => (asked.push("cancel"), Promise.resolve(makeJob({ status: "canceled", attempt: 2 }))),
    removeConversion: () => (asked.push("remove"), Promise.resolve()),
  };
  const actions = createJobActions({ api, jobs, notify: () => undefined });
  const wishes = [actions.retry("one"), actions.cancel("one"), actions.remove("one")];
  expect(jobsToShow(jobs.getState())).toEqual([]);
  retried.resolve(makeJob({ status: "queued", attempt: 2 }));
  await wishes[0];
  expect(asked).toEqual(["retry", "cancel"]);
  expect(jobsToShow(jobs.getState())).toEqual([]);
  await Promise.all(wishes);
  expect(asked).toEqual(["retry", "cancel", "remove"]);
  expect(jobsToShow(jobs.getState())).toEqual([]);
});

it("a wish is asked for though the one before it was refused", async () => {
  const { actions, status, notices } = actionsOn(makeJob({ status: "failed" }), () =>
    Promise.reject(new ApiError(409, "Conflict", "")),
  );
  await Promise.all([actions.retry("one"), actions.remove("one")]);
  expect(notices.map(({ title }) => title)).toEqual(["Retry Failed", "Remove Failed"]);
  expect(status()).toBe("failed");
});
