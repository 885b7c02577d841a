/** Manifests written by hand: inflated, endless, circular or pointing where nobody should go. */
import { DASH_HEIGHTS, LAKE_HEIGHTS } from "./clip-recipes.ts";
import { clip, type Address, type Places } from "./exchange.ts";

export const HLS_TYPE = "application/vnd.apple.mpegurl";
export const DASH_TYPE = "application/dash+xml";

const SEGMENT_SECONDS = 4;

/** The bit rates the lake's master playlist claims; the files are far smaller. */
const LAKE_CLAIMED_KBPS: Readonly<Record<(typeof LAKE_HEIGHTS)[number], number>> = { 240: 250, 480: 500, 1080: 6_000 };

export function lakeMaster(places: Places): string {
  return lines(
    "#EXTM3U",
    ...LAKE_HEIGHTS.flatMap((height) => [
      `#EXT-X-STREAM-INF:BANDWIDTH=${LAKE_CLAIMED_KBPS[height] * 1_000},` +
        `RESOLUTION=${Math.round((height * 16) / 9)}x${height},CODECS="avc1.42c01f,mp4a.40.2"`,
      clip(`lake/${height}.m3u8`)(places),
    ]),
  );
}

/** A finished media playlist: `segments` in order, with any tags put before them. */
export function mediaPlaylist(segments: readonly string[], tags: readonly string[] = []): string {
  return lines(
    "#EXTM3U",
    "#EXT-X-VERSION:3",
    `#EXT-X-TARGETDURATION:${SEGMENT_SECONDS}`,
    "#EXT-X-PLAYLIST-TYPE:VOD",
    ...tags,
    ...segments.flatMap((segment) => [`#EXTINF:${SEGMENT_SECONDS}.0,`, segment]),
    "#EXT-X-ENDLIST",
  );
}

/** A good segment, then a bad one. */
export function playlistLeadingTo(bad: Address): (places: Places) => string {
  return (places) => mediaPlaylist([clip("tide/240/part-0.ts")(places), bad(places)]);
}

/** Segments said to be encrypted, with the key kept at a bad address. */
export function playlistWithKeyAt(key: Address): (places: Places) => string {
  return (places) =>
    mediaPlaylist([clip("tide/240/part-0.ts")(places)], [`#EXT-X-KEY:METHOD=AES-128,URI="${key(places)}"`]);
}

/** Live: each reading finds one segment more, and there is never an end. */
export function livePlaylist(places: Places, nth: number): string {
  const window = 3;
  return lines(
    "#EXTM3U",
    "#EXT-X-VERSION:3",
    "#EXT-X-TARGETDURATION:4",
    `#EXT-X-MEDIA-SEQUENCE:${nth}`,
    ...Array.from({ length: window }, (_, index) => nth + index).flatMap((sequence) => [
      "#EXT-X-DISCONTINUITY",
      "#EXTINF:4.0,",
      `${clip(`tide/240/part-${sequence % 6}.ts`)(places)}?sequence=${sequence}`,
    ]),
  );
}

export const MANY_SEGMENTS = 100_000;

/** So short that the whole is under 17 minutes: the number alone must be noticed. */
export function manySegments(places: Places): string {
  const segment = clip("tide/240/part-0.ts")(places);
  return lines(
    "#EXTM3U",
    "#EXT-X-VERSION:3",
    "#EXT-X-TARGETDURATION:1",
    "#EXT-X-PLAYLIST-TYPE:VOD",
    ...Array.from({ length: MANY_SEGMENTS }, (_, index) => `#EXTINF:0.01,\n${segment}?n=${index}`),
    "#EXT-X-ENDLIST",
  );
}

/** A master playlist whose only rendition is `rendition`, with a resolution to go with it. */
export function masterPlaylist(rendition: Address, resolution: string): (places: Places) => string {
  return (places) => lines("#EXTM3U", `#EXT-X-STREAM-INF:BANDWIDTH=500000,RESOLUTION=${resolution}`, rendition(places));
}

/** The observatory's smallest rendition, with its segments under another roof. */
export function dashWithBaseAt(base: Address): (places: Places) => string {
  return (places) => `<?xml version="1.0" encoding="utf-8"?>
<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT24S" minBufferTime="PT8S" profiles="urn:mpeg:dash:profile:isoff-live:2011">
<BaseURL>${base(places)}</BaseURL>
<Period start="PT0S"><AdaptationSet contentType="video">
<Representation id="0" mimeType="video/mp4" codecs="avc1.42c015" bandwidth="200000" width="426" height="${DASH_HEIGHTS[0]}">
<SegmentTemplate timescale="1000000" duration="4000000" initialization="init-$RepresentationID$.m4s" media="part-$RepresentationID$-$Number$.m4s" startNumber="1"/>
</Representation></AdaptationSet></Period></MPD>
`;
}

function lines(...rows: string[]): string {
  return `${rows.join("\n")}\n`;
}
