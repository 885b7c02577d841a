/** Whether the browser tells of a conversion that ends while the page is in the background. */
import { createStore } from "zustand/vanilla";

const KEY = "tapedeck.notify";

export interface NotificationsState {
  /** `unable`: the browser has no notifications for this site at all. */
  readonly choice: "unable" | "off" | "on" | "blocked";
  /** To be called from a click: browsers ask their visitor for permission only then, and so do we. */
  readonly toggle: () => Promise<void>;
}

export interface NotificationsParts {
  /** Undefined in a browser without them. */
  readonly permissions: Pick<typeof Notification, "permission" | "requestPermission"> | undefined;
  /** Throws DOMException in a browser that keeps nothing. */
  readonly storage: () => Pick<Storage, "getItem" | "setItem" | "removeItem">;
}

export type NotificationsStore = ReturnType<typeof createNotificationsStore>;

export function createNotificationsStore({ permissions, storage }: NotificationsParts) {
  /** What a browser that keeps nothing refuses, holds until the page is left. */
  function tryStorage<Outcome>(ask: (storage: ReturnType<NotificationsParts["storage"]>) => Outcome): Outcome | null {
    try {
      return ask(storage());
    } catch (error) {
      if (error instanceof DOMException) return null;
      throw error;
    }
  }

  function firstChoice(): NotificationsState["choice"] {
    if (!permissions) return "unable";
    // A permission taken back in the browser's settings ends it, whatever was chosen here.
    const isKept = tryStorage((kept) => kept.getItem(KEY)) === "on";
    return isKept && permissions.permission === "granted" ? "on" : "off";
  }

  return createStore<NotificationsState>()((set, get) => ({
    choice: firstChoice(),
    async toggle() {
      if (!permissions) return;
      if (get().choice === "on") {
        tryStorage((kept) => kept.removeItem(KEY));
        return set({ choice: "off" });
      }
      const answer = await permissions.requestPermission();
      if (answer === "granted") tryStorage((kept) => kept.setItem(KEY, "on"));
      // Not answered is not refused: it may be asked again.
      set({ choice: answer === "granted" ? "on" : answer === "denied" ? "blocked" : "off" });
    },
  }));
}
