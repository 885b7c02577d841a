/**
 * Whether the browser notifies the user when a conversion ends while the page is in the background. In a browser that
 * refuses storage the choice lasts until the page is left.
 */
import { createStore } from "zustand/vanilla";
import type { TextStorage } from "../platform/text-storage.ts";

const KEY = "tapedeck.notify";

export interface NotificationsState {
  /** `unable`: the browser does not support notifications for this site. */
  readonly choice: "unable" | "off" | "on" | "blocked";
  /** Must be called from a click, because browsers allow the permission prompt only then. */
  readonly toggle: () => Promise<void>;
}

export interface NotificationsParts {
  /** Undefined in a browser without notifications. */
  readonly permissions: Pick<typeof Notification, "permission" | "requestPermission"> | undefined;
  readonly storage: TextStorage;
}

export type NotificationsStore = ReturnType<typeof createNotificationsStore>;

export function createNotificationsStore({ permissions, storage }: NotificationsParts) {
  function initialChoice(): NotificationsState["choice"] {
    if (!permissions) return "unable";
    // The user may have revoked the permission in the browser's settings.
    const isStoredOn = storage.getItem(KEY) === "on";
    return isStoredOn && permissions.permission === "granted" ? "on" : "off";
  }

  return createStore<NotificationsState>()((set, get) => ({
    choice: initialChoice(),
    async toggle() {
      if (!permissions) return;
      if (get().choice === "on") {
        storage.removeItem(KEY);
        return set({ choice: "off" });
      }
      const answer = await permissions.requestPermission();
      if (answer === "granted") storage.setItem(KEY, "on");
      // A closed prompt is not a refusal: the user may be prompted again.
      set({ choice: answer === "granted" ? "on" : answer === "denied" ? "blocked" : "off" });
    },
  }));
}
