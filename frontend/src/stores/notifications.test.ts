import { describe, expect, it } from "vitest";
import { openStorage } from "../platform/text-storage.ts";
import { createNotificationsStore } from "./notifications.ts";

function createStore({
  permission,
  answer = permission,
  stored = {},
}: {
  permission: NotificationPermission;
  answer?: NotificationPermission;
  stored?: Record<string, string>;
}) {
  let requestCount = 0;
  const store = createNotificationsStore({
    permissions: { permission, requestPermission: () => ((requestCount += 1), Promise.resolve(answer)) },
    storage: openStorage(() => ({
      getItem: (key) => stored[key] ?? null,
      setItem: (key, value) => void (stored[key] = value),
      removeItem: (key) => void delete stored[key],
    })),
  });
  return { store, stored, requestCount: () => requestCount };
}

describe("notifications", () => {
  it("requests the permission at the click and not before, and stores the choice", async () => {
    const { store, stored, requestCount } = createStore({ permission: "default", answer: "granted" });
    expect([store.getState().choice, requestCount()]).toEqual(["off", 0]);
    await store.getState().toggle();
    expect([store.getState().choice, requestCount()]).toEqual(["on", 1]);
    expect(createStore({ permission: "granted", stored }).store.getState().choice).toBe("on");
    await store.getState().toggle();
    expect(store.getState().choice).toBe("off");
    expect(stored).toEqual({});
  });

  it.each([
    ["denied", "blocked"],
    ["default", "off"],
  ] as const)("takes the answer %s as %s and stores nothing", async (answer, choice) => {
    const { store, stored } = createStore({ permission: "default", answer });
    await store.getState().toggle();
    expect([store.getState().choice, stored]).toEqual([choice, {}]);
  });

  it("is off after the permission was revoked", () =>
    expect(createStore({ permission: "default", stored: { "tapedeck.notify": "on" } }).store.getState().choice).toBe(
      "off",
    ));

  it("is unable without browser support, and works without storage until the page is left", async () => {
    const storage = openStorage(() => {
      throw new DOMException("no", "SecurityError");
    });
    expect(createNotificationsStore({ permissions: undefined, storage }).getState().choice).toBe("unable");
    const store = createNotificationsStore({
      permissions: { permission: "granted", requestPermission: () => Promise.resolve("granted") },
      storage,
    });
    await store.getState().toggle();
    expect(store.getState().choice).toBe("on");
  });
});
