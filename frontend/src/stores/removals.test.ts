import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { makeJob } from "../testing/sample-jobs.ts";
import { createJobsStore, jobsToShow } from "./jobs.ts";
import { UNDO_MS, createRemovalsStore } from "./removals.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function setUp(...ids: string[]) {
  const jobs = createJobsStore();
  for (const id of ids) jobs.getState().receive(makeJob({ id, status: "failed" }));
  const sent: string[] = [];
  const removals = createRemovalsStore({ jobs, send: (id) => Promise.resolve(void sent.push(id)) });
  const remove = (id: string) => removals.getState().remove(makeJob({ id, status: "failed" }));
  const shown = () => jobsToShow(jobs.getState()).map(({ id }) => id);
  const pending = () => removals.getState().pending.map(({ id }) => id);
  return { ...removals.getState(), jobs, sent, remove, shown, pending };
}

it("hides a removed job at once and asks the server after 10 s", () => {
  const { remove, shown, sent, pending } = setUp("a");
  remove("a");
  expect([shown(), pending()]).toEqual([[], ["a"]]);
  vi.advanceTimersByTime(UNDO_MS - 1);
  expect(sent).toEqual([]);
  vi.advanceTimersByTime(1);
  expect([sent, pending()]).toEqual([["a"], []]);
});

it("shows a job again when its removal is undone, and never sends it", () => {
  const { remove, undo, shown, sent } = setUp("a");
  remove("a");
  undo("a");
  expect(shown()).toEqual(["a"]);
  vi.advanceTimersByTime(UNDO_MS * 2);
  expect(sent).toEqual([]);
  undo("a");
  expect(shown()).toEqual(["a"]);
});

it("gives each of several removals its own 10 s", () => {
  const { remove, undo, sent, pending, shown } = setUp("a", "b", "c");
  remove("a");
  vi.advanceTimersByTime(6_000);
  remove("b");
  remove("c");
  undo("b");
  vi.advanceTimersByTime(4_000);
  expect([sent, pending(), shown()]).toEqual([["a"], ["c"], ["b", "a"]]);
  vi.advanceTimersByTime(6_000);
  expect(sent).toEqual(["a", "c"]);
});

it("sends all removals at once when the page is left", () => {
  const { remove, sendAll, sent } = setUp("a", "b");
  remove("a");
  remove("b");
  sendAll();
  vi.advanceTimersByTime(UNDO_MS);
  expect(sent).toEqual(["a", "b"]);
});

it("forgets a removal that another window has made, and keeps a job that another window has retried", () => {
  const { jobs, remove, sent, pending, shown } = setUp("a", "b");
  remove("a");
  remove("b");
  jobs.getState().receive({ id: "a", removed: true });
  expect(pending()).toEqual(["b"]);
  jobs.getState().receive(makeJob({ id: "b", status: "queued", attempt: 2 }));
  vi.advanceTimersByTime(UNDO_MS);
  expect([sent, shown()]).toEqual([[], ["b"]]);
});
