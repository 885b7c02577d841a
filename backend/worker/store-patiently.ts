import { doublingDelay } from "../../common/doubling-delay.ts";
import { pause } from "../../common/waiting.ts";
import { StoreUnavailableError } from "../storage/file-store.ts";

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 5_000;

/**
 * Stores a file, again and again while the storage does not answer: a short outage shall not cost the conversion.
 * @param patienceMs how long; 0 tries once
 * @throws StoreUnavailableError when the outage lasts longer, and any other error at once; `signal.reason` when aborted
 */
export async function storePatiently(
  store: () => Promise<void>,
  { patienceMs, signal }: { readonly patienceMs: number; readonly signal: AbortSignal },
): Promise<void> {
  const deadlineMs = performance.now() + patienceMs;
  for (let failures = 0; ; failures += 1) {
    const pauseMs = doublingDelay(failures, FIRST_PAUSE_MS, LONGEST_PAUSE_MS);
    try {
      return await store();
    } catch (error) {
      if (!(error instanceof StoreUnavailableError) || performance.now() + pauseMs > deadlineMs) throw error;
    }
    await pause(pauseMs, signal);
  }
}
