/**
 * Finds out what of a part's picture can be copied: whole groups of pictures. Only what lies before the first and after
 * the last of them has to be encoded. Pure.
 */

/** A frame of the source, in the order in which it is stored. Times are in units of its track. */
export interface StoredFrame {
  readonly time: number;
  readonly sizeBytes: number;
  /** Offset in the file. */
  readonly position: number;
  readonly isKey: boolean;
}

/** From the first time up to the second one. */
export interface TimeSpan {
  readonly from: number;
  readonly to: number;
}

export interface CopiedSpan {
  /** Frames before the copied ones, which are encoded. */
  readonly head?: TimeSpan;
  readonly copied: readonly StoredFrame[];
  /** Frames after them, which are encoded. */
  readonly tail?: TimeSpan;
  /** Of all frames, also of those around the part, in order. */
  readonly times: readonly number[];
}

/** @returns indices of key frames with all frames that are stored after them shown after them, and all others before */
function findBorders(frames: readonly StoredFrame[]): readonly number[] {
  let latestBefore = -Infinity;
  const isAfterAll = frames.map(({ time }) => {
    const isLater = time > latestBefore;
    latestBefore = Math.max(latestBefore, time);
    return isLater;
  });
  let earliestAfter = Infinity;
  const isBeforeAll = frames.toReversed().map(({ time }) => {
    const isEarlier = time < earliestAfter;
    earliestAfter = Math.min(earliestAfter, time);
    return isEarlier;
  });
  return frames.flatMap(({ isKey }, index) =>
    isKey && isAfterAll[index] === true && isBeforeAll.at(-1 - index) === true ? [index] : [],
  );
}

/** @returns how many frames from `first` on can be copied without later ones; undefined when some need later ones */
function countUpTo(frames: readonly StoredFrame[], first: number, end: number): number | undefined {
  const isInside = frames.slice(first).map(({ time }) => time < end);
  const count = isInside.lastIndexOf(true) + 1;
  return isInside.slice(0, count).every(Boolean) ? count : undefined;
}

/**
 * @param frames those of the part, with all from the key frame before it, and those that its last frames need
 * @param start of the part, as are times of frames
 * @param tolerance by which times of part and frames may differ
 * @returns undefined when nothing can be copied
 */
export function findCopiedSpan(
  frames: readonly StoredFrame[],
  start: number,
  end: number,
  tolerance: number,
): CopiedSpan | undefined {
  const times = frames.map(({ time }) => time).toSorted((a, b) => a - b);
  const firstTime = times.find((time) => time >= start - tolerance);
  if (firstTime === undefined || new Set(times).size < times.length) return undefined;
  const inside = end - tolerance;
  const borders = findBorders(frames).filter((index) => {
    const time = frames[index]?.time ?? NaN;
    return time >= firstTime && time < inside;
  });
  const [first] = borders;
  const last = borders.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const from = frames[first]?.time ?? NaN;
  const head = from > firstTime ? { from: firstTime, to: from } : undefined;
  const count = countUpTo(frames, first, inside);
  if (count !== undefined) return { head, copied: frames.slice(first, first + count), times };
  if (last === first) return undefined;
  const tail = { from: frames[last]?.time ?? NaN, to: inside };
  return { head, copied: frames.slice(first, last), tail, times };
}
