/** Reads HLS media playlists (RFC 8216 and its draft second edition, which adds DEFINE and GAP). Pure. */
import { ConversionError } from "../../../common/errors.ts";
import { NOT_READABLE, TOO_MANY_PIECES } from "../errors/wording.ts";

export interface MediaPlaylist {
  readonly segmentCount: number;
  readonly durationSeconds: number;
  /** A live stream, unless it ended without saying so: more segments will follow. */
  readonly isOpen: boolean;
  /** It is open and has all segments since the beginning, so the broadcast may be over. */
  readonly mayBeFinished: boolean;
  /** Its pieces may differ in size, rate and codec, as an advertisement and the video do, and their times begin anew. */
  readonly hasDiscontinuities: boolean;
  /** No segment is longer. A live stream gets a new one within about this time (RFC 8216, 6.2.1). */
  readonly targetSeconds: number;
  /**
   * Addresses, absolute or relative to the playlist, whose files joined in order are the media: the segments, and the
   * initialisation sections where a piece names one. Absent for playlists with keys or byte ranges.
   */
  readonly plainAddresses?: readonly string[];
  /** Length of each of them; 0 for an initialisation section. */
  readonly plainSeconds?: readonly number[];
}

/** With these tags the segments cannot simply be joined. */
const NOT_PLAIN = /^#EXT-X-(?:KEY:(?!METHOD=NONE)|BYTERANGE|MAP:.*BYTERANGE)/;
const MAP = /^#EXT-X-MAP:.*URI="([^"]*)"/;
const KEY = /^#EXT-X-KEY:(?!METHOD=NONE)/;
/** Tags that hold for the next segment only. */
const OF_SEGMENT = /^#EXT(?:INF|-X-BYTERANGE|-X-PROGRAM-DATE-TIME):/;
const DEFINE = "#EXT-X-DEFINE:";
const REFERENCE = /\{\$([\w-]+)\}/g;

/** Of the pieces that name no section, the first hundred are read one by one. Some playlists end one before each segment. */
const MAX_UNNAMED = 100;
/** Enough for 10,000 segments with ten lines each; reading so many lines takes about 20 ms. */
const MAX_LINES = 100_000;

/**
 * Yields the lines that are not empty. The expression skips a run of line ends in one step.
 * @throws ConversionError "too_large" for more than MAX_LINES lines
 */
function* linesOf(text: string): Generator<string> {
  let count = 0;
  for (const [line] of text.matchAll(/[^\r\n]+/g)) {
    count += 1;
    if (count > MAX_LINES)
      throw new ConversionError("too_large", {
        ...TOO_MANY_PIECES,
        detail: `a playlist of more than ${MAX_LINES} lines`,
      });
    yield line;
  }
}

function numberOf(line: string, tag: string): number | undefined {
  return line.startsWith(tag) ? Number.parseInt(line.slice(tag.length), 10) || 0 : undefined;
}

/**
 * Reads a media playlist.
 * @returns undefined for any other text, such as a multivariant playlist
 * @throws ConversionError "too_large" for more than 100,000 lines
 */
