/** State of the connection to the server. */
import { createStore } from "zustand/vanilla";

/** How often the page asks for news while it has no socket. */
export const POLL_INTERVAL_MS = 5_000;

/** A first connection that takes longer is shown as polled; a handshake takes about a second on slow networks. */
export const OPENING_PATIENCE_MS = 3_000;

/** A shorter interruption is not shown, because the indicator would only flicker. */
export const INDICATOR_DELAY_MS = 1_000;

export interface ConnectionState {
  /** `connecting` only until the first attempt has ended. */
  readonly status: "connecting" | "connected" | "lost";
  /** The indicator that the visitor sees, if any. */
  readonly indicator: "reconnecting" | "offline" | null;
  /** The shown jobs may be outdated: no update for {@link INDICATOR_DELAY_MS} since the connection was lost. */
  readonly isStale: boolean;
  /** Must be called before the first connection. */
  readonly opening: () => void;
  readonly connected: () => void;
  readonly lost: () => void;
  /** A list of jobs has arrived by push or poll, or the response that it has not changed. */
  readonly listReceived: () => void;
  /** A poll had no response. */
  readonly pollFailed: () => void;
  /** The browser reports its network as online or offline. */
  readonly setOnline: (isOnline: boolean) => void;
}

export type ConnectionStore = ReturnType<typeof createConnectionStore>;

export function createConnectionStore(initialIsOnline = true) {
  let isOnline = initialIsOnline;
  let indicatorTimer: ReturnType<typeof setTimeout> | undefined;
  let staleTimer: ReturnType<typeof setTimeout> | undefined;

  return createStore<ConnectionState>()((set, get) => {
    function startStaleTimer(): void {
      staleTimer ??= setTimeout(() => set({ isStale: true }), INDICATOR_DELAY_MS);
    }
    const showLoss = () => set({ indicator: isOnline ? "reconnecting" : "offline" });
    return {
      status: "connecting",
      indicator: isOnline ? null : "offline",
      isStale: false,
      opening: () => void (indicatorTimer ??= setTimeout(showLoss, OPENING_PATIENCE_MS)),
      connected() {
        clearTimeout(indicatorTimer);
        indicatorTimer = undefined;
        set({ status: "connected", indicator: isOnline ? null : "offline" });
      },
      lost() {
        const { status } = get();
        if (status === "connected") startStaleTimer();
        set({ status: "lost" });
        // A first connection that has failed is no interruption.
        if (status === "connecting") showLoss();
        else indicatorTimer ??= setTimeout(showLoss, INDICATOR_DELAY_MS);
      },
      listReceived() {
        clearTimeout(staleTimer);
        staleTimer = undefined;
        if (get().isStale) set({ isStale: false });
      },
      pollFailed: startStaleTimer,
      setOnline(isOnlineNow) {
        isOnline = isOnlineNow;
        if (!isOnlineNow) {
          startStaleTimer();
          set({ indicator: "offline" });
        } else
          set((state) => ({
            indicator: state.status === "connected" ? null : state.indicator === null ? null : "reconnecting",
          }));
      },
    };
  });
}
