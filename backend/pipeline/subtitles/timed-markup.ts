/**
 * Reads subtitles in XML: TTML (W3C Timed Text Markup Language), and the two forms that YouTube has (srv1 with seconds in
 * `start` and `dur`, srv3 with milliseconds in `t` and `d`). The times of a text are those of its paragraph, else of the
 * spans in it, else of the division around it. Pure.
 */
import type { RawCue } from "./cue.ts";

const PARAGRAPH = /<(?:[\w-]{1,40}:)?(?:p|text)(?=[\s>])/;
const PARAGRAPH_END = /<\/(?:[\w-]{1,40}:)?(?:p|text)\s*>/;
const SPAN = /<(?:[\w-]{1,40}:)?span(?=[\s>])/;
const DIVISION = /<(?:[\w-]{1,40}:)?div(?=[\s>])[^<>]*>/g;
/** What it holds is text. */
const CDATA = /<!\[CDATA\[|\]\]>/g;
const LINE_BREAK = /<(?:[\w-]{1,40}:)?br\s*\/?>(?:<\/(?:[\w-]{1,40}:)?br>)?/g;
/** Here each "<" begins a tag. */
const TAG = /<[^<>]*>/g;
/** "01:02:03.5", by hand with a comma, and "01:02:03:12" with a number of frames. */
const CLOCK = /^(\d{1,3}):(\d{1,2}):(\d{1,2}(?:[.,]\d{1,9})?)(?::(\d{1,3}))?$/;
const OFFSET = /^(\d{1,12}(?:\.\d{1,9})?)(h|ms|m|s|f|t)$/;
/** Twice as many as cues are kept; the others have no text. */
const MAX_PARAGRAPHS = 60_000;
/** Longer tags have no times that can be believed. */
const MAX_TAG_LENGTH = 2_000;

function attribute(tag: string, name: string): string | undefined {
  return new RegExp(`\\s(?:[\\w-]{1,40}:)?${name}\\s*=\\s*["']([^"']*)["']`).exec(tag)?.[1];
}

/** Units of the times in a file. */
interface Rates {
  readonly frames: number;
  readonly ticks: number;
}

/** TTML 1, 6.2.4 and 6.2.11: 30 frames a second, and a tick for each frame, else one for each second. */
function ratesOf(head: string): Rates {
  const positive = (text: string | undefined): number | undefined => (Number(text) > 0 ? Number(text) : undefined);
  const stated = positive(attribute(head, "frameRate"));
  const [numerator, denominator] = (attribute(head, "frameRateMultiplier") ?? "1 1")
    .trim()
    .split(/[\s:]+/)
    .map(Number);
  const multiplier = numerator && denominator ? numerator / denominator : 1;
  return {
    frames: (stated ?? 30) * multiplier,
    ticks: positive(attribute(head, "tickRate")) ?? (stated === undefined ? 1 : stated * multiplier),
  };
}

/** @returns NaN for what is no time */
function secondsOf(text: string, { frames, ticks }: Rates): number {
  const [, hours, minutes, seconds = "", frame = "0"] = CLOCK.exec(text.trim()) ?? [];
  if (hours !== undefined)
    return Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds.replace(",", ".")) + Number(frame) / frames;
  const [, value, unit = ""] = OFFSET.exec(text.trim()) ?? [];
  const perSecond: Readonly<Record<string, number>> = { h: 1 / 3_600, m: 1 / 60, s: 1, ms: 1_000, f: frames, t: ticks };
  return Number(value) / (perSecond[unit] ?? 1);
}

/** @returns NaN for a paragraph without times of its own */
function timesOf(tag: string, rates: Rates): readonly [number, number] {
  const begin = attribute(tag, "begin");
  if (begin !== undefined) {
    const start = secondsOf(begin, rates);
    const end = attribute(tag, "end");
    return [start, end === undefined ? start + secondsOf(attribute(tag, "dur") ?? "", rates) : secondsOf(end, rates)];
  }
  const start = attribute(tag, "start");
  if (start !== undefined) return [Number(start), Number(start) + Number(attribute(tag, "dur"))];
  const milliseconds = Number(attribute(tag, "t"));
  return [milliseconds / 1_000, (milliseconds + Number(attribute(tag, "d"))) / 1_000];
}

/** @returns lines in which the "<" of no tag is left, apart from those that are escaped */
function linesOf(markup: string): readonly string[] {
  return markup
    .replaceAll(CDATA, "")
    .replaceAll(/\s+/g, " ")
    .split(LINE_BREAK)
    .map((line) => line.replaceAll(TAG, ""));
}

type Times = readonly [startSeconds: number, endSeconds: number];
const UNTIMED: Times = [NaN, NaN];

/** @param rest of a tag, and what follows it @returns its times, and what it holds; undefined for an empty element */
function opened(rest: string, rates: Rates): { readonly times: Times; readonly markup: string } | undefined {
  const tagEnd = rest.slice(0, MAX_TAG_LENGTH).indexOf(">");
  if (tagEnd < 0 || rest[tagEnd - 1] === "/") return undefined;
  return { times: timesOf(rest.slice(0, tagEnd), rates), markup: rest.slice(tagEnd + 1, tagEnd + 20_000) };
}

/** @returns the cues of a paragraph without times, as its spans have them */
function cuesOfSpans(markup: string, rates: Rates): RawCue[] {
  const cues: { startSeconds: number; endSeconds: number; markup: string }[] = [];
  for (const rest of markup.split(SPAN).slice(1)) {
    const span = opened(rest, rates);
    const [startSeconds, endSeconds] = span?.times ?? UNTIMED;
    const last = cues.at(-1);
    if (span?.times.every(Number.isFinite)) cues.push({ startSeconds, endSeconds, markup: span.markup });
    else if (span && last) last.markup += span.markup;
  }
  return cues.map(({ markup: own, ...times }) => ({ ...times, rawLines: linesOf(own) }));
}

/** @param before the times of the division before it @returns those of the last division that begins in it */
function divisionIn(markup: string, rates: Rates, before: Times): Times {
  const tag = markup.match(DIVISION)?.at(-1);
  return tag === undefined ? before : timesOf(tag.slice(0, MAX_TAG_LENGTH), rates);
}

/** @returns the cues in their order */
export function* timedMarkup(text: string): Generator<RawCue> {
  const [head = "", ...paragraphs] = text.split(PARAGRAPH, MAX_PARAGRAPHS);
  const rates = ratesOf(head.slice(0, 10_000));
  let division = divisionIn(head, rates, UNTIMED);
  for (const rest of paragraphs) {
    const paragraph = opened(rest, rates);
    const [markup = ""] = paragraph?.markup.split(PARAGRAPH_END, 1) ?? [];
    const own = paragraph?.times ?? UNTIMED;
    const spans = own.some(Number.isFinite) ? [] : cuesOfSpans(markup, rates);
    const [startSeconds = NaN, endSeconds = NaN] = own.map((time, at) => (Number.isFinite(time) ? time : division[at]));
    if (spans.length > 0) yield* spans;
    else if (paragraph) yield { startSeconds, endSeconds, rawLines: linesOf(markup) };
    division = divisionIn(rest, rates, division);
  }
}
