/**
 * Reads and writes subtitles. The files come from foreign sites: only times and plain text are taken from them, and
 * what cannot be read is left out. Pure.
 */
import type { Part } from "../../../common/choices.ts";
import { timeInResult } from "../probe/time-in-result.ts";

/** A text and when it is shown. */
export interface Cue {
  readonly startSeconds: number;
  readonly endSeconds: number;
  /** Plain text, at least one line, none of them empty. */
  readonly lines: readonly string[];
}

/** Ten hours of fast speech have about 20,000. */
const MAX_CUES = 30_000;
const MAX_LINES = 8;
const MAX_LINE_LENGTH = 500;

/** Times of WebVTT and SRT: hours may be missing, and SRT has a comma. */
const TIME = String.raw`(?:(\d{1,3}):)?(\d{1,2}):(\d{1,2})[.,](\d{1,3})`;
const TIMES = new RegExp(String.raw`^\s*${TIME}\s+-->\s+${TIME}(?:\s|$)`);
/** Marks of WebVTT, SRT and HTML, and the positions that some SRT files have. */
const MARKS = /<[^<>]{0,200}>|\{\\[^{}]{0,200}\}/g;
const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  nbsp: " ",
  lrm: "",
  rlm: "",
};
/** Control characters, and marks that change the writing direction of what follows. */
// oxlint-disable-next-line no-control-regex
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]+/g;

function secondsOf([hours = "0", minutes = "0", seconds = "0", fraction = "0"]: readonly (
  string | undefined
)[]): number {
  return Number(hours) * 3_600 + Number(minutes) * 60 + Number(`${seconds}.${fraction}`);
}

function plainLine(raw: string): string {
  return raw
    .slice(0, 4 * MAX_LINE_LENGTH)
    .replaceAll(MARKS, "")
    .replaceAll(/&(\w{1,8});|&#39;/g, (entity, name: string | undefined) => (name ? (ENTITIES[name] ?? entity) : "'"))
    .toWellFormed()
    .replaceAll(UNPRINTABLE, " ")
    .replaceAll(/\s+/g, " ")
    .trim()
    .slice(0, MAX_LINE_LENGTH)
    .toWellFormed();
}

/** @returns the cue of a block of lines; undefined for notes, styles, numbers alone and what is broken */
function cueOf(block: readonly string[]): Cue | undefined {
  const at = block.findIndex((line) => TIMES.test(line));
  const times = TIMES.exec(block[at] ?? "");
  if (!times) return undefined;
  const [startSeconds, endSeconds] = [secondsOf(times.slice(1, 5)), secondsOf(times.slice(5, 9))];
  const lines = block
    .slice(at + 1, at + 1 + MAX_LINES)
    .map(plainLine)
    .filter((line) => line !== "");
  return endSeconds > startSeconds && lines.length > 0 ? { startSeconds, endSeconds, lines } : undefined;
}

/** @returns the cues of a WebVTT or SRT file, sorted by time; at most 30,000 */
export function parseCues(text: string): readonly Cue[] {
  const cues: Cue[] = [];
  let block: string[] = [];
  for (const line of [...text.split(/\r\n|\r|\n/), ""]) {
    if (line !== "") {
      // What a block has beyond its lines is not shown.
      if (block.length < MAX_LINES + 3) block.push(line);
      continue;
    }
    const cue = cueOf(block);
    if (cue) cues.push(cue);
    block = [];
    if (cues.length === MAX_CUES) break;
  }
  return cues.toSorted((one, other) => one.startSeconds - other.startSeconds);
}

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
