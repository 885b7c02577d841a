/** The page that required a sign-in, stored for this tab until the user returns to it. */
import { session } from "../../platform/runtime.ts";

const KEY = "tapedeck.after-sign-in";

/** A path on this site; "//host" would lead to another site. */
const OWN_PATH = /^\/(?![/\\])/;

export function saveTarget(path: string): void {
  if (OWN_PATH.test(path)) session.setItem(KEY, path);
}

/** Goes to the identity provider, which asks the user again, and then to the path. */
export function signInAgain(path: string): void {
  saveTarget(path);
  window.location.assign("/api/login?fresh");
}

/** Removes the stored path. @returns the path, or null if there is none */
export function takeTarget(): string | null {
  const path = session.getItem(KEY);
  session.removeItem(KEY);
  return path !== null && OWN_PATH.test(path) ? path : null;
}
