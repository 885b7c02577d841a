import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { PATIENCE_MS, createConnectionStore } from "./connection.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function connectedStore() {
  const store = createConnectionStore();
  store.getState().connected();
  store.getState().refreshed();
  return store;
}

it("shows no mark for a short interruption", () => {
  const store = connectedStore();
  const seen: unknown[] = [];
  store.subscribe(({ mark, isStale }) => seen.push(mark, isStale));
  store.getState().lost();
  vi.advanceTimersByTime(PATIENCE_MS - 1);
  store.getState().connected();
  store.getState().refreshed();
  vi.runAllTimers();
  expect(new Set(seen)).toEqual(new Set([null, false]));
});

it("shows a mark for a lost connection until it is back", () => {
  const store = connectedStore();
  store.getState().lost();
  vi.advanceTimersByTime(PATIENCE_MS);
  expect(store.getState().mark).toBe("reconnecting");
  store.getState().connected();
  expect(store.getState().mark).toBeNull();
});

it("is stale until a list arrives by push or poll", () => {
  const store = connectedStore();
  store.getState().lost();
  vi.advanceTimersByTime(PATIENCE_MS);
  expect(store.getState().isStale).toBe(true);
  store.getState().refreshed();
  expect(store.getState()).toMatchObject({ isStale: false, mark: "reconnecting" });
  store.getState().unanswered();
  vi.advanceTimersByTime(PATIENCE_MS);
  store.getState().connected();
  expect(store.getState().isStale).toBe(true);
  store.getState().refreshed();
  expect(store.getState().isStale).toBe(false);
});

it("shows offline at once, then reconnecting when the network returns", () => {
  const store = connectedStore();
  store.getState().setOnline(false);
  expect(store.getState().mark).toBe("offline");
  store.getState().lost();
  store.getState().setOnline(true);
  expect(store.getState().mark).toBe("reconnecting");
  store.getState().connected();
  expect(store.getState().mark).toBeNull();
});
