import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { INDICATOR_DELAY_MS, OPENING_PATIENCE_MS, createConnectionStore } from "./connection.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function connectedStore() {
  const store = createConnectionStore();
  store.getState().connected();
  store.getState().listReceived();
  return store;
}

it("shows no indicator for a short interruption", () => {
  const store = connectedStore();
  const seen: unknown[] = [];
  store.subscribe(({ indicator, isStale }) => seen.push(indicator, isStale));
  store.getState().lost();
  vi.advanceTimersByTime(INDICATOR_DELAY_MS - 1);
  store.getState().connected();
  store.getState().listReceived();
  vi.runAllTimers();
  expect(new Set(seen)).toEqual(new Set([null, false]));
});

it("shows an indicator for a lost connection until it is back", () => {
  const store = connectedStore();
  store.getState().lost();
  vi.advanceTimersByTime(INDICATOR_DELAY_MS);
  expect(store.getState().indicator).toBe("reconnecting");
  store.getState().connected();
  expect(store.getState().indicator).toBeNull();
});

it("is stale until a list arrives by push or poll", () => {
  const store = connectedStore();
  store.getState().lost();
  vi.advanceTimersByTime(INDICATOR_DELAY_MS);
  expect(store.getState().isStale).toBe(true);
  store.getState().listReceived();
  expect(store.getState()).toMatchObject({ isStale: false, indicator: "reconnecting" });
  store.getState().pollFailed();
  vi.advanceTimersByTime(INDICATOR_DELAY_MS);
  store.getState().connected();
  expect(store.getState().isStale).toBe(true);
  store.getState().listReceived();
  expect(store.getState().isStale).toBe(false);
});

it("shows offline at once, then reconnecting when the network returns", () => {
  const store = connectedStore();
  store.getState().setOnline(false);
  expect(store.getState().indicator).toBe("offline");
  store.getState().lost();
  store.getState().setOnline(true);
  expect(store.getState().indicator).toBe("reconnecting");
  store.getState().connected();
  expect(store.getState().indicator).toBeNull();
});

it("shows polls at the first connection that fails, or takes long", () => {
  const failing = createConnectionStore();
  failing.getState().opening();
  failing.getState().lost();
  expect(failing.getState().indicator).toBe("reconnecting");

  const slow = createConnectionStore();
  slow.getState().opening();
  vi.advanceTimersByTime(OPENING_PATIENCE_MS - 1);
  expect(slow.getState().indicator).toBeNull();
  vi.advanceTimersByTime(1);
  expect(slow.getState().indicator).toBe("reconnecting");
  slow.getState().connected();
  expect(slow.getState().indicator).toBeNull();
});
