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
  const remove = (id: string, isHeld?: boolean) =>
    removals.getState().remove(makeJob({ id, status: "failed" }), isHeld);
  const heldId = () => removals.getState().heldId;
  const shown = () => jobsToShow(jobs.getState()).map(({ id }) => id);
  const pending = () => removals.getState().pending.map(({ id }) => id);
  return { ...removals.getState(), jobs, sent, remove, shown, pending, heldId };
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

it("offers the newest removal, and then the older one for the rest of its 10 s", () => {
  const { remove, undo, sent, pending, shown } = setUp("a", "b", "c");
  remove("a");
  vi.advanceTimersByTime(4_000);
  remove("b");
  remove("c");
  vi.advanceTimersByTime(9_999);
  expect(sent).toEqual([]);
  undo("c");
  expect(pending()).toEqual(["a", "b"]);
  vi.advanceTimersByTime(UNDO_MS);
  expect([sent, pending()]).toEqual([["b"], ["a"]]);
  vi.advanceTimersByTime(5_999);
  expect(sent).toEqual(["b"]);
  undo("a");
  expect([sent, shown()]).toEqual([["b"], ["c", "b", "a"]]);
});

it("does not use up the time of a removal that a toast covers", () => {
  const { remove, cover, sent } = setUp("a");
  cover(true);
  remove("a");
  vi.advanceTimersByTime(UNDO_MS * 2);
  cover(false);
  vi.advanceTimersByTime(4_000);
  cover(true);
  vi.advanceTimersByTime(UNDO_MS);
  cover(false);
  vi.advanceTimersByTime(5_999);
  expect(sent).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(sent).toEqual(["a"]);
});

it("does not use up the time of a removal while the pointer is at its row", () => {
  const { remove, letGo, sent, heldId } = setUp("a");
  remove("a", true);
  vi.advanceTimersByTime(UNDO_MS * 2);
  letGo("another");
  vi.advanceTimersByTime(UNDO_MS);
  expect([sent, heldId()]).toEqual([[], "a"]);
  letGo("a");
  vi.advanceTimersByTime(UNDO_MS);
  expect([sent, heldId()]).toEqual([["a"], null]);
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
