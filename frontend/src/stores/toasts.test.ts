import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { TOAST_DURATION_MS, TOAST_REMOVAL_MS, createToastsStore } from "./toasts.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function setUp(...titles: string[]) {
  const store = createToastsStore();
  for (const title of titles) store.getState().show({ kind: "info", title });
  const open = () =>
    store
      .getState()
      .toasts.filter((toast) => toast.isOpen)
      .map((toast) => toast.title);
  const all = () => store.getState().toasts.map((toast) => toast.title);
  return { ...store.getState(), store, open, all };
}

it("closes a toast after 5 s and removes it from memory 1,000,000 ms later", () => {
  const { open, all } = setUp("saved");
  vi.advanceTimersByTime(4_999);
  expect(open()).toEqual(["saved"]);
  vi.advanceTimersByTime(1);
  expect(open()).toEqual([]);
  vi.advanceTimersByTime(999_999);
  expect(all()).toEqual(["saved"]);
  vi.advanceTimersByTime(1);
  expect(all()).toEqual([]);
});

it("shows one toast at a time, the newest, for its full duration", () => {
  const { open, all, show } = setUp("first");
  vi.advanceTimersByTime(4_000);
  show({ kind: "error", title: "second" });
  expect(open()).toEqual(["second"]);
  vi.advanceTimersByTime(TOAST_DURATION_MS - 1);
  expect(open()).toEqual(["second"]);
  vi.advanceTimersByTime(1);
  expect(open()).toEqual([]);
  expect(all()).toEqual(["second", "first"]);
  vi.advanceTimersByTime(TOAST_REMOVAL_MS);
  expect(all()).toEqual([]);
});

it("stays open while held, then for the rest of its duration", () => {
  const { open, hold, release } = setUp("read me");
  vi.advanceTimersByTime(3_000);
  hold("pointer");
  hold("focus");
  vi.advanceTimersByTime(60_000);
  release("pointer");
  vi.advanceTimersByTime(60_000);
  expect(open()).toEqual(["read me"]);
  release("focus");
  vi.advanceTimersByTime(1_999);
  expect(open()).toEqual(["read me"]);
  vi.advanceTimersByTime(1);
  expect(open()).toEqual([]);
});

it("counts two holds of the same kind once and ignores a release without a hold", () => {
  const { open, hold, release } = setUp("once");
  release("focus");
  vi.advanceTimersByTime(1_000);
  hold("pointer");
  vi.advanceTimersByTime(1_000);
  hold("pointer");
  release("pointer");
  vi.advanceTimersByTime(3_999);
  expect(open()).toEqual(["once"]);
  vi.advanceTimersByTime(1);
  expect(open()).toEqual([]);
});

it("holds a new toast that appears under the pointer", () => {
  const { open, hold, show, release } = setUp("first");
  hold("pointer");
  show({ kind: "info", title: "second" });
  vi.advanceTimersByTime(60_000);
  expect(open()).toEqual(["second"]);
  release("pointer");
  vi.advanceTimersByTime(TOAST_DURATION_MS);
  expect(open()).toEqual([]);
});

it("closes when dismissed while held, and the next toast has its own duration", () => {
  const { open, store, hold, show } = setUp("first");
  hold("focus");
  store.getState().dismiss(store.getState().toasts[0]?.id ?? 0);
  expect(open()).toEqual([]);
  show({ kind: "info", title: "second" });
  vi.advanceTimersByTime(TOAST_DURATION_MS);
  expect(open()).toEqual([]);
});

it("does not change the next toast when a closed one is dismissed", () => {
  const { open, store, show } = setUp("first");
  const gone = store.getState().toasts[0]?.id ?? 0;
  show({ kind: "info", title: "second" });
  store.getState().dismiss(gone);
  expect(open()).toEqual(["second"]);
});
