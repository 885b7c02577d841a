/** The device's identity and tier, and the server's configuration. */
import { createStore } from "zustand/vanilla";
import type { DeviceInfo, PageViewer, PublicConfig } from "../../../common/api.ts";
import type { Tier } from "../../../common/tiers.ts";

export interface DeviceState {
  readonly config: PublicConfig | null;
  readonly info: DeviceInfo | null;
  /** Free until the server's response has arrived. */
  readonly tier: Tier;
  /** Whether the tier is confirmed by the server; until then pages do not mention the visitor's plan. */
  readonly isTierKnown: boolean;
  /** Null until it is known. */
  readonly isSignedIn: boolean | null;
  readonly receiveConfig: (config: PublicConfig) => void;
  readonly receiveInfo: (info: DeviceInfo) => void;
  readonly receiveIdentity: (identity: { tier: Tier; authenticated: boolean }) => void;
}

export type DeviceStore = ReturnType<typeof createDeviceStore>;

/**
 * Creates the store.
 * @param viewer identity that the server wrote into the page, if any
 */
export function createDeviceStore(viewer: PageViewer | null = null) {
  return createStore<DeviceState>()((set) => ({
    config: null,
    info: null,
    tier: viewer?.tier ?? "free",
    isTierKnown: viewer !== null,
    isSignedIn: viewer?.authenticated ?? null,
    receiveConfig: (config) => set({ config, tier: config.tier, isTierKnown: true }),
    receiveInfo: (info) => set({ info, isSignedIn: info.authenticated }),
    receiveIdentity: ({ tier, authenticated }) =>
      set((state) => ({
        tier,
        isTierKnown: true,
        isSignedIn: authenticated,
        info: state.info && { ...state.info, authenticated },
      })),
  }));
}
