import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Job } from "../../../common/job.ts";
import { makeJob } from "../testing/sample-jobs.ts";
import { REMOVALS_KEY } from "../platform/storage-keys.ts";
import { createJobsStore, jobsToShow } from "./jobs.ts";
import { createRemovalsStore, UNDO_MS } from "./removals.ts";
import { storeRemovals } from "./stored-removals.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function createStorage() {
  const items = new Map<string, string>();
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  };
}

const failed = (id: string, attempt = 1) => makeJob({ id, status: "failed", attempt });

/** A page on the storage of earlier ones. */
function openPage(storage: ReturnType<typeof createStorage>) {
  const jobs = createJobsStore();
  const sent: string[] = [];
  const send = async (id: string): Promise<void> => {
    sent.push(id);
    jobs.getState().receive({ id, removed: true });
  };
  const removals = createRemovalsStore({ jobs, send });
  storeRemovals({ jobs, removals, storage, send });
  return {
    sent,
    removals,
    receive: (...received: Job[]) => jobs.getState().receiveList({ jobs: received, asOf: null }),
    remove: (id: string) => removals.getState().remove(failed(id)),
    shown: () => jobsToShow(jobs.getState()).map(({ id }) => id),
  };
}

/** Ends all pages without a sign: they do nothing any more. */
function endPages(): void {
  const nowMs = Date.now();
  // Sets the clock back too.
  vi.clearAllTimers();
  vi.setSystemTime(nowMs);
}

/** A page that removes jobs, and is ended before it has asked the server. */
function endAfterRemoving(storage: ReturnType<typeof createStorage>, ...ids: string[]): void {
  const page = openPage(storage);
  page.receive(...ids.map((id) => failed(id)));
  for (const id of ids) page.remove(id);
  endPages();
}

it("sends a removal at the next visit, without showing the job before", () => {
  const storage = createStorage();
  endAfterRemoving(storage, "a", "b");
  vi.advanceTimersByTime(UNDO_MS);
  const next = openPage(storage);
  expect(next.sent).toEqual([]);
  next.receive(failed("a"), failed("b"), failed("c"));
  expect([next.sent, next.shown()]).toEqual([["a", "b"], ["c"]]);
  expect(storage.getItem(REMOVALS_KEY)).toBeNull();
});

it("waits for the end of the time to undo, which may pass in another window", () => {
  const storage = createStorage();
  const other = openPage(storage);
  other.receive(failed("a"), failed("b"));
  other.remove("a");
  other.remove("b");
  const next = openPage(storage);
  next.receive(failed("a"), failed("b"));
  expect([next.sent, next.shown()]).toEqual([[], []]);
  other.removals.getState().undo("a");
  vi.advanceTimersByTime(UNDO_MS);
  expect([other.sent, next.sent]).toEqual([["b"], []]);
  expect([other.shown(), next.shown()]).toEqual([["a"], ["b", "a"]]);
});

it("waits as long as another window offers to undo it", () => {
  const storage = createStorage();
  const other = openPage(storage);
  other.receive(failed("a"), failed("b"));
  other.remove("a");
  // While the newer one is offered, the time of the first stands still.
  other.remove("b");
  vi.advanceTimersByTime(UNDO_MS - 1);
  const next = openPage(storage);
  next.receive(failed("a"), failed("b"));
  vi.advanceTimersByTime(UNDO_MS - 1);
  expect([other.sent, next.sent]).toEqual([["b"], []]);
  vi.advanceTimersByTime(2);
  expect([other.sent, next.sent]).toEqual([["b", "a"], []]);
});

it("sends it after the time to undo when the clock was ahead when it was stored", () => {
  const storage = createStorage();
  vi.setSystemTime(Date.now() + DAY_MS);
  endAfterRemoving(storage, "a");
  vi.setSystemTime(Date.now() - DAY_MS);
  const next = openPage(storage);
  next.receive(failed("a"));
  vi.advanceTimersByTime(UNDO_MS);
  expect(next.sent).toEqual(["a"]);
});

it("sends it in time when the other page has ended", () => {
  const storage = createStorage();
  endAfterRemoving(storage, "a");
  vi.advanceTimersByTime(UNDO_MS / 2);
  const next = openPage(storage);
  next.receive(failed("a"));
  vi.advanceTimersByTime(UNDO_MS / 2 - 1);
  expect(next.sent).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(next.sent).toEqual(["a"]);
});

it("stores nothing once a removal is undone or sent", () => {
  const storage = createStorage();
  const page = openPage(storage);
  page.receive(failed("a"), failed("b"));
  page.remove("a");
  page.remove("b");
  expect(storage.getItem(REMOVALS_KEY)).not.toBeNull();
  page.removals.getState().undo("a");
  page.removals.getState().sendAll();
  expect([page.sent, storage.getItem(REMOVALS_KEY)]).toEqual([["b"], null]);
});

it("keeps a job that was retried meanwhile", () => {
  const storage = createStorage();
  endAfterRemoving(storage, "a");
  vi.advanceTimersByTime(UNDO_MS);
  const next = openPage(storage);
  next.receive(failed("a", 2));
  expect([next.sent, next.shown(), storage.getItem(REMOVALS_KEY)]).toEqual([[], ["a"], null]);
});

it("waits for the jobs of the visitor, a week at most", () => {
  const storage = createStorage();
  endAfterRemoving(storage, "a");
  // Signed out: the list is of somebody else.
  openPage(storage).receive(failed("b"));
  endPages();
  vi.advanceTimersByTime(6 * DAY_MS);
  const next = openPage(storage);
  next.receive(failed("a"));
  expect(next.sent).toEqual(["a"]);
  endAfterRemoving(storage, "c");
  vi.advanceTimersByTime(8 * DAY_MS);
  const late = openPage(storage);
  late.receive(failed("c"));
  expect([late.sent, late.shown()]).toEqual([[], ["c"]]);
});

it.each(["{", '"a"', '[{"id":1}]'])("ignores stored text that is no list of removals: %s", (text) => {
  const storage = createStorage();
  storage.setItem(REMOVALS_KEY, text);
  const page = openPage(storage);
  page.receive(failed("a"));
  expect([page.sent, page.shown()]).toEqual([[], ["a"]]);
});
