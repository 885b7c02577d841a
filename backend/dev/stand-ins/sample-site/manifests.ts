/** HLS and DASH manifests: exaggerated, endless, circular, or with forbidden addresses. */
import { DASH_HEIGHTS, LAKE_HEIGHTS } from "./clip-recipes.ts";
import { clip, type Address, type PageContext } from "./exchange.ts";

export const HLS_TYPE = "application/vnd.apple.mpegurl";
export const DASH_TYPE = "application/dash+xml";

const SEGMENT_SECONDS = 4;

/** Bit rates in the master playlist of the lake; the files are far smaller. */
const LAKE_CLAIMED_KBPS: Readonly<Record<(typeof LAKE_HEIGHTS)[number], number>> = { 240: 250, 480: 500, 1080: 6_000 };

export function lakeMaster(context: PageContext): string {
  return lines(
    "#EXTM3U",
    ...LAKE_HEIGHTS.flatMap((height) => [
      `#EXT-X-STREAM-INF:BANDWIDTH=${LAKE_CLAIMED_KBPS[height] * 1_000},` +
        `RESOLUTION=${Math.round((height * 16) / 9)}x${height},CODECS="avc1.42c01f,mp4a.40.2"`,
      clip(`lake/${height}.m3u8`)(context),
    ]),
  );
}

/**
 * A complete media playlist.
 * @param segments addresses in order
 * @param tags lines before the segments
 */
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

/** A playlist of a good segment and a bad one. */
export function playlistLeadingTo(bad: Address): (context: PageContext) => string {
  return (context) => mediaPlaylist([clip("tide/240/part-0.ts")(context), bad(context)]);
}

/** A playlist whose folder is a variable, and whose second segment is marked as missing. */
export function playlistWithGap(context: PageContext): string {
  const folder = clip("tide/240/part-0.ts")(context).replace(/part-0.ts$/, "");
  const [first, ...rest] = Array.from({ length: 5 }, (_, n) => [
    `#EXTINF:${SEGMENT_SECONDS}.0,`,
    `{$folder}part-${n}.ts`,
  ]);
  return lines(
    "#EXTM3U",
    `#EXT-X-DEFINE:NAME="folder",VALUE="${folder}"`,
    `#EXT-X-TARGETDURATION:${SEGMENT_SECONDS}`,
    ...(first ?? []),
    "#EXT-X-GAP",
    `#EXTINF:${SEGMENT_SECONDS}.0,`,
    "{$folder}missing.ts",
    ...rest.slice(1).flat(),
    "#EXT-X-ENDLIST",
  );
}

/** A playlist of encrypted segments whose key has a bad address. */
export function playlistWithKeyAt(key: Address): (context: PageContext) => string {
  return (context) =>
    mediaPlaylist([clip("tide/240/part-0.ts")(context)], [`#EXT-X-KEY:METHOD=AES-128,URI="${key(context)}"`]);
}

/**
 * A live playlist, which never has an end tag.
 * @param nth number of the request; every request finds one segment more
 */
export function livePlaylist(context: PageContext, nth: number): string {
  const window = 3;
  return lines(
    "#EXTM3U",
    "#EXT-X-VERSION:3",
    "#EXT-X-TARGETDURATION:4",
    `#EXT-X-MEDIA-SEQUENCE:${nth}`,
    ...Array.from({ length: window }, (_, index) => nth + index).flatMap((sequence) => [
      "#EXT-X-DISCONTINUITY",
      "#EXTINF:4.0,",
      `${clip(`tide/240/part-${sequence % 6}.ts`)(context)}?sequence=${sequence}`,
    ]),
  );
}

export const MANY_SEGMENTS = 100_000;

/** 100,000 segments that play under 17 minutes together, so that only their number exceeds a limit. */
export function manySegments(context: PageContext): string {
  const segment = clip("tide/240/part-0.ts")(context);
  return lines(
    "#EXTM3U",
    "#EXT-X-VERSION:3",
    "#EXT-X-TARGETDURATION:1",
    "#EXT-X-PLAYLIST-TYPE:VOD",
    ...Array.from({ length: MANY_SEGMENTS }, (_, index) => `#EXTINF:0.01,\n${segment}?n=${index}`),
    "#EXT-X-ENDLIST",
  );
}

/** A master playlist with one rendition. */
export function masterPlaylist(rendition: Address, resolution: string): (context: PageContext) => string {
  return (context) =>
    lines("#EXTM3U", `#EXT-X-STREAM-INF:BANDWIDTH=500000,RESOLUTION=${resolution}`, rendition(context));
}

/** The observatory's smallest rendition, with another base address for its segments. */
export function dashWithBaseAt(base: Address): (context: PageContext) => string {
  return (context) => `<?xml version="1.0" encoding="utf-8"?>
<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT24S" minBufferTime="PT8S"
 profiles="urn:mpeg:dash:profile:isoff-live:2011">
<BaseURL>${base(context)}</BaseURL>
<Period start="PT0S"><AdaptationSet contentType="video">
<Representation id="0" mimeType="video/mp4" codecs="avc1.42c015" bandwidth="200000"
 width="426" height="${DASH_HEIGHTS[0]}">
<SegmentTemplate timescale="1000000" duration="4000000" initialization="init-$RepresentationID$.m4s"
 media="part-$RepresentationID$-$Number$.m4s" startNumber="1"/>
</Representation></AdaptationSet></Period></MPD>
`;
}

const HEAVY_RENDITIONS = 20;
const HEAVY_SEGMENTS = 10_000;
/** Makes the address of each segment longer. */
const HEAVY_FILLER = "x".repeat(100);

/** A short manifest of so many segments that the metadata of the video have 31 MB. */
export function heavyManifest(): string {
  const renditions = Array.from(
    { length: HEAVY_RENDITIONS },
    (_, id) => `<Representation id="${id}" bandwidth="${200_000 + id}" width="426" height="240"/>`,
  );
  return `<?xml version="1.0" encoding="utf-8"?>
<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT${HEAVY_SEGMENTS / 10}S"
 minBufferTime="PT8S" profiles="urn:mpeg:dash:profile:isoff-live:2011">
<Period start="PT0S"><AdaptationSet contentType="video" mimeType="video/mp4" codecs="avc1.42c015">
<SegmentTemplate timescale="10" duration="1" startNumber="1" initialization="init.m4s"
 media="${HEAVY_FILLER}-$RepresentationID$-$Number$.m4s"/>
${renditions.join("\n")}
</AdaptationSet></Period></MPD>
`;
}

/** The largest playlist that the product reads, of empty lines. */
export function emptyLines(): string {
  const beginning = "#EXTM3U\n";
  return beginning.padEnd(8_000_000, "\n");
}

function lines(...rows: string[]): string {
  return `${rows.join("\n")}\n`;
}
