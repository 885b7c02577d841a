/** A choice of the visitor that is off by default and stored for later visits. */
import { createStore } from "zustand/vanilla";
import type { TextStorage } from "../platform/text-storage.ts";

export interface StoredSwitchState {
  readonly isOn: boolean;
  readonly toggle: () => void;
}

export type StoredSwitch = ReturnType<typeof createStoredSwitch>;

export function createStoredSwitch(key: string, storage: TextStorage) {
  return createStore<StoredSwitchState>()((set, get) => ({
    isOn: storage.getItem(key) === "on",
    toggle() {
      const isOn = !get().isOn;
      if (isOn) storage.setItem(key, "on");
      else storage.removeItem(key);
      set({ isOn });
    },
  }));
}
