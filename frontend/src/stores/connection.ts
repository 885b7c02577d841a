/** How the page stands with the server. */
import { createStore } from "zustand/vanilla";

/** A connection that is back sooner was hardly away: a mark for it would only flicker. */
export const PATIENCE_MS = 1_000;

export interface ConnectionState {
  /** `connecting` only until the first try has ended. */
  readonly status: "connecting" | "connected" | "lost";
  /** What the visitor is told; null while there is nothing to tell. */
  readonly mark: "reconnecting" | "offline" | null;
  /** What is shown may be old: nothing fresh has come since the connection was lost, for longer than a moment. */
  readonly isStale: boolean;
  readonly connected: () => void;
  readonly lost: () => void;
  /** A list of jobs has come, by whichever way, or word that it has not changed. */
  readonly refreshed: () => void;
  /** A question about the jobs had no answer. */
  readonly unanswered: () => void;
  /** What the browser says of its network. */
  readonly setOnline: (isOnline: boolean) => void;
}

export type ConnectionStore = ReturnType<typeof createConnectionStore>;

export function createConnectionStore(isOnlineAtFirst = true) {
  let isOnline = isOnlineAtFirst;
  let awayTimer: ReturnType<typeof setTimeout> | undefined;
  let staleTimer: ReturnType<typeof setTimeout> | undefined;

  return createStore<ConnectionState>()((set, get) => {
    function expectFresh(): void {
      staleTimer ??= setTimeout(() => set({ isStale: true }), PATIENCE_MS);
    }
    return {
      status: "connecting",
      mark: isOnline ? null : "offline",
      isStale: false,
      connected() {
        clearTimeout(awayTimer);
        awayTimer = undefined;
        set({ status: "connected", mark: isOnline ? null : "offline" });
      },
      lost() {
        if (get().status === "connected") expectFresh();
        set({ status: "lost" });
        awayTimer ??= setTimeout(() => set({ mark: isOnline ? "reconnecting" : "offline" }), PATIENCE_MS);
      },
      refreshed() {
        clearTimeout(staleTimer);
        staleTimer = undefined;
        if (get().isStale) set({ isStale: false });
      },
      unanswered: expectFresh,
      setOnline(is) {
        isOnline = is;
        if (!is) {
          expectFresh();
          set({ mark: "offline" });
        } else
          set((state) => ({ mark: state.status === "connected" ? null : state.mark === null ? null : "reconnecting" }));
      },
    };
  });
}
