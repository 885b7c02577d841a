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

it("a flap shows nothing", () => {
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

it("a connection that stays away is marked, until it is back", () => {
  const store = connectedStore();
  store.getState().lost();
  vi.advanceTimersByTime(PATIENCE_MS);
  expect(store.getState().mark).toBe("reconnecting");
  store.getState().connected();
  expect(store.getState().mark).toBeNull();
});

it("bars are stale until a list has come, by whichever way", () => {
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

it("no network is said at once, and its return leads back over reconnecting", () => {
  const store = connectedStore();
  store.getState().setOnline(false);
  expect(store.getState().mark).toBe("offline");
  store.getState().lost();
  store.getState().setOnline(true);
  expect(store.getState().mark).toBe("reconnecting");
  store.getState().connected();
  expect(store.getState().mark).toBeNull();
});
