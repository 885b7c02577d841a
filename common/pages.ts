/** Paths of the site's pages. Every other path shows the "not found" page. */

export const PAGE_PATHS = [
  "/",
  "/plans",
  "/subscribe",
  "/login",
  "/dashboard",
  "/pro",
  "/help",
  "/contact",
  "/privacy",
  "/terms",
] as const;

const KNOWN: ReadonlySet<string> = new Set(PAGE_PATHS);

/** Whether a page exists at the path. Ignores case and a trailing slash, as the client's router does. */
export function isKnownPage(path: string): boolean {
  return KNOWN.has(path.toLowerCase().replace(/(.)\/$/, "$1"));
}
