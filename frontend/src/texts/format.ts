/** Formats numbers, sizes, dates and times in the page's language. */
import { fileKindOf } from "../../../common/job.ts";
import type { FileKind } from "../../../common/findings.ts";
import type { Job } from "../../../common/job.ts";
import { BYTES_PER_MB, TIERS } from "../../../common/tiers.ts";
import type { Format, Tier } from "../../../common/tiers.ts";
import type { Texts } from "./en.ts";
import { LANGUAGES } from "./languages.ts";
import type { Language } from "./languages.ts";
import { shownSeconds } from "./shown-seconds.ts";

const BYTES_PER_KB = 1_000;

const SECOND = { unit: "second", ms: 1_000 } as const;
/** Largest first. */
const UNITS = [
  { unit: "day", ms: 86_400_000 },
  { unit: "hour", ms: 3_600_000 },
  { unit: "minute", ms: 60_000 },
  SECOND,
] as const;

/** A countdown that is shorter is in seconds. */
const COUNTED_IN_SECONDS_MS = 120_000;

/** Unicode characters that isolate a part of the text with its own direction. */
const LEFT_TO_RIGHT = "\u2066";
const END = "\u2069";

/** Creates a formatter at first use, because each takes some milliseconds and a page needs few of them. */
function once<Value>(create: () => Value): () => Value {
  let created: Value | undefined;
  return () => (created ??= create());
}

const unitFormat = (locale: string, unit: string, options: Intl.NumberFormatOptions = {}) =>
  new Intl.NumberFormat(locale, { style: "unit", unit, ...options });

/** Names that are not written in capitals. */
const NAMES: Partial<Record<FileKind, string>> = { opus: "Opus", ogg: "Ogg", wv: "WavPack" };

const nameOf = (kind: FileKind) => NAMES[kind] ?? kind.toUpperCase();

type FileName = Pick<Job, "format" | "fileKind" | "subtitleLanguage" | "choices">;
type FileQuality = Pick<Job, "quality" | "shortfall">;

/** @returns the quality of the file, which may be less than that of the plan */
const qualityOf = ({ quality, shortfall }: FileQuality) => (shortfall ? `${shortfall.heightLines}p` : quality);

/** @returns a duration in the format of players: "4:12", "2:31:07" */
function clock(durationSeconds: number): string {
  const totalSeconds = Math.round(durationSeconds);
  const twoDigits = (part: number) => String(part).padStart(2, "0");
  const hours = Math.floor(totalSeconds / 3_600);
  const minutes = Math.floor(totalSeconds / 60) % 60;
  const seconds = twoDigits(totalSeconds % 60);
  return hours > 0 ? `${hours}:${twoDigits(minutes)}:${seconds}` : `${minutes}:${seconds}`;
}

export type Formats = ReturnType<typeof createFormats>;

/**
 * Creates the formats of a language.
 * @param words texts for formats that `Intl` does not have
 */
