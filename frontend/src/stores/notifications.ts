/** Whether the browser notifies the user when a conversion ends while the page is in the background. */
import { createStore } from "zustand/vanilla";

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
  /** Throws DOMException in a browser that refuses storage. */
  readonly storage: () => Pick<Storage, "getItem" | "setItem" | "removeItem">;
}

export type NotificationsStore = ReturnType<typeof createNotificationsStore>;

export function createNotificationsStore({ permissions, storage }: NotificationsParts) {
  /** In a browser that refuses storage the choice lasts until the page is left. */
  function tryStorage<Result>(access: (storage: ReturnType<NotificationsParts["storage"]>) => Result): Result | null {
    try {
      return access(storage());
    } catch (error) {
      if (error instanceof DOMException) return null;
      throw error;
    }
  }

  function initialChoice(): NotificationsState["choice"] {
    if (!permissions) return "unable";
    // The user may have revoked the permission in the browser's settings.
    const isStoredOn = tryStorage((stored) => stored.getItem(KEY)) === "on";
    return isStoredOn && permissions.permission === "granted" ? "on" : "off";
  }

  return createStore<NotificationsState>()((set, get) => ({
    choice: initialChoice(),
    async toggle() {
      if (!permissions) return;
      if (get().choice === "on") {
        tryStorage((stored) => stored.removeItem(KEY));
        return set({ choice: "off" });
      }
      const answer = await permissions.requestPermission();
      if (answer === "granted") tryStorage((stored) => stored.setItem(KEY, "on"));
      // A closed prompt is not a refusal: the user may be prompted again.
      set({ choice: answer === "granted" ? "on" : answer === "denied" ? "blocked" : "off" });
    },
  }));
}
