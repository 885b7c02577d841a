import { useStore } from "zustand";
import type { StoreApi } from "zustand/vanilla";

/** @returns a hook that gives a component what it selects of the store's state */
export function hookOf<State>(store: StoreApi<State>) {
  return function useSelected<Selected>(select: (state: State) => Selected): Selected {
    return useStore(store, select);
  };
}
