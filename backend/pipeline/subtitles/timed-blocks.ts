/** Reads WebVTT and SRT, also where the blocks are not separated as their formats want it. Pure. */
import { MAX_LINES, type RawCue } from "./cue.ts";

/** Hours may be missing, SRT has a comma, and by hand the fraction is left out. */
const TIME = String.raw`(?:(\d{1,3}):)?(\d{1,2}):(\d{1,2})(?:[.,](\d{1,3}))?`;
const TIMES = new RegExp(String.raw`^\s*${TIME}\s*--?>\s*${TIME}(?:\s|$)`);
const NUMBER = /^\s*\d+\s*$/;
/** Begins a block of WebVTT that is no cue. */
const NO_CUE = /^(?:NOTE|STYLE|REGION)(?:\s|$)/;

function secondsOf([hours = "0", minutes = "0", seconds = "0", fraction = "0"]: readonly (
  string | undefined
)[]): number {
  return Number(hours) * 3_600 + Number(minutes) * 60 + Number(`${seconds}.${fraction}`);
}

const hasTimes = (line: string | undefined): boolean => line?.includes(">") === true && TIMES.test(line);
const isBlank = (line: string | undefined): boolean => line === undefined || line.trim() === "";

/** @returns where the text ends that begins at a line: before an empty line, the next cue, or the number of that */
function endOfText(lines: readonly string[], from: number, isNumbered: boolean): number {
  let end = from;
  for (; end < lines.length && lines[end] !== ""; end += 1) {
    const line = lines[end] ?? "";
    if (hasTimes(line)) return isNumbered && end > from && NUMBER.test(lines[end - 1] ?? "") ? end - 1 : end;
    // Automatic subtitles begin with a line that has a space alone, so such a line ends a text only before a block.
    if (end > from && isBlank(lines[end - 1]) && NO_CUE.test(line)) return end;
  }
  return end;
}

/** @returns the cues in their order; blocks without times are left out */
export function* timedBlocks(text: string): Generator<RawCue> {
  const lines = text.split(/\r\n|\r|\n/);
  const first = lines.findIndex(hasTimes);
  const isNumbered = first > 0 && NUMBER.test(lines[first - 1]?.replace("\ufeff", "") ?? "");
  for (let at = Math.max(0, first); at < lines.length; at += 1) {
    const times = hasTimes(lines[at]) && TIMES.exec(lines[at] ?? "");
    if (!times) continue;
    const end = endOfText(lines, at + 1, isNumbered);
    yield {
      startSeconds: secondsOf(times.slice(1, 5)),
      endSeconds: secondsOf(times.slice(5, 9)),
      rawLines: lines.slice(at + 1, Math.min(end, at + 1 + MAX_LINES)),
    };
    at = end - 1;
  }
}
