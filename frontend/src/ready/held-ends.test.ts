import { expect, it } from "vitest";
import { createJobsStore } from "../stores/jobs.ts";
import { makeJob } from "../testing/sample-jobs.ts";
import { holdUntilOwn } from "./held-ends.ts";
import { followQueue } from "./queue-changes.ts";

function setUp() {
  const jobs = createJobsStore();
  const own = new Set<string>();
  const ends: string[] = [];
  const handle = holdUntilOwn({
    jobs,
    isOwn: (id) => own.has(id),
    handle: ({ ended }) => ends.push(...ended.map(({ id }) => id)),
  });
  followQueue(jobs, [handle]);
  const receive = (id: string, status: string) => jobs.getState().receive(makeJob({ id, status }));
  return { own, ends, receive };
}

it("passes the end of an own job on at once, and once", () => {
  const { own, ends, receive } = setUp();
  own.add("a");
  receive("a", "queued");
  receive("a", "completed");
  receive("b", "queued");
  expect(ends).toEqual(["a"]);
});

it("passes an end on that came before the answer to the request, when the answer is there", () => {
  const { own, ends, receive } = setUp();
  receive("a", "queued");
  receive("a", "completed");
  expect(ends).toEqual([]);
  own.add("a");
  // The answer shows the job as it was asked for.
  receive("a", "queued");
  receive("a", "queued");
  expect(ends).toEqual(["a"]);
});

it("keeps the end of a job of another page to itself", () => {
  const { own, ends, receive } = setUp();
  receive("a", "processing");
  receive("a", "completed");
  own.add("b");
  receive("b", "queued");
  expect(ends).toEqual([]);
});
