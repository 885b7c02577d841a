import { useSyncExternalStore } from "react";

const subscribeToNothing = () => () => undefined;

/** False during prerendering and hydration, whose result must match the prerendered page without a stored choice. */
export const useIsHydrated = (): boolean =>
  useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  );
