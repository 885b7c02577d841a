/** What an HLS media playlist says of its stream as a whole (RFC 8216). Pure. */

export interface MediaPlaylist {
  readonly segmentCount: number;
  readonly durationSeconds: number;
  /** More segments are to come: a live stream. */
  readonly isOpen: boolean;
}

/** Undefined when the text is no media playlist, for instance a list of renditions or another thing altogether. */
export function readMediaPlaylist(text: string): MediaPlaylist | undefined {
  if (!/^\uFEFF?#EXTM3U/.test(text) || /^#EXT-X-STREAM-INF/m.test(text)) return undefined;
  let [segmentCount, durationSeconds, isEnded] = [0, 0, false];
  for (const line of text.split(/\r?\n/)) {
    if (line.startsWith("#EXTINF:")) {
      const seconds = Number.parseFloat(line.slice("#EXTINF:".length));
      if (Number.isFinite(seconds) && seconds > 0) durationSeconds += seconds;
    } else if (line.startsWith("#EXT-X-ENDLIST") || /^#EXT-X-PLAYLIST-TYPE:\s*VOD/.test(line)) isEnded = true;
    else if (line.trim() !== "" && !line.startsWith("#")) segmentCount += 1;
  }
  return { segmentCount, durationSeconds, isOpen: !isEnded };
}
