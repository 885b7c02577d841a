/** What an HLS media playlist says of its stream as a whole (RFC 8216). Pure. */

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
const NOT_PLAIN = /^#EXT-X-(?:KEY:(?!METHOD=NONE)|BYTERANGE|DISCONTINUITY\b|MAP:.*BYTERANGE)/m;
const MAP = /^#EXT-X-MAP:.*URI="([^"]*)"/;

/** Undefined when the text is no media playlist, for instance a list of renditions or another thing altogether. */
export function readMediaPlaylist(text: string): MediaPlaylist | undefined {
  if (!/^\uFEFF?#EXTM3U/.test(text) || /^#EXT-X-STREAM-INF/m.test(text)) return undefined;
  let [segmentCount, durationSeconds, isEnded] = [0, 0, false];
  const addresses: string[] = [];
  let mapCount = 0;
  for (const line of text.split(/\r?\n/)) {
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
  const isPlain = mapCount <= 1 && !NOT_PLAIN.test(text);
  return { segmentCount, durationSeconds, isOpen: !isEnded, ...(isPlain ? { plainAddresses: addresses } : {}) };
}
