/** Where a person was going when the sign-in came in between; kept for this tab until they get there. */
const KEY = "tapedeck.after-sign-in";

/** A path of this site and nothing else: "//elsewhere" would leave it. */
const OWN_PATH = /^\/(?![/\\])/;

export function saveTarget(path: string): void {
  if (OWN_PATH.test(path)) sessionStorage.setItem(KEY, path);
}

/** @returns the saved path, which is then forgotten; null if there is none */
export function takeTarget(): string | null {
  const path = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  return path !== null && OWN_PATH.test(path) ? path : null;
}
