/** How the page stands with the server. */
import { createStore } from "zustand/vanilla";

export interface ConnectionState {
  /** `connecting` only until the first try has ended. */
  readonly status: "connecting" | "connected" | "lost";
  readonly connected: () => void;
  readonly lost: () => void;
}

export type ConnectionStore = ReturnType<typeof createConnectionStore>;

export function createConnectionStore() {
  return createStore<ConnectionState>()((set) => ({
    status: "connecting",
    connected: () => set({ status: "connected" }),
    lost: () => set({ status: "lost" }),
  }));
}
