import { useDevice, useUser } from "./stores.ts";

/**
 * Whether the visitor is signed in. May turn true shortly before the user's data are loaded.
 * @returns null until it is known
 */
export function useIsSignedIn(): boolean | null {
  const phase = useUser((state) => state.phase);
  const isDeviceSignedIn = useDevice((state) => state.isSignedIn);
  return phase === "loading" ? isDeviceSignedIn : phase === "signed-in";
}
