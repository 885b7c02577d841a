import { describe, expect, it, vi } from "vitest";
import { makeJob } from "../testing/sample-jobs.ts";
import { createJobsStore, jobsToShow, serverNow } from "./jobs.ts";

const at = (iso: string) => new Date(iso).toISOString();

describe("jobs store", () => {
  it("keeps the newest version for every order and way of delivery", () => {
    const store = createJobsStore();
    store.getState().receive(makeJob({ status: "processing", progress: 60 }));
    store.getState().receiveList({ jobs: [makeJob({ status: "processing", progress: 40 })], asOf: null });
    expect(jobsToShow(store.getState())[0]?.progress).toBe(60);
  });

  it("starts a new attempt at its own progress", () => {
    const store = createJobsStore();
    store.getState().receive(makeJob({ status: "processing", progress: 60 }));
    store.getState().receive(makeJob({ status: "processing", progress: 5, attempt: 2 }));
    expect(jobsToShow(store.getState())[0]?.progress).toBe(5);
  });

  it("does not change for a version that brings nothing new", () => {
    const store = createJobsStore();
    store.getState().receive(makeJob());
    const before = store.getState().table;
    store.getState().receive(makeJob());
    expect(store.getState().table).toBe(before);
  });

  it("removes jobs missing from a list with a time, and keeps them for a list without one", () => {
    const store = createJobsStore();
    store.getState().receive(makeJob());
    store.getState().receiveList({ jobs: [], asOf: null });
    expect(jobsToShow(store.getState())).toHaveLength(1);
    store.getState().receiveList({ jobs: [], asOf: at("2026-01-01T13:00:00Z") });
    expect(jobsToShow(store.getState())).toHaveLength(0);
  });

  it("has phase failed only while no list has arrived", () => {
    const store = createJobsStore();
    store.getState().listFailed();
    expect(store.getState().phase).toBe("failed");
    store.getState().receiveList({ jobs: [], asOf: null });
    store.getState().listFailed();
    expect(store.getState().phase).toBe("ready");
  });
});

it("knows how far the device's clock is ahead of the server's", () => {
  vi.useFakeTimers({ now: new Date("2026-01-01T12:00:00Z") });
  const store = createJobsStore();
  const ahead = () => store.getState().clockAheadMs;
  expect(ahead()).toBe(0);
  store.getState().receiveSnapshot({ jobs: [], asOf: "2026-01-01T11:00:00.000Z" });
  expect([ahead(), serverNow(store.getState())]).toEqual([3_600_000, Date.parse("2026-01-01T11:00:00Z")]);
  store.getState().receiveList({ jobs: [], asOf: null });
  expect(ahead()).toBe(3_600_000);
  store.getState().receiveList({ jobs: [], asOf: "2026-01-01T13:00:00.000Z" });
  expect(ahead()).toBe(0);
  vi.useRealTimers();
});

describe("intents", () => {
  const shown = (status: string, intent: "cancel" | "remove" | "retry") => {
    const store = createJobsStore();
    store.getState().receive(makeJob({ status, progress: 30 }));
    store.getState().intend(["one"], intent);
    return { store, job: jobsToShow(store.getState())[0] };
  };

  it("shows a job as canceled before the server's answer, and as before when the intent is settled", () => {
    const { store, job } = shown("processing", "cancel");
    expect(job?.status).toBe("canceled");
    store.getState().settle(["one"]);
    expect(jobsToShow(store.getState())[0]?.status).toBe("processing");
  });

  it("does not show a finished job as canceled", () =>
    expect(shown("completed", "cancel").job?.status).toBe("completed"));

  it("shows a retried job as queued at the start of its next attempt", () =>
    expect(shown("failed", "retry").job).toMatchObject({ status: "queued", progress: 0, attempt: 2 }));

  it("shows the end of a retried job before the request for the retry is answered", () => {
    const { store } = shown("failed", "retry");
    store.getState().receive(makeJob({ status: "completed", progress: 100, attempt: 2 }));
    expect(jobsToShow(store.getState())).toMatchObject([{ status: "completed", attempt: 2 }]);
  });

  it("hides a removed job", () => expect(shown("completed", "remove").job).toBeUndefined());
});
