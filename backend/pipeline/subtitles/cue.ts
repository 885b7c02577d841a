/** A cue of subtitles, and its bounds, which hold whatever file it was read from. Pure. */
import { plainLine } from "./plain-line.ts";

/** A text and when it is shown. */
export interface Cue {
  readonly startSeconds: number;
  readonly endSeconds: number;
  /** Plain text, at least one line, none of them empty. */
  readonly lines: readonly string[];
}

/** Ten hours of fast speech have about 20,000. */
const MAX_CUES = 30_000;
export const MAX_LINES = 8;

/** What a file says: times, and lines that may have marks. */
export interface RawCue {
  readonly startSeconds: number;
  readonly endSeconds: number;
  readonly rawLines: readonly string[];
}

/** @returns the cues sorted by time, at most 30,000 */
export function inOrder(cues: readonly Cue[]): readonly Cue[] {
  return cues.toSorted((one, other) => one.startSeconds - other.startSeconds).slice(0, MAX_CUES);
}

/** @returns the first 30,000 cues, sorted by time, without those that show nothing */
export function toCues(raw: Iterable<RawCue>): readonly Cue[] {
  const cues: Cue[] = [];
  for (const { startSeconds, endSeconds, rawLines } of raw) {
    const lines = rawLines
      .slice(0, MAX_LINES)
      .map(plainLine)
      .filter((line) => line !== "");
    if (endSeconds > startSeconds && startSeconds >= 0 && lines.length > 0)
      cues.push({ startSeconds, endSeconds, lines });
    if (cues.length === MAX_CUES) break;
  }
  return inOrder(cues);
}
