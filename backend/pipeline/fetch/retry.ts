/** Retries a request after its connection broke. */
import { pause } from "../../../common/waiting.ts";
import { ConversionError } from "../../../common/errors.ts";
import type { RequestPauses } from "./request-pauses.ts";

/** Attempts in a row that receive no byte before the request is given up. */
const MAX_TRIES = 3;

/**
 * Calls `attempt` again, after a pause, each time it throws ConversionError "network".
 * @param attempt calls `onProgress` with bytes that the next attempt need not fetch again; then tries count from one
 * @returns what the attempt that succeeds returns
 * @param pauses the attempt waits for those that the site asks for
 * @throws what the last attempt threw
 * @throws `signal.reason` when aborted
 */
export async function retry<T>(
  attempt: (onProgress: (bytes: number) => void) => Promise<T>,
  pauses: RequestPauses,
  signal: AbortSignal,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    let progressBytes = 0;
    try {
      const onProgress = (bytes: number): void => {
        progressBytes += bytes;
      };
      return await pauses.run(() => attempt(onProgress), signal);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ConversionError) || error.code !== "network") throw error;
      if (progressBytes > 0) tries = 1;
      if (tries >= MAX_TRIES) throw error;
      await pause(pauses.retryMs, signal);
    }
  }
}
