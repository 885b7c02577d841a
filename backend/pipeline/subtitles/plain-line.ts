/** Makes plain text of a line of subtitles. Pure. */
import { decodeEntities } from "../probe/entities.ts";

export const MAX_LINE_LENGTH = 500;

/** Elements of WebVTT, and those of HTML that SRT files have. */
const ELEMENTS =
  "a|b|big|br|c|center|del|div|em|font|i|ins|lang|p|rb|rp|rt|ruby|s|small|span|strike|strong|sub|sup|tt|u|v";
const LINE_BREAK = /<br\s{0,9}\/?>|<\/(?:p|div)>/gi;
/** Their tags, moments in a line, and the positions that some SRT files have. Any other "<" is text. */
const MARKS = new RegExp(
  String.raw`</?(?:${ELEMENTS})(?:\.[^<>\s]{0,100})?(?:\s[^<>]{0,200}=[^<>]{0,200})?\s{0,9}/?>|<(?:v|lang)[.\s][^<>]{0,200}>|` +
    String.raw`<(?:\d{1,3}:)?\d{1,2}:\d{1,2}\.\d{1,3}>|\{\\[^{}]{0,200}\}`,
  "gi",
);
/**
 * Control characters, and marks that turn letters around whatever they are. Those that Arabic and Hebrew subtitles need
 * stay: RLM, LRM, ALM, embeddings and isolates, none of which reaches beyond its line.
 */
// oxlint-disable-next-line no-control-regex
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202d\u202e\ufeff]+/g;
const VISIBLE = /[^\p{Cf}\s]/u;

/** @returns the text without marks, at most 500 characters; empty when nothing of it can be seen */
export function plainLine(raw: string): string {
  const line = decodeEntities(
    raw
      .slice(0, 4 * MAX_LINE_LENGTH)
      .replaceAll(LINE_BREAK, " ")
      .replaceAll(MARKS, ""),
  )
    .toWellFormed()
    .replaceAll(UNPRINTABLE, " ")
    .replaceAll(/\s+/g, " ")
    .trim()
    .slice(0, MAX_LINE_LENGTH)
    .toWellFormed();
  return VISIBLE.test(line) ? line : "";
}
