import { useDevice, useUser } from "./client.ts";

/** Whether somebody is signed in; null until it is known. Who it is may follow a moment later. */
export function useIsSignedIn(): boolean | null {
  const phase = useUser((state) => state.phase);
  const told = useDevice((state) => state.isSignedIn);
  return phase === "loading" ? told : phase === "signed-in";
}
