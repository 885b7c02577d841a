/**
 * Reads subtitles. The files come from foreign sites: only times and plain text are taken from them, and what cannot be
 * read is left out. The form is judged by the content, because sites name it wrongly. Pure.
 */
import { toCues, type Cue, type RawCue } from "./cue.ts";
import { timedBlocks } from "./timed-blocks.ts";
import { jsonEvents, scriptEvents } from "./timed-events.ts";
import { timedMarkup } from "./timed-markup.ts";

function rawCues(text: string): Iterable<RawCue> {
  const beginning = text.slice(0, 1_000).replace(/^[\ufeff\s]+/, "");
  if (beginning.startsWith("{")) return jsonEvents(text);
  if (/^(?:;.{0,200}\s{1,9}){0,9}\[(?:Script Info|V4\+? Styles|Events)\]/i.test(beginning)) return scriptEvents(text);
  return /^<(?:\?xml|!--|(?:\w+:)?tt[\s>]|transcript|timedtext)/i.test(beginning)
    ? timedMarkup(text)
    : timedBlocks(text);
}

/** @returns the cues of a file, sorted by time; at most 30,000 */
export function parseCues(text: string): readonly Cue[] {
  return toCues(rawCues(text));
}
