/** The page that browsers show while the server cannot answer. It reloads itself. */

/** Time after which a caller may try again after a 503. */
export const RETRY_AFTER_SECONDS = 1;

/** The headers of an answer with this page. */
export const COME_BACK_HEADERS = {
  "Content-Type": "text/html; charset=utf-8",
  "Retry-After": String(RETRY_AFTER_SECONDS),
  Refresh: String(RETRY_AFTER_SECONDS),
} as const;

/** @param reason a sentence that is inserted without escaping, so it must not contain input of visitors */
export function comeBackPage(reason: string): string {
  return `<!doctype html><html lang="en"><title>Tapedeck</title><p>${reason} This page comes back by itself.`;
}
