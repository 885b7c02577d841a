/** Stands in for `zustand/vanilla` in component tests, whose stores begin anew with each test. */
import { createStore as create } from "zustand/vanilla";
import type { StateCreator, StoreApi } from "zustand/vanilla";

const resets: (() => void)[] = [];

function createNoted<State>(initial: StateCreator<State>): StoreApi<State> {
  const store = create<State>()(initial);
  resets.push(() => store.setState(store.getInitialState(), true));
  return store;
}

export const createStore = (<State>(initial?: StateCreator<State>) =>
  initial ? createNoted(initial) : createNoted) as typeof create;

/** Gives each store the state in which it was created. */
export function resetStores(): void {
  for (const reset of resets) reset();
}
