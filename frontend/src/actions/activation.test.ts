import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Notice } from "../stores/notice.ts";
import { createDeviceStore } from "../stores/device.ts";
import { createUserStore } from "../stores/user.ts";
import { memoryStorage } from "../testing/memory-storage.ts";
import { createActivationStore, dismissActivation } from "../stores/activation.ts";
import { Activation } from "./activation.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const WELCOME = {
  kind: "success",
  title: "Payment Successful",
  description: "Welcome to Pro! Your subscription is now active.",
};

function createActivation(stored = new Map<string, string>()) {
  const device = createDeviceStore();
  const user = createUserStore();
  const notices: Notice[] = [];
  const refreshIdentity = vi.fn<() => Promise<void>>(() => Promise.resolve());
  const store = createActivationStore();
  const activation = new Activation({
    store,
    device,
    user,
    storage: memoryStorage(stored),
    notify: (notice) => notices.push(notice),
    refreshIdentity,
    nowMs: Date.now,
  });
  const becomePro = () => device.getState().receiveIdentity({ tier: "pro", authenticated: true });
  return { activation, user, notices, refreshIdentity, becomePro, stored, store, state: store.getState };
}

it("shows the welcome toast once, after the server reports Pro", () => {
  const { activation, notices, becomePro, store, state } = createActivation();
  activation.begin();
  expect(state()).toEqual({ phase: "waiting", isLong: false });
  expect(notices).toEqual([]);
  becomePro();
  becomePro();
  expect(state().phase).toBe("done");
  expect(notices).toEqual([WELCOME]);
  dismissActivation(store);
  expect(state().phase).toBe("none");
});

it("shows the welcome toast at once when the server has reported Pro before", () => {
  const { activation, notices, becomePro, state, refreshIdentity } = createActivation();
  becomePro();
  expect(notices).toEqual([]);
  activation.begin();
  expect(state().phase).toBe("done");
  expect(notices).toEqual([WELCOME]);
  expect(refreshIdentity).not.toHaveBeenCalled();
});

it("polls while waiting, marks a long wait, and stops polling at the end", async () => {
  const { activation, refreshIdentity, becomePro, state } = createActivation();
  activation.begin();
  await vi.advanceTimersByTimeAsync(20_000);
  expect(refreshIdentity.mock.calls.length).toBeGreaterThanOrEqual(10);
  expect(state()).toEqual({ phase: "waiting", isLong: true });
  becomePro();
  const pollCount = refreshIdentity.mock.calls.length;
  await vi.advanceTimersByTimeAsync(20_000);
  expect(refreshIdentity).toHaveBeenCalledTimes(pollCount);
});

it("continues after a reload of the tab, and ends after ten minutes", async () => {
  const { activation, stored } = createActivation();
  activation.begin();
  await vi.advanceTimersByTimeAsync(60_000);
  const reloaded = createActivation(new Map(stored));
  reloaded.activation.resume();
  await vi.advanceTimersByTimeAsync(1);
  expect(reloaded.state()).toEqual({ phase: "waiting", isLong: true });
  await vi.advanceTimersByTimeAsync(10 * 60_000);
  expect(reloaded.state().phase).toBe("none");
  expect(reloaded.stored.size).toBe(0);
  expect(reloaded.notices).toEqual([]);
});

it("does not wait for a visitor who is signed out or has not paid", () => {
  const { activation, user, state, notices, becomePro } = createActivation();
  activation.resume();
  expect(state().phase).toBe("none");
  activation.begin();
  user.getState().receiveUser(null);
  expect(state().phase).toBe("none");
  becomePro();
  expect(notices).toEqual([]);
});
