/** How the page stands with the server. */
import { createStore } from "zustand/vanilla";

export interface ConnectionState {
  /** `connecting` only until the first try has ended. */
  readonly status: "connecting" | "connected" | "lost";
  readonly connected: () => void;
  readonly lost: () => void;
  /** A single question went unanswered although the socket is there; the next one may do better. */
  readonly unanswered: () => void;
  /** How many questions went unanswered. */
  readonly unansweredCount: number;
}

export type ConnectionStore = ReturnType<typeof createConnectionStore>;

export function createConnectionStore() {
  return createStore<ConnectionState>()((set) => ({
    status: "connecting",
    unansweredCount: 0,
    connected: () => set({ status: "connected" }),
    lost: () => set({ status: "lost" }),
    unanswered: () => set((state) => ({ unansweredCount: state.unansweredCount + 1 })),
  }));
}
