/** Reads the header `Retry-After` (RFC 9110, section 10.2.3). Pure. */

/** A site that asks for more is not believed: limits of sites last an hour at most. */
export const LONGEST_RETRY_AFTER_MS = 3_600_000;

/** The forms of a date in HTTP: two that end with "GMT", and one without a time zone that ends with the year. */
const HTTP_DATE = /^[A-Z][a-z]{2,8},? .*(?:(?<zone>GMT)|\d{4})$/;

function readDate(text: string): number {
  const found = HTTP_DATE.exec(text);
  if (!found) return NaN;
  return Date.parse(found.groups?.["zone"] === undefined ? `${text} GMT` : text);
}

/**
 * @param value seconds or a date
 * @returns how long to wait, from 0 to an hour; undefined when the header is absent or cannot be read
 */
export function readRetryAfterMs(value: string | undefined, nowMs: number): number | undefined {
  const text = value?.trim() ?? "";
  const waitMs = /^\d+$/.test(text) ? Number(text) * 1_000 : readDate(text) - nowMs;
  return Number.isNaN(waitMs) ? undefined : Math.min(LONGEST_RETRY_AFTER_MS, Math.max(0, waitMs));
}
