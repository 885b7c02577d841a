/** Reads subtitles that are lists of events: YouTube's JSON (json3), and Advanced SubStation Alpha. Pure. */
import { z } from "zod";
import { parseJson } from "../../../common/parse-json.ts";
import type { RawCue } from "./cue.ts";

const Events = z.looseObject({ events: z.array(z.unknown()) });
const Event = z.looseObject({
  tStartMs: z.number(),
  dDurationMs: z.number(),
  segs: z.array(z.looseObject({ utf8: z.string().catch("") })),
});

/** @returns the cues in their order; events without text or length, such as those that place windows, are left out */
export function* jsonEvents(json: string): Generator<RawCue> {
  for (const value of Events.safeParse(parseJson(json.replace(/^\ufeff/, ""))).data?.events ?? []) {
    const { data: event } = Event.safeParse(value);
    if (!event) continue;
    const text = event.segs.map(({ utf8 }) => utf8).join("");
    yield {
      startSeconds: event.tStartMs / 1_000,
      endSeconds: (event.tStartMs + event.dDurationMs) / 1_000,
      rawLines: text.split("\n"),
    };
  }
}

/** Columns of events where a file names none. */
const COLUMNS = ["layer", "start", "end", "style", "name", "marginl", "marginr", "marginv", "effect", "text"];
const TIME = /^\s*(\d{1,3}):(\d{1,2}):(\d{1,2}(?:\.\d{1,3})?)\s*$/;
const OVERRIDES = /\{[^{}]{0,1000}\}/g;
/** Behind this mark the text draws a shape. */
const DRAWING = /\{[^{}]{0,1000}\\p[1-9][^{}]{0,1000}\}/;

function secondsOf(text: string | undefined): number {
  const [, hours, minutes, seconds] = TIME.exec(text ?? "") ?? [];
  return Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds);
}

/** @returns the cues of an ASS or SSA file, in their order; a text that several layers show once */
export function* scriptEvents(text: string): Generator<RawCue> {
  let columns: readonly string[] = COLUMNS;
  const layers = new Set<string>();
  for (const line of text.split(/\r\n|\r|\n/)) {
    // The styles before the events have a list of columns too.
    const isColumns = /^Format:/i.test(line) && /\btext\s*$/i.test(line);
    if (isColumns)
      columns = line
        .slice("Format:".length)
        .toLowerCase()
        .split(",")
        .map((name) => name.trim());
    if (!/^Dialogue:/i.test(line)) continue;
    const values = line.slice("Dialogue:".length).split(",");
    const shown = values.slice(columns.length - 1).join(",");
    const startSeconds = secondsOf(values[columns.indexOf("start")]);
    const endSeconds = secondsOf(values[columns.indexOf("end")]);
    if (!(endSeconds > startSeconds) || DRAWING.test(shown)) continue;
    const plain = shown.replaceAll(OVERRIDES, "").replaceAll("\\h", " ");
    const layer = `${startSeconds} ${endSeconds} ${plain}`;
    if (layers.has(layer)) continue;
    layers.add(layer);
    yield { startSeconds, endSeconds, rawLines: plain.split(/\\[Nn]/) };
  }
}
