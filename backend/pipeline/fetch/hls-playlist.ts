/** Reads HLS media playlists (RFC 8216). Pure. */
import { ConversionError } from "../../../common/errors.ts";
import { TOO_MANY_PIECES } from "../errors/wording.ts";

export interface MediaPlaylist {
  readonly segmentCount: number;
  readonly durationSeconds: number;
  /** A live stream: more segments will follow. */
  readonly isOpen: boolean;
  /**
   * Addresses, absolute or relative to the playlist, whose files joined in order are the media: the initialisation
   * section, if any, and the segments. Absent for playlists with keys, byte ranges or changes of format.
   */
  readonly plainAddresses?: readonly string[];
  /** Length of each of them; 0 for the initialisation section. */
  readonly plainSeconds?: readonly number[];
}

/** With these tags the segments cannot simply be joined. */
const NOT_PLAIN = /^#EXT-X-(?:KEY:(?!METHOD=NONE)|BYTERANGE|DISCONTINUITY\b|MAP:.*BYTERANGE)/;
const MAP = /^#EXT-X-MAP:.*URI="([^"]*)"/;

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

/**
 * Reads a media playlist.
 * @returns undefined for any other text, such as a multivariant playlist
 * @throws ConversionError "too_large" for more than 100,000 lines
 */
export function readMediaPlaylist(text: string): MediaPlaylist | undefined {
  if (!/^\uFEFF?#EXTM3U/.test(text)) return undefined;
  let segmentCount = 0;
  let durationSeconds = 0;
  let mapCount = 0;
  let isEnded = false;
  let isPlain = true;
  let segmentSeconds = 0;
  const addresses: string[] = [];
  const seconds: number[] = [];
  for (const line of linesOf(text)) {
    if (line.startsWith("#EXT-X-STREAM-INF")) return undefined;
    if (NOT_PLAIN.test(line)) isPlain = false;
    if (line.startsWith("#EXTINF:")) {
      const stated = Number.parseFloat(line.slice("#EXTINF:".length));
      segmentSeconds = Number.isFinite(stated) && stated > 0 ? stated : 0;
      durationSeconds += segmentSeconds;
    } else if (line.startsWith("#EXT-X-ENDLIST") || /^#EXT-X-PLAYLIST-TYPE:\s*VOD/.test(line)) isEnded = true;
    else if (line.startsWith("#EXT-X-MAP:")) {
      mapCount += 1;
      addresses.push(MAP.exec(line)?.[1] ?? "");
      seconds.push(0);
    } else if (line.trim() !== "" && !line.startsWith("#")) {
      segmentCount += 1;
      addresses.push(line.trim());
      seconds.push(segmentSeconds);
      segmentSeconds = 0;
    }
  }
  isPlain &&= mapCount <= 1;
  const plain = isPlain ? { plainAddresses: addresses, plainSeconds: seconds } : {};
  return { segmentCount, durationSeconds, isOpen: !isEnded, ...plain };
}
