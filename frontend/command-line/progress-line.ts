/** A line of progress that fits the terminal. Pure. */
import stringWidth from "string-width";
import { stripVTControlCharacters } from "node:util";
import { resumesAtOf, type Job } from "../../common/job.ts";
import { formatTime } from "../../common/times.ts";

export interface Progress {
  readonly title: string;
  /** 0 to 100. */
  readonly percent: number;
  /** Such as "converting, 0:12 left". */
  readonly state: string;
}

const STATES = { download: "fetching", convert: "converting", store: "storing" } as const;
const MAX_BAR = 24;
/** Shorter bars say nothing. */
const MIN_BAR = 6;
const MIN_TITLE = 12;
/** "converting, 1:02:03 left" is not longer. */
const STATE_WIDTH = 24;
/** A terminal of fewer columns has no place for the state beside title and percent. */
const COLUMNS_FOR_STATE = 48;

/** @returns what a job is doing, in a word or two */
export function stateOf(job: Job): string {
  const resumesAt = resumesAtOf(job);
  if (resumesAt !== undefined) return `waiting until ${new Date(resumesAt).toTimeString().slice(0, 5)}`;
  if (job.status !== "processing") return job.status === "completed" ? "saving" : "waiting";
  const left = job.etaSeconds === undefined ? "" : `, ${formatTime(Math.ceil(job.etaSeconds))} left`;
  return `${STATES[job.stage]}${left}`;
}

/** @returns text of at most `columns` - 1 columns: in the last one, some terminals begin a new line */
export function progressLine({ title, percent, state }: Progress, columns: number): string {
  const width = Math.max(columns - 1, 1);
  const figure = `${Math.floor(percent)} %`.padStart(5);
  const right = columns < COLUMNS_FOR_STATE ? figure : `${figure}  ${pad(state, STATE_WIDTH)}`;
  const room = width - right.length - 2;
  if (room < 1) return cut(figure.trim(), width);
  const bar = Math.min(MAX_BAR, room - MIN_TITLE - 4);
  if (bar < MIN_BAR) return `${pad(title, room)}  ${right}`;
  return `${pad(title, room - bar - 4)}  ${barOf(percent, bar)}  ${right}`;
}

function barOf(percent: number, width: number): string {
  return `[${"=".repeat(Math.floor((percent / 100) * width)).padEnd(width)}]`;
}

function pad(text: string, width: number): string {
  const short = cut(text, width);
  return short + " ".repeat(width - stringWidth(short));
}

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** @returns the text in at most `width` columns; Chinese characters and emoji take two */
export function cut(text: string, width: number): string {
  const shown = printable(text);
  if (stringWidth(shown) <= width) return shown;
  let short = "";
  for (const { segment } of graphemes.segment(shown)) {
    if (stringWidth(short + segment) > width - 1) break;
    short += segment;
  }
  return `${short}…`;
}

/** @returns the text without what a terminal takes for a command, or shows in another direction */
export function printable(text: string): string {
  return stripVTControlCharacters(text)
    .replaceAll(/[\p{Cc}\u2028-\u202e\u2066-\u2069]+/gu, " ")
    .trim();
}