export function createFormats(language: Language, words: Texts["figures"]) {
  const { locale, direction } = LANGUAGES[language];
  const number = once(() => new Intl.NumberFormat(locale));
  const lists = once(() => new Intl.ListFormat(locale, { type: "unit", style: "short" }));
  /** Isolates a Latin term within right-to-left text, so that it keeps its order. */
  const latin = (text: string) => (direction === "rtl" ? LEFT_TO_RIGHT + text + END : text);
  const quality = (name: string) =>
    name === "original" || name === "lossless" ? words[name] : latin(name.replace("kbps", " kbps"));
  const format = (job: FileName) => {
    const kind = fileKindOf(job);
    return kind === undefined ? words.originalSound : latin(nameOf(kind));
  };
  const wholeKind = (job: FileName & FileQuality) => {
    const kind = fileKindOf(job);
    if (kind === undefined) return words.originalSound;
    if (job.format === "transcript") return latin([nameOf(kind), job.subtitleLanguage].filter(Boolean).join(" · "));
    const isWord = job.format !== "mp3" && job.format !== "mp4";
    return isWord
      ? `${format(job)} · ${quality(qualityOf(job))}`
      : latin(`${nameOf(kind)} · ${qualityOf(job).replace("kbps", " kbps")}`);
  };
  /** Of one that nobody has chosen yet. */
  const formatName = (name: Format) => (name === "transcript" ? words.transcript : format({ format: name }));
  return {
    latin,

    number: (value: number) => number().format(value),

    /** "1 working, 1 waiting". */
    list: (parts: readonly string[]) => (parts.length < 2 ? parts.join("") : lists().format(parts)),

    /** "original sound", "FLAC", "transcript": what a tier has beside MP3 and MP4. */
    otherFormats: (tier: Tier) =>
      TIERS[tier].formats.flatMap((name) => (name === "mp3" || name === "mp4" ? [] : formatName(name))),

    formatName,

    /** "41 %", rounded down, so that 100 % means completed. */
    percent: (percent: number) => words.percent(number().format(Math.floor(percent))),

    /** "128 kbps", "480p". */
    quality,

    /** The quality of a job's file. */
    qualityOf: (job: FileQuality) => quality(qualityOf(job)),

    /** "MP3", "Opus"; "original sound" while it is not known what that is. */
    format,

    /**
     * "MP3 · 128 kbps", "M4A · original", "SRT · en"; of a part, "MP3 · 128 kbps · 1:02–3:05"; with one file for
     * each chapter, "MP3 · 320 kbps · ZIP".
     */
    kind: (job: FileName & FileQuality) => {
      const { part, chapterFiles } = job.choices ?? {};
      const what = part ? `${clock(part.startSeconds)}–${clock(part.endSeconds)}` : chapterFiles && "ZIP";
      return what ? `${wholeKind(job)} · ${latin(what)}` : wholeKind(job);
    },

    ...createAmountFormats(locale, direction, latin),
    ...createDurationFormats(locale, words),
    ...createDateFormats(locale),
  };
}

/** Formats for sizes, speeds and prices. */
function createAmountFormats(locale: string, direction: "ltr" | "rtl", latin: (text: string) => string) {
  const oneDecimal = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
  const megabytes = once(() => unitFormat(locale, "megabyte", oneDecimal));
  const wholeMegabytes = once(() => unitFormat(locale, "megabyte"));
  const kilobytes = once(() => unitFormat(locale, "kilobyte"));
  const megabytesPerSecond = once(() => unitFormat(locale, "megabyte-per-second", oneDecimal));
  const kilobytesPerSecond = once(() => unitFormat(locale, "kilobyte-per-second", { maximumFractionDigits: 0 }));
  // English format in right-to-left languages, because their text would move the dollar sign.
  const dollars = once(
    () =>
      new Intl.NumberFormat(direction === "rtl" ? "en" : locale, {
        style: "currency",
        currency: "USD",
        currencyDisplay: "narrowSymbol",
        // "$9", but "$7.50".
        trailingZeroDisplay: "stripIfInteger",
      }),
  );
  return {
    /** Decimal megabytes with one decimal: 2 834 112 bytes are "2.8 MB"; fewer than 100 000 bytes are "12 kB". */
    fileSize: (sizeBytes: number) =>
      sizeBytes > 0 && sizeBytes < BYTES_PER_MB / 10
        ? kilobytes().format(Math.ceil(sizeBytes / BYTES_PER_KB))
        : megabytes().format(sizeBytes / BYTES_PER_MB),

    /** "50 MB", for limits. */
    wholeMegabytes: (sizeBytes: number) => wholeMegabytes().format(Math.round(sizeBytes / BYTES_PER_MB)),

    /** "350 kB/s", "2.4 MB/s". */
    speed: (bytesPerSecond: number) =>
      bytesPerSecond < BYTES_PER_MB
        ? kilobytesPerSecond().format(bytesPerSecond / BYTES_PER_KB)
        : megabytesPerSecond().format(bytesPerSecond / BYTES_PER_MB),

    /** US dollars: "$9", "$7.50". */
    dollars: (amount: number) => latin(dollars().format(amount)),
  };
}

