/** Notices that a job is slower than its time left has said. */
import { shownSeconds } from "../texts/shown-seconds.ts";

/** The time left may grow by as much without a word, in seconds. */
const TOLERANCE_S = 2;
/** The word stays so long after the time left has grown, so that it does not flicker. */
export const SLOWER_SHOWN_MS = 10_000;

/**
 * Watches one attempt of a job.
 * @returns a function that takes the time left of each version of the job, undefined while there is none, and returns
 * until when the job is shown as slower than expected, in milliseconds since 1970
 */
export function createSlownessWatch() {
  let lowest = Infinity;
  let untilMs = 0;
  return (etaSeconds: number | undefined, nowMs: number): number => {
    if (etaSeconds === undefined) return untilMs;
    const shown = shownSeconds(etaSeconds);
    const isSlower = shown > lowest + TOLERANCE_S;
    if (isSlower) untilMs = nowMs + SLOWER_SHOWN_MS;
    lowest = isSlower ? shown : Math.min(lowest, shown);
    return untilMs;
  };
}
