/** When the slowest of several connections ends. Pure. */

/** A connection's pace is known after this time. */
const PACE_MS = 500;

/** A range that a connection is fetching. */
export interface RangeUnderWay {
  readonly begunMs: number;
  readonly bytes: number;
  receivedBytes: number;
}

/**
 * At the end of a file one connection may be left, and it is no faster for that.
 * @returns when the last of the ranges has come at its pace, as of `performance.now()`; 0 while none has a pace
 */
export function slowestEndMs(ranges: Iterable<RangeUnderWay>, nowMs: number): number {
  const ends = Array.from(ranges, ({ begunMs, bytes, receivedBytes }) => {
    const spentMs = nowMs - begunMs;
    const hasPace = spentMs >= PACE_MS && receivedBytes > 0;
    return hasPace ? nowMs + ((bytes - receivedBytes) * spentMs) / receivedBytes : 0;
  });
  return Math.max(0, ...ends);
}
