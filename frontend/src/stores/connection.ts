/** State of the connection to the server. */
import { createStore } from "zustand/vanilla";

/** A shorter interruption is not shown, because the mark would only flicker. */
export const PATIENCE_MS = 1_000;

export interface ConnectionState {
  /** `connecting` only until the first attempt has ended. */
  readonly status: "connecting" | "connected" | "lost";
  /** The mark that the visitor sees, if any. */
  readonly mark: "reconnecting" | "offline" | null;
  /** The shown jobs may be outdated: no update has arrived for {@link PATIENCE_MS} since the connection was lost. */
  readonly isStale: boolean;
  readonly connected: () => void;
  readonly lost: () => void;
  /** A list of jobs has arrived by push or poll, or the response that it has not changed. */
  readonly refreshed: () => void;
  /** A poll had no response. */
  readonly unanswered: () => void;
  /** The browser reports its network as online or offline. */
  readonly setOnline: (isOnline: boolean) => void;
}

export type ConnectionStore = ReturnType<typeof createConnectionStore>;

export function createConnectionStore(initialIsOnline = true) {
  let isOnline = initialIsOnline;
  let markTimer: ReturnType<typeof setTimeout> | undefined;
  let staleTimer: ReturnType<typeof setTimeout> | undefined;

  return createStore<ConnectionState>()((set, get) => {
    function startStaleTimer(): void {
      staleTimer ??= setTimeout(() => set({ isStale: true }), PATIENCE_MS);
    }
    return {
      status: "connecting",
      mark: isOnline ? null : "offline",
      isStale: false,
      connected() {
        clearTimeout(markTimer);
        markTimer = undefined;
        set({ status: "connected", mark: isOnline ? null : "offline" });
      },
      lost() {
        if (get().status === "connected") startStaleTimer();
        set({ status: "lost" });
        markTimer ??= setTimeout(() => set({ mark: isOnline ? "reconnecting" : "offline" }), PATIENCE_MS);
      },
      refreshed() {
        clearTimeout(staleTimer);
        staleTimer = undefined;
        if (get().isStale) set({ isStale: false });
      },
      unanswered: startStaleTimer,
      setOnline(isOnlineNow) {
        isOnline = isOnlineNow;
        if (!isOnlineNow) {
          startStaleTimer();
          set({ mark: "offline" });
        } else
          set((state) => ({ mark: state.status === "connected" ? null : state.mark === null ? null : "reconnecting" }));
      },
    };
  });
}
