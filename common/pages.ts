/** The places of the site that people can navigate to; every other path is the page that says so. */

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

/**
 * Whether there is a page at the path; as in the page's own routes, capitals and a slash at the end make no other
 * place.
 */
export function isKnownPage(path: string): boolean {
  return KNOWN.has(path.toLowerCase().replace(/(.)\/$/, "$1"));
}
