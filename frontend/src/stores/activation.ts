/** Whether the page waits for Pro after a payment. What waits is loaded with a payment: see actions/activation.ts. */
import { createStore } from "zustand/vanilla";

export interface ActivationState {
  /** `done` stays until the page is left, so that its text does not vanish while the user reads it. */
  readonly phase: "none" | "waiting" | "done";
  /** Waiting has taken longer than usual, and the page explains the delay. */
  readonly isLong: boolean;
}

export type ActivationStore = ReturnType<typeof createActivationStore>;

export function createActivationStore() {
  return createStore<ActivationState>()(() => ({ phase: "none", isLong: false }));
}

/** Resets `done` when the user has left the page. */
export function dismissActivation(store: ActivationStore): void {
  if (store.getState().phase === "done") store.setState({ phase: "none" });
}
