/** Where a moment of the video is in a result that has only some of it. Pure. */
import type { Part } from "../../../common/choices.ts";

/** What of the video a result has, on the time line of the whole video. */
export interface Kept {
  readonly part: Part;
  /** Left out of the part. Sorted, apart from each other, within the part. */
  readonly cuts?: readonly Part[];
}

function clamp(seconds: number, { startSeconds, endSeconds }: Part): number {
  return Math.min(Math.max(seconds, startSeconds), endSeconds);
}

/** @returns seconds on the time line of the result; for a moment that is left out, where the result goes on after it */
export function timeInResult(seconds: number, { part, cuts = [] }: Kept): number {
  const inPart = clamp(seconds, part);
  const leftOut = cuts.reduce((sum, cut) => sum + clamp(inPart, cut) - cut.startSeconds, 0);
  return inPart - part.startSeconds - leftOut;
}