/** Formats for lengths of time. */
function createDurationFormats(locale: string, words: Texts["figures"]) {
  const number = once(() => new Intl.NumberFormat(locale));
  const lists = once(() => new Intl.ListFormat(locale, { type: "unit", style: "short" }));
  const inWords = (unit: string) => once(() => unitFormat(locale, unit, { unitDisplay: "long" }));
  const hoursInWords = inWords("hour");
  const minutesInWords = inWords("minute");
  const secondsInWords = inWords("second");
  return {
    /** "3 s left", "2 min left", "1 h 5 min left"; at least one second. */
    timeLeft(etaSeconds: number): string {
      const seconds = shownSeconds(etaSeconds);
      if (seconds < 60) return words.secondsLeft(number().format(seconds));
      const minutes = seconds / 60;
      if (minutes < 60) return words.minutesLeft(number().format(minutes));
      const hours = number().format(Math.floor(minutes / 60));
      const rest = minutes % 60;
      return rest === 0 ? words.hoursLeft(hours) : words.hoursAndMinutesLeft(hours, number().format(rest));
    },

    clock,

    /** A duration in words for screen readers: "4 minutes, 12 seconds". */
    spokenLength(durationSeconds: number): string {
      const totalSeconds = Math.max(1, Math.round(durationSeconds));
      const parts = [
        { count: Math.floor(totalSeconds / 3_600), format: hoursInWords },
        { count: Math.floor(totalSeconds / 60) % 60, format: minutesInWords },
        { count: totalSeconds % 60, format: secondsInWords },
      ];
      return lists().format(parts.flatMap(({ count, format }) => (count > 0 ? format().format(count) : [])));
    },

    /** "20 minutes", "2 hours", "7 days": a whole number of the largest unit that fits. */
    span(seconds: number): string {
      const spanMs = seconds * 1_000;
      const { unit, ms } = UNITS.find(({ ms }) => spanMs >= ms && spanMs % ms === 0) ?? SECOND;
      return unitFormat(locale, unit, { unitDisplay: "long" }).format(Math.round(spanMs / ms));
    },
  };
}

/** Formats for dates and times. */
function createDateFormats(locale: string) {
  const relative = once(() => new Intl.RelativeTimeFormat(locale, { numeric: "always" }));
  const shortRelative = once(() => new Intl.RelativeTimeFormat(locale, { numeric: "always", style: "short" }));
  const dateAndTime = once(() => new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" }));
  const date = once(() => new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone: "UTC" }));
  const shortDate = once(() => new Intl.DateTimeFormat(locale, { month: "short", day: "numeric", timeZone: "UTC" }));
  const inLargestUnit = (differenceMs: number, units: readonly (typeof UNITS)[number][], formatter = relative()) => {
    const { unit, ms } = units.find(({ ms }) => Math.abs(differenceMs) >= ms) ?? SECOND;
    return formatter.format(Math.trunc(differenceMs / ms), unit);
  };
  const longDate = once(() => new Intl.DateTimeFormat(locale, { dateStyle: "long" }));
  return {
    /** "in 52 minutes", "in 7 days", "3 hours ago"; rounded down, so that a file exists at least that long. */
    relativeTime: (iso: string, nowMs: number) => inLargestUnit(Date.parse(iso) - nowMs, UNITS),

    /** "in 52 min.", where there is less room. */
    shortRelativeTime: (iso: string, nowMs: number) => inLargestUnit(Date.parse(iso) - nowMs, UNITS, shortRelative()),

    /** "in 2 hours". */
    inUnits: (count: number, unit: "second" | "minute" | "hour" | "day") => relative().format(count, unit),

    /** Like `relativeTime`, but "in 95 seconds" instead of "in 1 minute", so that it counts down visibly. */
    countdown(iso: string, nowMs: number): string {
      const differenceMs = Date.parse(iso) - nowMs;
      return inLargestUnit(differenceMs, differenceMs < COUNTED_IN_SECONDS_MS ? [SECOND] : UNITS);
    },

    /** "Nov 21, 2026, 6:32 AM", in the visitor's own time zone. */
    dateAndTime: (iso: string) => dateAndTime().format(new Date(iso)),

    /** A calendar day: "July 25, 2025" for "2025-07-25". */
    date: (isoDay: string) => date().format(new Date(isoDay)),

    /** "Jul 25" for "2025-07-25". */
    shortDate: (isoDay: string) => shortDate().format(new Date(isoDay)),

    /** The day of a time in the visitor's time zone: "March 3, 2027". */
    dayOf: (iso: string) => longDate().format(new Date(iso)),
  };
}
