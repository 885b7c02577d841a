import { useState, useSyncExternalStore } from "react";

const subscribeToNothing = () => () => undefined;

/** False during prerendering and hydration, whose result must match the prerendered page without a stored choice. */
export const useIsHydrated = (): boolean =>
  useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  );

/** Whether the component was prerendered, and not rendered by the browser. Stays the same. */
export function useWasPrerendered(): boolean {
  const isHydrated = useIsHydrated();
  return useState(!isHydrated)[0];
}
