/** Places cues on the time line of a result, and writes them. Pure. */
import type { Part } from "../../../common/choices.ts";
import { timeInResult } from "../probe/time-in-result.ts";
import type { Cue } from "./cue.ts";

/** A cue that begins earlier than this after the one before it goes on with its text. */
const SAME_MOMENT_SECONDS = 0.1;

/** @returns how many lines at the beginning of the one are the last ones of the other */
function repeatedLines(lines: readonly string[], before: readonly string[]): number {
  for (let count = Math.min(lines.length, before.length); count > 0; count -= 1)
    if (lines.slice(0, count).every((line, index) => line === before[before.length - count + index])) return count;
  return 0;
}

/**
 * Automatic subtitles roll: each cue shows the last line once more, above the new one.
 * @returns the cues with each line once
 */
export function withoutRepeats(cues: readonly Cue[]): readonly Cue[] {
  const kept: Cue[] = [];
  /** What the cue before showed, repeats included. */
  let shown: Cue | undefined;
  for (const cue of cues) {
    const goesOn = shown !== undefined && cue.startSeconds - shown.endSeconds < SAME_MOMENT_SECONDS;
    const lines = cue.lines.slice(goesOn ? repeatedLines(cue.lines, shown?.lines ?? []) : 0);
    const last = kept.at(-1);
    if (lines.length > 0) kept.push({ ...cue, lines });
    else if (last) kept[kept.length - 1] = { ...last, endSeconds: Math.max(last.endSeconds, cue.endSeconds) };
    shown = cue;
  }
  // A cue that lasts until its line has rolled away ends where the next one begins.
  return kept.map((cue, index) => {
    const endSeconds = Math.min(cue.endSeconds, kept[index + 1]?.startSeconds ?? Infinity);
    return endSeconds > cue.startSeconds ? { ...cue, endSeconds } : cue;
  });
}

/** @returns the cues that a result shows, cut to it, on its own time line */
export function cuesOfPart(cues: readonly Cue[], part: Part, cuts?: readonly Part[]): readonly Cue[] {
  const inResult = (seconds: number): number => timeInResult(seconds, { part, cuts });
  return cues
    .map(({ startSeconds, endSeconds, lines }) => ({
      startSeconds: inResult(startSeconds),
      endSeconds: inResult(endSeconds),
      lines,
    }))
    .filter(({ startSeconds, endSeconds }) => endSeconds > startSeconds);
}

function timeOf(seconds: number, separator: "." | ","): string {
  const milliseconds = Math.round(seconds * 1_000);
  const two = (value: number): string => String(value).padStart(2, "0");
  const hours = Math.floor(milliseconds / 3_600_000);
  const minutes = Math.floor(milliseconds / 60_000) % 60;
  const rest = String(milliseconds % 1_000).padStart(3, "0");
  return `${two(hours)}:${two(minutes)}:${two(Math.floor(milliseconds / 1_000) % 60)}${separator}${rest}`;
}

/** In these characters of a text WebVTT sees marks. */
const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

/** @returns the cues as WebVTT */
export function toVtt(cues: readonly Cue[]): string {
  const blocks = cues.map(({ startSeconds, endSeconds, lines }) => {
    const times = `${timeOf(startSeconds, ".")} --> ${timeOf(endSeconds, ".")}`;
    return [times, ...lines.map((line) => line.replaceAll(/[&<>]/g, (character) => ESCAPES[character] ?? ""))].join(
      "\n",
    );
  });
  return `${["WEBVTT", ...blocks].join("\n\n")}\n`;
}

/** @returns the cues as SRT */
export function toSrt(cues: readonly Cue[]): string {
  const blocks = cues.map(({ startSeconds, endSeconds, lines }, index) => {
    const times = `${timeOf(startSeconds, ",")} --> ${timeOf(endSeconds, ",")}`;
    return [String(index + 1), times, ...lines].join("\n");
  });
  return `${blocks.join("\n\n")}\n`;
}

/** @returns the text alone, a line for each line that is shown */
export function toPlainText(cues: readonly Cue[]): string {
  return `${cues.flatMap(({ lines }) => lines).join("\n")}\n`;
}
