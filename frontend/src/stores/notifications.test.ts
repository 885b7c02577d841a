import { describe, expect, it } from "vitest";
import { createNotificationsStore } from "./notifications.ts";

function storeOf({
  permission,
  answer = permission,
  kept = {},
}: {
  permission: NotificationPermission;
  answer?: NotificationPermission;
  kept?: Record<string, string>;
}) {
  let asked = 0;
  const store = createNotificationsStore({
    permissions: { permission, requestPermission: () => ((asked += 1), Promise.resolve(answer)) },
    storage: () => ({
      getItem: (key) => kept[key] ?? null,
      setItem: (key, value) => void (kept[key] = value),
      removeItem: (key) => void delete kept[key],
    }),
  });
  return { store, kept, asked: () => asked };
}

describe("notifications", () => {
  it("requests the permission at the click and not before, and stores the choice", async () => {
    const { store, kept, asked } = storeOf({ permission: "default", answer: "granted" });
    expect([store.getState().choice, asked()]).toEqual(["off", 0]);
    await store.getState().toggle();
    expect([store.getState().choice, asked()]).toEqual(["on", 1]);
    expect(storeOf({ permission: "granted", kept }).store.getState().choice).toBe("on");
    await store.getState().toggle();
    expect(store.getState().choice).toBe("off");
    expect(kept).toEqual({});
  });

  it.each([
    ["denied", "blocked"],
    ["default", "off"],
  ] as const)("takes the answer %s as %s and keeps nothing", async (answer, choice) => {
    const { store, kept } = storeOf({ permission: "default", answer });
    await store.getState().toggle();
    expect([store.getState().choice, kept]).toEqual([choice, {}]);
  });

  it("is off after the permission was revoked", () =>
    expect(storeOf({ permission: "default", kept: { "tapedeck.notify": "on" } }).store.getState().choice).toBe("off"));

  it("is unable without browser support, and works without storage until the page is left", async () => {
    const storage = () => {
      throw new DOMException("no", "SecurityError");
    };
    expect(createNotificationsStore({ permissions: undefined, storage }).getState().choice).toBe("unable");
    const store = createNotificationsStore({
      permissions: { permission: "granted", requestPermission: () => Promise.resolve("granted") },
      storage,
    });
    await store.getState().toggle();
    expect(store.getState().choice).toBe("on");
  });
});
