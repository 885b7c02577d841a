/** What is left out of a result in the middle of it. Pure. */
import { SHORTEST_PART_SECONDS, type Part } from "../../../common/choices.ts";
import { partSeconds } from "./part.ts";

/** @returns length of all of them together, to the millisecond */
export function secondsOfCuts(cuts: readonly Part[]): number {
  return (
    Math.round(cuts.reduce((sum, { startSeconds, endSeconds }) => sum + endSeconds - startSeconds, 0) * 1_000) / 1_000
  );
}

/**
 * @param spans sorted and apart from each other
 * @returns the spans as far as they are in the part; none where they would leave less than the shortest part
 */
export function cutsIn(spans: readonly Part[], part: Part): readonly Part[] {
  const cuts = spans
    .map(({ startSeconds, endSeconds }) => ({
      startSeconds: Math.max(startSeconds, part.startSeconds),
      endSeconds: Math.min(endSeconds, part.endSeconds),
    }))
    .filter(({ startSeconds, endSeconds }) => endSeconds > startSeconds);
  return partSeconds(part) - secondsOfCuts(cuts) < SHORTEST_PART_SECONDS ? [] : cuts;
}

/** Sites round lengths, so a span that ends this near to the end of the sources ends with them. */
const ROUNDING_SECONDS = 1;

function upToEnd(spans: readonly Part[], sourceSeconds: number): readonly Part[] {
  return spans.map((span) =>
    span.endSeconds > sourceSeconds - ROUNDING_SECONDS ? { ...span, endSeconds: sourceSeconds } : span,
  );
}

/** How much of its sources a result has. */
export interface Extent {
  /** Of the result. */
  readonly durationSeconds: number;
  /** Absent: the whole video. Present wherever something is cut out. */
  readonly part?: Part;
  /** Left out of the part; absent: nothing. */
  readonly cuts?: readonly Part[];
}

/**
 * @param part within the sources; undefined: all of them
 * @param sourceSeconds length of the sources
 * @param spans to leave out
 */
export function extentOf(part: Part | undefined, sourceSeconds: number, spans: readonly Part[] = []): Extent {
  const kept = part ?? { startSeconds: 0, endSeconds: sourceSeconds };
  const cuts = cutsIn(part ? spans : upToEnd(spans, sourceSeconds), kept);
  if (cuts.length === 0) return { durationSeconds: part ? partSeconds(part) : sourceSeconds, part };
  return { durationSeconds: Math.round((partSeconds(kept) - secondsOfCuts(cuts)) * 1_000) / 1_000, part: kept, cuts };
}
