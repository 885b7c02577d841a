/** Who sits at this browser and what the server offers. */
import { createStore } from "zustand/vanilla";
import type { DeviceInfo, PublicConfig } from "../../../common/api.ts";
import type { Tier } from "../../../common/tiers.ts";

export interface DeviceState {
  readonly config: PublicConfig | null;
  readonly info: DeviceInfo | null;
  /** Free until the server says otherwise. */
  readonly tier: Tier;
  readonly receiveConfig: (config: PublicConfig) => void;
  readonly receiveInfo: (info: DeviceInfo) => void;
  readonly receiveIdentity: (identity: { tier: Tier; authenticated: boolean }) => void;
}

export type DeviceStore = ReturnType<typeof createDeviceStore>;

export function createDeviceStore() {
  return createStore<DeviceState>()((set) => ({
    config: null,
    info: null,
    tier: "free",
    receiveConfig: (config) => set({ config, tier: config.tier }),
    receiveInfo: (info) => set({ info }),
    receiveIdentity: ({ tier, authenticated }) =>
      set((state) => ({ tier, info: state.info && { ...state.info, authenticated } })),
  }));
}
