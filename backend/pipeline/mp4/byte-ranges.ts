/** Byte ranges of a remote file. Pure. */

/** `end` is exclusive. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** @returns the ranges in order; two with at most `gapBytes` between them become one */
export function joinRanges(ranges: readonly ByteRange[], gapBytes = 0): ByteRange[] {
  const joined: ByteRange[] = [];
  for (const range of ranges.toSorted((a, b) => a.start - b.start)) {
    const last = joined.at(-1);
    if (last && range.start <= last.end + gapBytes)
      joined[joined.length - 1] = { start: last.start, end: Math.max(last.end, range.end) };
    else joined.push(range);
  }
  return joined;
}
