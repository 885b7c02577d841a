/** Writes that fail because another document already has the same unique key. */
import { doublingDelay } from "../../../common/doubling-delay.ts";
import { pause } from "../../../common/waiting.ts";
import { RateLimitedError } from "../rate-limited-error.ts";

/** The code of MongoDB's error for a unique key that another document already has. */
const DUPLICATE_KEY = 11_000;
/** With pauses of 1.6 s at most. In a race each round has a winner, so few calls need more than some tries. */
const MAX_TRIES = 20;
const FIRST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 100;
const RETRY_AFTER_SECONDS = 1;

/** @returns whether a write failed because another document already has the same unique key */
export function isDuplicateKeyError(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === DUPLICATE_KEY;
}

/**
 * Repeats a write for which another request or process took the unique key at the same moment.
 * @param write chooses a free key and writes with it; null: the key was taken meanwhile
 * @throws RateLimitedError unavailable_now when it was taken at each try; and what `write` throws
 */
export async function untilKeyIsFree<T>(write: () => Promise<T | null>): Promise<T> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    if (tries > 0) await pause(doublingDelay(tries - 1, FIRST_PAUSE_MS, LONGEST_PAUSE_MS) * (0.5 + Math.random() / 2));
    const written = await write();
    if (written !== null) return written;
  }
  throw new RateLimitedError(undefined, RETRY_AFTER_SECONDS, { code: "unavailable_now" });
}
