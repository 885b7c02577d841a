/** Joins subtitles that an HLS playlist lists as segments of WebVTT (RFC 8216, 3.5). Pure. */
import { ConversionError } from "../../../common/errors.ts";
import { resolvePlaylist } from "../fetch/hls-playlist.ts";
import { TICKS_PER_SECOND, WRAP_TICKS } from "../transport/packet-times.ts";
import { inOrder, type Cue } from "./cue.ts";
import { parseCues } from "./parse-cues.ts";

/** Ten hours in segments of six seconds. */
const MAX_SEGMENTS = 6_000;
const WRAP_SECONDS = WRAP_TICKS / TICKS_PER_SECOND;
const MAP = /^X-TIMESTAMP-MAP=([^\r\n]{1,200})/m;

/**
 * @returns absolute addresses; undefined for what is no playlist
 * @throws ConversionError "too_large" for more than 6,000 segments, and what {@link resolvePlaylist} throws
 */
export function segmentAddresses(text: string, url: string): readonly string[] | undefined {
  if (!/^\ufeff?#EXTM3U/.test(text)) return undefined;
  const addresses = resolvePlaylist(text, url)
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"))
    .flatMap((line) => URL.parse(line, url)?.href ?? []);
  // Segments may be ranges of one file.
  const files = [...new Set(addresses)].filter((address) => /^https?:/.test(address));
  if (files.length > MAX_SEGMENTS) throw new ConversionError("too_large", { detail: `${files.length} segments` });
  return files;
}

/** @returns how much later the clock of the media is than that of the segment; undefined for a segment that says nothing */
function mapOf(text: string): number | undefined {
  const map = MAP.exec(text)?.[1] ?? "";
  const ticks = /MPEGTS:(\d{1,10})/.exec(map)?.[1];
  const [, hours = "0", minutes, seconds] = /LOCAL:(?:(\d{1,3}):)?(\d{1,2}):(\d{1,2}\.\d{1,3})/.exec(map) ?? [];
  if (ticks === undefined || minutes === undefined) return undefined;
  return Number(ticks) / TICKS_PER_SECOND - Number(hours) * 3_600 - Number(minutes) * 60 - Number(seconds);
}

/** Rounds to milliseconds, which is what WebVTT has. */
const rounded = (seconds: number): number => Math.round(seconds * 1_000) / 1_000;

/** A cue that lasts beyond its segment stands in the next one again. @param cues sorted by time */
function withoutCopies(cues: readonly Cue[]): readonly Cue[] {
  const kept: Cue[] = [];
  const lastOf = new Map<string, number>();
  for (const cue of cues) {
    const text = cue.lines.join("\n");
    const at = lastOf.get(text);
    const last = at === undefined ? undefined : kept[at];
    if (at !== undefined && last && cue.startSeconds <= last.endSeconds)
      kept[at] = { ...last, endSeconds: Math.max(last.endSeconds, cue.endSeconds) };
    else lastOf.set(text, kept.push(cue) - 1);
  }
  return kept;
}

/**
 * The first segment begins with the media, as players of recordings take it; how much later the others begin is what
 * their X-TIMESTAMP-MAP says more than its own.
 * @param texts of the segments, in their order
 */
export function cuesOfSegments(texts: readonly string[]): readonly Cue[] {
  let first: number | undefined;
  let shiftSeconds = 0;
  const shifted = texts.map((text) => {
    const map = mapOf(text);
    first ??= map;
    if (map !== undefined && first !== undefined) shiftSeconds = map - first;
    if (shiftSeconds < -WRAP_SECONDS / 2) shiftSeconds += WRAP_SECONDS;
    const shift = shiftSeconds;
    return parseCues(text).map(({ startSeconds, endSeconds, lines }) => ({
      startSeconds: rounded(startSeconds + shift),
      endSeconds: rounded(endSeconds + shift),
      lines,
    }));
  });
  return withoutCopies(inOrder(shifted.flat()));
}
