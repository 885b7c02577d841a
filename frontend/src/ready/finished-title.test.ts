import { expect, it } from "vitest";
import { createJobsStore } from "../stores/jobs.ts";
import { makeJob } from "../testing/sample-jobs.ts";
import { createFinishedStore } from "../stores/finished.ts";
import { showFinished } from "./finished-title.ts";
import { followQueue } from "./queue-changes.ts";

function setUp({ isLooking = false } = {}) {
  const jobs = createJobsStore();
  const view = { isLooking };
  const browser = new EventTarget();
  const page = new EventTarget();
  const finished = createFinishedStore();
  followQueue(jobs, [showFinished({ finished, isLooking: () => view.isLooking, browser, page })]);
  const end = (status: "completed" | "failed", id = "one") => {
    jobs.getState().receive(makeJob({ id, status: "processing" }));
    jobs.getState().receive(makeJob({ id, status }));
  };
  const ids = () => finished.getState().jobs.map(({ id }) => id);
  return { view, browser, page, end, ids, clear: finished.getState().clear };
}

it("has the newest finished job until the visitor looks", () => {
  const { view, browser, page, end, ids } = setUp();
  end("completed", "a");
  end("completed", "b");
  expect(ids()).toEqual(["b"]);
  page.dispatchEvent(new Event("visibilitychange"));
  expect(ids()).toEqual(["b"]);
  view.isLooking = true;
  browser.dispatchEvent(new Event("focus"));
  expect(ids()).toEqual([]);
});

it("has nothing of a failed job, and nothing while the visitor looks; the next job clears it", () => {
  const { view, end, ids, clear } = setUp();
  end("failed", "a");
  expect(ids()).toEqual([]);
  end("completed", "b");
  clear();
  expect(ids()).toEqual([]);
  view.isLooking = true;
  end("completed", "c");
  expect(ids()).toEqual([]);
});
