/** What a browser shows that opens a page while we cannot answer: it asks again by itself. */

/** Seconds after which whoever got a 503 is to ask again. */
export const RETRY_AFTER_SECONDS = 1;

/** The headers of such an answer. */
export const COME_BACK_HEADERS = {
  "Content-Type": "text/html; charset=utf-8",
  "Retry-After": String(RETRY_AFTER_SECONDS),
  Refresh: String(RETRY_AFTER_SECONDS),
} as const;

/** @param reason a sentence of ours, without anything a visitor has sent */
export function comeBackPage(reason: string): string {
  return `<!doctype html><html lang="en"><title>Tapedeck</title><p>${reason} This page comes back by itself.`;
}
