/** Moments of a video as people write them: in fields such as `1:02:03`, and in links such as `?t=1m30s`. Pure. */
import { LONGEST_SECONDS } from "./choices.ts";
import { parseUrl } from "./parse-url.ts";

/** @returns the seconds, rounded to the millisecond */
export function toMilliseconds(seconds: number): number {
  return Math.round(seconds * 1_000) / 1_000;
}

/** @returns the seconds; undefined for a time that no video reaches */
function withinLongest(seconds: number): number | undefined {
  return seconds <= LONGEST_SECONDS ? toMilliseconds(seconds) : undefined;
}

/** Code points of the digit zero: Arabic, Persian, Devanagari. */
const DIGIT_ZEROS = [0x660, 0x6f0, 0x966];

/** Digits of Arabic, Persian and Devanagari keyboards, wide digits and colons of East Asian ones, and ratio signs, to those of ASCII. */
function toAscii(text: string): string {
  return text
    .normalize("NFKC")
    .replaceAll("\u2236", ":")
    .replaceAll(/[\u0660-\u0669\u06F0-\u06F9\u0966-\u096F]/g, (digit) => {
      const code = digit.charCodeAt(0);
      const zero = DIGIT_ZEROS.findLast((first) => first <= code) ?? code;
      return String(code - zero);
    });
}

/** Hours and minutes before colons, then seconds with up to three decimals after a point or a comma. */
const CLOCK = /^(?:(?:(\d{1,4}):)?(\d{1,5}):)?(\d{1,7}(?:[.,\u066B]\d{1,3})?)$/u;

/** `1h2m3s`, `1 hour 2 minutes 3 seconds`, `1 Std. 2 Min. 3 Sek.`, `2'3"`, each part optional, but not all. */
const UNITS =
  /^(?=\d)(?:(\d{1,4}) ?(?:h(?:(?:ou)?rs?)?|std\.?) ?)?(?:(\d{1,5}) ?(?:m(?:in(?:ute)?s?)?\.?|['′’]) ?)?(?:(\d{1,7}(?:[.,]\d{1,3})?) ?(?:s(?:e[ck](?:ond)?s?)?\.?|["”]|['′’]{2})?)?$/i;

/**
 * Reads `95`, `1:35`, `1:02:03`, `1 : 02.5`, `1m35s`, `1 min 35`. After a colon, minutes and seconds are below 60.
 * @returns seconds, to the millisecond; undefined for any other text
 */
export function parseTime(text: string): number | undefined {
  // Marks of direction come with times that are copied out of other scripts.
  const ascii = toAscii(text.replaceAll(/\p{Default_Ignorable_Code_Point}+/gu, ""))
    .trim()
    .replaceAll(/ ?: ?/g, ":");
  return parseClock(ascii) ?? parseUnits(ascii);
}

function parseClock(text: string): number | undefined {
  const found = CLOCK.exec(text);
  if (!found) return undefined;
  const [, hours, minutes] = found;
  const seconds = Number(found[3]?.replace(/[,\u066B]/u, "."));
  if (minutes !== undefined && seconds >= 60) return undefined;
  if (hours !== undefined && Number(minutes) >= 60) return undefined;
  return withinLongest(Number(hours ?? 0) * 3_600 + Number(minutes ?? 0) * 60 + seconds);
}

function parseUnits(text: string): number | undefined {
  // A number behind hours is of minutes, as in 1h30.
  const found = UNITS.exec(text.replace(/((?:h|hrs?|hours?) ?\d+)$/i, "$1m"));
  if (!found) return undefined;
  const [, hours = "0", minutes = "0", seconds = "0"] = found;
  return withinLongest(Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds.replace(",", ".")));
}

/**
 * Writes a time so that {@link parseTime} reads the same again: `0:05`, `1:35`, `1:02:03`, `1:02.5`.
 * @param seconds 0 or more
 */
export function formatTime(seconds: number): string {
  const total = toMilliseconds(seconds);
  const whole = Math.floor(total);
  const decimals = String(Math.round((total - whole) * 1_000))
    .padStart(3, "0")
    .replace(/0+$/, "");
  const twoDigits = (count: number): string => String(count).padStart(2, "0");
  const hours = Math.floor(whole / 3_600);
  const minutes = Math.floor(whole / 60) % 60;
  const clock = hours > 0 ? `${hours}:${twoDigits(minutes)}` : String(minutes);
  return `${clock}:${twoDigits(whole % 60)}${decimals === "" ? "" : `.${decimals}`}`;
}

/** Names under which sites keep the moment at which a link begins, in order of preference. */
const START_NAMES = ["t", "start", "time_continue", "begin"] as const;

/** @returns the first parameter with a moment; of a range such as `10,20` its start */
function startIn(parameters: URLSearchParams): number | undefined {
  const values = START_NAMES.flatMap((name) => parameters.get(name) ?? []);
  return values.map((value) => parseTime(value.replace(/^npt:/, "").split(",")[0] ?? "")).find((start) => start);
}

/** Parses a link as people paste it, which may be without a scheme. */
export function parseLink(text: string): URL | null {
  return parseUrl(/^https?:\/\//i.test(text) ? text : `https://${text}`);
}

/**
 * Reads where a link wants a video to begin: `?t=90`, `?t=1m30s`, `?start=90`, `#t=1:30`.
 * @returns seconds above 0; undefined for a link that names no moment
 */
export function startOfLink(link: string): number | undefined {
  const url = parseLink(link.trim());
  return url ? (startIn(new URLSearchParams(url.hash.slice(1))) ?? startIn(url.searchParams)) : undefined;
}
