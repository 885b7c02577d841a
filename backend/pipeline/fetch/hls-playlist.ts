/** What an HLS media playlist says of its stream as a whole (RFC 8216). Pure. */
import { ConversionError } from "../../../common/errors.ts";

export interface MediaPlaylist {
  readonly segmentCount: number;
  readonly durationSeconds: number;
  /** More segments are to come: a live stream. */
  readonly isOpen: boolean;
  /**
   * What has to be fetched, in order, as the playlist names it: the initialisation section, if any, and the
   * segments. Absent when that is not all there is to it: keys, byte ranges, changes of format.
   */
  readonly plainAddresses?: readonly string[];
}

/** Tags after which fetching the segments one behind the other does not make a file. */
const NOT_PLAIN = /^#EXT-X-(?:KEY:(?!METHOD=NONE)|BYTERANGE|DISCONTINUITY\b|MAP:.*BYTERANGE)/;
const MAP = /^#EXT-X-MAP:.*URI="([^"]*)"/;

/** Of one playlist: 10,000 segments with ten lines each. Reading so many takes some 20 ms. */
const MAX_LINES = 100_000;

/** The lines that are not empty; runs of line ends are skipped at once. Throws ConversionError "too_large" when there are too many. */
function* linesOf(text: string): Generator<string> {
  let count = 0;
  for (const [line] of text.matchAll(/[^\r\n]+/g)) {
    count += 1;
    if (count > MAX_LINES)
      throw new ConversionError("too_large", { message: "This video comes in more pieces than can be fetched.", detail: `a playlist of more than ${MAX_LINES} lines` });
    yield line;
  }
}

/**
 * Undefined when the text is no media playlist, for instance a list of renditions or another thing altogether.
 * Throws ConversionError "too_large" when it has more lines than are read.
 */
export function readMediaPlaylist(text: string): MediaPlaylist | undefined {
  if (!/^\uFEFF?#EXTM3U/.test(text)) return undefined;
  let [segmentCount, durationSeconds, mapCount] = [0, 0, 0];
  let [isEnded, isPlain] = [false, true];
  const addresses: string[] = [];
  for (const line of linesOf(text)) {
    if (line.startsWith("#EXT-X-STREAM-INF")) return undefined;
    if (NOT_PLAIN.test(line)) isPlain = false;
    if (line.startsWith("#EXTINF:")) {
      const seconds = Number.parseFloat(line.slice("#EXTINF:".length));
      if (Number.isFinite(seconds) && seconds > 0) durationSeconds += seconds;
    } else if (line.startsWith("#EXT-X-ENDLIST") || /^#EXT-X-PLAYLIST-TYPE:\s*VOD/.test(line)) isEnded = true;
    else if (line.startsWith("#EXT-X-MAP:")) {
      mapCount += 1;
      addresses.push(MAP.exec(line)?.[1] ?? "");
    } else if (line.trim() !== "" && !line.startsWith("#")) {
      segmentCount += 1;
      addresses.push(line.trim());
    }
  }
  isPlain &&= mapCount <= 1;
  return { segmentCount, durationSeconds, isOpen: !isEnded, ...(isPlain ? { plainAddresses: addresses } : {}) };
}
