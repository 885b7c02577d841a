/** The video sites that fail for most visitors at the moment. */
import { createStore } from "zustand/vanilla";
import type { SiteFailure, SiteStatus } from "../../../common/site-status.ts";

export interface SiteStatusState {
  readonly failing: readonly SiteFailure[];
  readonly receive: (status: SiteStatus) => void;
}

export type SiteStatusStore = ReturnType<typeof createSiteStatusStore>;

export function createSiteStatusStore() {
  return createStore<SiteStatusState>()((set) => ({
    failing: [],
    receive: ({ failing }) => set({ failing }),
  }));
}
