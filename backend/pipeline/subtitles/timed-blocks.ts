/** Reads WebVTT and SRT, also where the blocks are not separated as their formats want it. Pure. */
import { MAX_LINES, type RawCue } from "./cue.ts";

/**
 * Hours may be missing, SRT has a comma, and by hand the fraction is left out or has a colon. Translators of text put
 * spaces into times.
 */
const TIME = String.raw`(?:(\d{1,3}) ?: ?)?(\d{1,2}) ?: ?(\d{1,2})(?: ?[.,:] ?(\d{1,3}))?`;
/** Also as word processors and pages of HTML write it. */
const ARROW = String.raw`(?:(?:[-–] ?[-–]?|—) ?(?:>|&gt;)|→)`;
const TIMES = new RegExp(String.raw`^\s*${TIME}\s*${ARROW}\s*${TIME}(?:\s|$)`);
const NUMBER = /^[\s\p{Cf}]*\p{Nd}+[\s\p{Cf}]*$/u;
const OTHER_DIGITS = "٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹०१२३४५६७८९০১২৩৪৫৬৭৮৯";
/** Begins a block of WebVTT that is no cue. */
const NO_CUE = /^(?:NOTE|STYLE|REGION)(?:\s|$)/;

function secondsOf([hours = "0", minutes = "0", seconds = "0", fraction = "0"]: readonly (
  string | undefined
)[]): number {
  return Number(hours) * 3_600 + Number(minutes) * 60 + Number(`${seconds}.${fraction}`);
}

/** Editors of right-to-left texts mark each line, and translators change digits and marks to those of their script. */
const inAscii = (line: string): string =>
  line
    .replaceAll(/\p{Cf}/gu, "")
    .normalize("NFKC")
    .replaceAll(/[٠-٩۰-۹०-९০-৯]/g, (digit) => String(OTHER_DIGITS.indexOf(digit) % 10))
    .replaceAll(/[٫٬،]/g, ",");

const timesOf = (line = ""): RegExpExecArray | null => (/[>＞→]|&gt;/.test(line) ? TIMES.exec(inAscii(line)) : null);
const hasTimes = (line?: string): boolean => timesOf(line) !== null;
const isBlank = (line: string | undefined): boolean => line === undefined || line.trim() === "";

/** @returns the first line from there on that is not blank */
function nextText(lines: readonly string[], from: number): number {
  let at = from;
  while (at < lines.length && isBlank(lines[at])) at += 1;
  return at;
}

/** Whether a cue of a file with numbers begins at a line, or something that is none. */
function isBegin(lines: readonly string[], at: number): boolean {
  const line = lines[at] ?? "";
  return hasTimes(line) || NO_CUE.test(line) || (NUMBER.test(line) && hasTimes(lines[nextText(lines, at + 1)]));
}

/**
 * @param isNumbered whether the cues have numbers, between which a text may have empty lines
 * @returns where the text ends that begins at a line
 */
function endOfText(lines: readonly string[], from: number, isNumbered: boolean): number {
  let end = from;
  for (; end < lines.length; end += 1) {
    const line = lines[end] ?? "";
    if (line === "") {
      const next = nextText(lines, end);
      if (!isNumbered || next === lines.length || isBegin(lines, next)) return end;
      end = next;
    } else if (hasTimes(line)) return isNumbered && end > from && NUMBER.test(lines[end - 1] ?? "") ? end - 1 : end;
    // Automatic subtitles begin with a line that has a space alone, so such a line ends a text only before a block.
    else if (end > from && isBlank(lines[end - 1]) && NO_CUE.test(line)) return end;
  }
  return end;
}

/** @returns the cues in their order; blocks without times are left out */
export function* timedBlocks(text: string): Generator<RawCue> {
  // Copying between systems may double the returns.
  const lines = text.split(/\r{0,3}\n|\r/);
  const first = lines.findIndex(hasTimes);
  const before = lines.slice(0, Math.max(0, first)).findLast((line) => !isBlank(line)) ?? "";
  const isNumbered = NUMBER.test(before.replace("\ufeff", ""));
  for (let at = Math.max(0, first); at < lines.length; at += 1) {
    const times = timesOf(lines[at]);
    if (!times) continue;
    const end = endOfText(lines, at + 1, isNumbered);
    yield {
      startSeconds: secondsOf(times.slice(1, 5)),
      endSeconds: secondsOf(times.slice(5, 9)),
      rawLines: lines.slice(at + 1, Math.min(end, at + 1 + 4 * MAX_LINES)).filter((line) => !isBlank(line)),
    };
    at = end - 1;
  }
}