export function readMediaPlaylist(text: string): MediaPlaylist | undefined {
  if (!/^\uFEFF?#EXTM3U/.test(text)) return undefined;
  let segmentCount = 0;
  let durationSeconds = 0;
  /** What was named since the segment before: an initialisation section, and the end of a piece. */
  let map: string | undefined;
  let isCut = false;
  let mapBefore: string | undefined;
  let unnamedCount = 0;
  let isEnded = false;
  let isEvent = false;
  let hasDiscontinuities = false;
  let firstNumber = 0;
  let targetSeconds = 0;
  let isPlain = true;
  let segmentSeconds = 0;
  const addresses: string[] = [];
  const seconds: number[] = [];
  for (const line of linesOf(text)) {
    if (line.startsWith("#EXT-X-STREAM-INF")) return undefined;
    if (NOT_PLAIN.test(line)) isPlain = false;
    if (/^#EXT-X-PLAYLIST-TYPE:\s*EVENT/.test(line)) isEvent = true;
    if (/^#EXT-X-DISCONTINUITY(?!-)/.test(line)) isCut = hasDiscontinuities = true;
    firstNumber = numberOf(line, "#EXT-X-MEDIA-SEQUENCE:") ?? firstNumber;
    targetSeconds = numberOf(line, "#EXT-X-TARGETDURATION:") ?? targetSeconds;
    if (line.startsWith("#EXTINF:")) {
      const stated = Number.parseFloat(line.slice("#EXTINF:".length));
      segmentSeconds = Number.isFinite(stated) && stated > 0 ? stated : 0;
      durationSeconds += segmentSeconds;
    } else if (line.startsWith("#EXT-X-ENDLIST") || /^#EXT-X-PLAYLIST-TYPE:\s*VOD/.test(line)) isEnded = true;
    else if (line.startsWith("#EXT-X-MAP:")) map = MAP.exec(line)?.[1] ?? "";
    else if (line.trim() !== "" && !line.startsWith("#")) {
      // Times may begin anew behind the end of a piece, also where the section stays the same.
      if (isCut && map === undefined && unnamedCount < MAX_UNNAMED) {
        unnamedCount += 1;
        map = mapBefore;
      }
      // Some playlists name the same section before each segment.
      if (map !== undefined && (isCut || map !== mapBefore)) {
        hasDiscontinuities ||= mapBefore !== undefined;
        addresses.push(map);
        seconds.push(0);
        mapBefore = map;
      }
      map = undefined;
      isCut = false;
      segmentCount += 1;
      addresses.push(line.trim());
      seconds.push(segmentSeconds);
      segmentSeconds = 0;
    }
  }
  const plain = isPlain ? { plainAddresses: addresses, plainSeconds: seconds } : {};
  const mayBeFinished = !isEnded && (isEvent || firstNumber <= 1);
  const open = { isOpen: !isEnded, mayBeFinished, targetSeconds };
  return { segmentCount, durationSeconds, hasDiscontinuities, ...open, ...plain };
}

/**
 * Writes the values of variables into a playlist, and leaves out segments that are marked as missing. Segments of an
 * encrypted playlist stay, because their number may be a part of their key.
 * @param url address of the playlist, whose query may give values
 * @throws ConversionError "unavailable" for a variable without a value, "too_large" for more than 100,000 lines
 */
export function resolvePlaylist(text: string, url: string): string {
  if (!text.includes(DEFINE) && !text.includes("#EXT-X-GAP")) return text;
  const values = new Map<string, string>();
  const lines: string[] = [];
  let ofSegment: string[] = [];
  let isGap = false;
  let isEncrypted = false;
  for (const raw of linesOf(text)) {
    if (/^#(?!EXT)/.test(raw)) continue;
    const line = raw.replaceAll(REFERENCE, (_, name: string) => valueOf(values, name));
    isEncrypted ||= KEY.test(line);
    if (line.startsWith(DEFINE)) define(values, line, url);
    else if (line.startsWith("#EXT-X-GAP")) isGap = !isEncrypted;
    else if (OF_SEGMENT.test(line)) ofSegment.push(line);
    else if (line.startsWith("#")) lines.push(line);
    else {
      if (!isGap) lines.push(...ofSegment, line);
      ofSegment = [];
      isGap = false;
    }
  }
  return lines.join("\n");
}

function define(values: Map<string, string>, line: string, url: string): void {
  const attribute = (name: string) => new RegExp(`[:,]${name}="([^"]*)"`).exec(line)?.[1];
  const name = attribute("NAME");
  const parameter = attribute("QUERYPARAM");
  const fromQuery = parameter === undefined ? undefined : new URL(url).searchParams.get(parameter);
  if (name !== undefined) values.set(name, attribute("VALUE") ?? "");
  else if (parameter !== undefined && fromQuery != null) values.set(parameter, fromQuery);
}

function valueOf(values: ReadonlyMap<string, string>, name: string): string {
  const value = values.get(name);
  if (value === undefined)
    throw new ConversionError("unavailable", { ...NOT_READABLE, detail: `no value of {$${name}} in the playlist` });
  return value;
}
