/** All pages of the sample site by name. */
import { setImmediate } from "node:timers/promises";
import * as answers from "./answers.ts";
import { CLIP_SECONDS } from "./clip-recipes.ts";
import {
  type Address,
  type Answer,
  clip,
  fixedAddress,
  onPrivateOrigin,
  type PageContext,
  ownFile,
  ownFileWithQuery,
  watch,
} from "./exchange.ts";
import * as files from "./file-answers.ts";
import * as huge from "./huge-answers.ts";
import * as manifests from "./manifests.ts";
import { type FeedEntry, feedXml } from "./feed.ts";
import { type Video, escapeHtml, watchHtml, watchPage } from "./watch-page.ts";

const { HLS_TYPE, DASH_TYPE } = manifests;
const MP4 = "video/mp4";

export interface Page {
  /** The answer to /watch/NAME. */
  readonly watch: Answer;
  /** The answers to /media/NAME/FILE. */
  readonly media: Readonly<Record<string, Answer>>;
  /** Label of a page that the product offers as a sample link. */
  readonly label?: string;
}

function sample(label: string, video: Omit<Video, "title"> & { title?: string }): Page {
  return { label, watch: watchPage({ title: label, ...video }), media: {} };
}

function page(video: Video, media: Page["media"] = {}): Page {
  return { watch: watchPage(video), media };
}

/** A page with an MP4 that is answered in a special way. */
function mp4(title: string, answer: Answer, more: Partial<Video> = {}): Page {
  return page(
    { title, media: ownFile("video.mp4"), type: MP4, thumbnail: RAIN_COVER, ...more },
    { "video.mp4": answer },
  );
}

function hls(title: string, answer: Answer, more: Partial<Video> = {}): Page {
  return page({ title, media: ownFile("index.m3u8"), type: HLS_TYPE, ...more }, { "index.m3u8": answer });
}

function hlsManifest(title: string, body: (context: Parameters<Address>[0]) => string): Page {
  return hls(title, answers.manifest(HLS_TYPE, body));
}

function dashManifest(title: string, base: Address): Page {
  const answer = answers.manifest(DASH_TYPE, manifests.dashWithBaseAt(base));
  return page({ title, media: ownFile("manifest.mpd"), type: DASH_TYPE }, { "manifest.mpd": answer });
}

/** A page without metadata whose `<video>` has any source. */
function player(title: string, source: Address): Page {
  const html = (address: string): string =>
    `<!doctype html><html><head><title>${escapeHtml(title)}</title></head>` +
    `<body><video controls><source src="${escapeHtml(address)}" type="${MP4}"></video></body></html>`;
  return { watch: answers.text("text/html; charset=utf-8", ({ context }) => html(source(context))), media: {} };
}

const ENGLISH_VTT = `WEBVTT
Kind: captions

STYLE
::cue { color: red }

first
00:01.000 --> 00:04.000 align:start position:0%
<v Ann>It &lt;rains&gt; &amp; <b>rains</b></v>

00:00:05.500 --> 00:00:09.000
on a {tin} roof
all night

00:00:25.000 --> 00:02:00.000
until the end
`;
const ENGLISH = answers.text("text/vtt; charset=utf-8", () => ENGLISH_VTT);
const NOTHING_SAID = answers.text("text/vtt; charset=utf-8", () => "WEBVTT\n\nNOTE nothing is said\n");

/** A player with subtitles in English, German and Klingon, of which the last file has no text. */
function subtitled(title: string, german: Answer, english = ENGLISH, klingon = NOTHING_SAID): Page {
  return withTracks(
    title,
    { en: "en.vtt", de: "de.srt", tlh: "tlh.vtt" },
    { "en.vtt": english, "de.srt": german, "tlh.vtt": klingon },
  );
}

/** @param tracks the file of each language */
function withTracks(title: string, tracks: Readonly<Record<string, string>>, media: Page["media"]): Page {
  const html = `<!doctype html><html><head><title>${title}</title></head><body>`;
  const body = (context: PageContext): string => {
    const elements = Object.entries(tracks).map(
      ([language, file]) =>
        `<track kind="subtitles" srclang="${language}" src="${escapeHtml(ownFile(file)(context))}">`,
    );
    return `${html}<video controls><source src="${clip(RAIN_MP4)(context)}" type="${MP4}">${elements.join("")}</video>`;
  };
  return { watch: answers.text("text/html; charset=utf-8", ({ context }) => body(context)), media };
}

/** A page without media, whose own answer is special. */
function only(watch: Answer): Page {
  return { watch, media: {} };
}

const RAIN_COVER = clip("rain/cover.jpg");
const RAIN_MP4 = "rain/video.mp4";
const PASSWORDS = fixedAddress("file:///etc/passwd");
const RAIN: Video = {
  title: "Rain on a tin roof",
  media: clip(RAIN_MP4),
  type: MP4,
  durationSeconds: CLIP_SECONDS.rain,
  thumbnail: RAIN_COVER,
};

function clicks(file: string, type: string): Video {
  return { title: "A click at every second", media: clip(file), type, durationSeconds: CLIP_SECONDS.clicks };
}

/** In one line, which a test holds back. */
function heldClicks(): Page {
  const video = { ...clicks("clicks/video.mp4", MP4), media: ownFileWithQuery("video.mp4") };
  return page(video, { "video.mp4": files.withoutRanges(files.heldBack("clicks/video.mp4")) });
}

/** In segments of four seconds, of which a test holds back the ninth. */
function heldSegment(): Page {
  const names = Array.from({ length: CLIP_SECONDS.clicks / 4 }, (_, number) => `hls-${number}.ts`);
  const addresses = names.map((name, number) => (number === 8 ? ownFileWithQuery(name) : clip(`clicks/${name}`)));
  const playlist = (context: PageContext) => manifests.mediaPlaylist(addresses.map((address) => address(context)));
  const video = { ...clicks("clicks/index.m3u8", HLS_TYPE), media: ownFileWithQuery("index.m3u8") };
  return page(video, {
    "index.m3u8": answers.manifest(HLS_TYPE, playlist),
    "hls-8.ts": answers.afterRelease(files.wholeFile("clicks/hls-8.ts")),
  });
}

const RAIN_CHAPTERS: Video["chapters"] = [
  { name: "First drops", startOffset: 0 },
  { name: "On the tin roof", startOffset: 6.5 },
  { name: 'The gutter; overflowing = "loud" #3', startOffset: 15 },
  { name: "Nach dem Regen 🌈", startOffset: 22 },
];

/** Ten thousand that overlap, after one before the beginning, one without a title, and one with a long title. */
const HOSTILE_CHAPTERS: Video["chapters"] = [
  { name: "Before the beginning", startOffset: -5, endOffset: 3 },
  { name: "", startOffset: 0, endOffset: 90 },
  { name: "long ".repeat(200_000), startOffset: 5, endOffset: 4_000 },
  ...Array.from({ length: 10_000 }, (_, index) => ({
    name: `Part ${index}`,
    startOffset: 10 + index / 10,
    endOffset: 5_000,
  })),
];

/** "Привет" in windows-1251. */
const RUSSIAN_SRT = Buffer.concat([
  Buffer.from("1\r\n00:00:01,000-->00:00:02,000\r\n"),
  Uint8Array.of(0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2),
]);
const HLS_SUBTITLES = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\n1.vtt\n#EXTINF:6,\n2.vtt\n#EXT-X-ENDLIST\n";
const hlsSubtitles = (ticks: number, text: string): Answer =>
  answers.text(
    "text/vtt",
    `WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:${ticks},LOCAL:00:00:00.000\n\n00:01.000 --> 00:02.000\n${text}\n`,
  );
const TTML =
  '<tt xmlns="http://www.w3.org/ns/ttml"><body><div><p begin="1s" end="2s">Hallo<br/>Welt</p></div></body></tt>';

const GERMAN_SRT = "1\r\n00:00:01,000 --> 00:00:04,000\r\n<i>Es regnet</i> über Malmö\r\n\r\n";

const FEED_TYPE = "application/rss+xml; charset=utf-8";

/** A podcast. */
function feed(title: string, entries: readonly FeedEntry[]): Page {
  return only(answers.text(FEED_TYPE, ({ context }) => feedXml(title, entries, context)));
}

/** Each is another page for the product, with the same recording behind it. */
function rainEntries(count: number): FeedEntry[] {
  return Array.from({ length: count }, (_, index) => ({
    title: `Rain, part ${index + 1}`,
    link: ({ origin }) => `${origin}/watch/rain?part=${index + 1}`,
    durationSeconds: CLIP_SECONDS.rain,
  }));
}

/** A podcast with three episodes, the newest first, and with one more each time that it is asked for. */
function growingFeed(nth: number, context: PageContext): string {
  return feedXml("A tape that grows", rainEntries(2 + nth).toReversed(), context);
}

/** Two new episodes, the newer of which is gone. */
const NEW_ENTRIES: readonly FeedEntry[] = [
  { title: "Rain that is gone", link: ({ origin, search }) => `${origin}/watch/gone${search}` },
  {
    title: "Rain of today",
    link: ({ origin, search }) => `${origin}/watch/rain${search}`,
    durationSeconds: CLIP_SECONDS.rain,
  },
];

const MIXED_ENTRIES: readonly FeedEntry[] = [
  { title: "Rain on a tin roof", link: watch("rain"), durationSeconds: CLIP_SECONDS.rain },
  { title: "Longer than the free plan takes", link: watch("chapters"), durationSeconds: 30 * 60 },
  { title: "Longer than any plan takes", link: watch("subtitles"), durationSeconds: 3 * 60 * 60 },
  { title: "On another site", link: fixedAddress("https://elsewhere.example/video") },
  { title: "", link: watch("snow") },
  { title: "<b>صوت المطر</b> & more", link: watch("tide"), durationSeconds: 0 },
];

/** A long title with slashes, quotes, emoji, Arabic and Hebrew. */
export const TANGLED_TITLE =
  `Before/After: "The Rain" \\ l'été à Malmö 🌧️👩🏽‍🚀 — صوت المطر على السطح / קול הגשם על הגג — ` +
  `Part 1/2 <live?> | 50% off: *everything* you wanted to hear & more, recorded in one take in the old railway workshop`;

const busy = answers.status(429, { "retry-after": "1" });

const STUDIO_MASTER_BYTES = 900_000_000;
/** One size below and one above the largest source: four times the largest file of a plan. */
const CONCERT_BYTES = 210_000_000;
const ARCHIVE_BYTES = 2_100_000_000;
/** Longer than the free plan allows; as MP3 at 320 kbps it has 53 MB, more than that plan allows. */
const LECTURE_SECONDS = 22 * 60;

const table = {
  // Without faults, and offered as sample links.
  rain: sample("Rain on a tin roof", RAIN),
  lanterns: sample("Paper lanterns over the harbour", {
    media: clip("lanterns/video.webm"),
    type: "video/webm",
    thumbnail: clip("lanterns/cover.jpg"),
    durationSeconds: CLIP_SECONDS.lanterns,
  }),
  tide: sample("The tide comes in at dusk", {
    media: clip("tide/master.m3u8"),
    type: HLS_TYPE,
    thumbnail: clip("tide/cover.jpg"),
    durationSeconds: CLIP_SECONDS.tide,
  }),
  observatory: sample("A night at the observatory", {
    media: clip("observatory/manifest.mpd"),
    type: DASH_TYPE,
    thumbnail: clip("observatory/cover.jpg"),
    durationSeconds: CLIP_SECONDS.observatory,
  }),
  "tangled-title": sample("A title in four scripts", { ...RAIN, title: TANGLED_TITLE }),
  cello: sample("Cello in an empty church (sound only)", {
    media: clip("cello/audio.m4a"),
    type: "audio/mp4",
    thumbnail: clip("cello/cover.jpg"),
    durationSeconds: CLIP_SECONDS.cello,
  }),
  snow: sample("Snow on the signal box (no sound)", {
    media: clip("snow/video.mp4"),
    type: MP4,
    thumbnail: clip("snow/cover.jpg"),
    durationSeconds: CLIP_SECONDS.snow,
  }),

  // Large or long, with true metadata.
  lake: page(
    {
      title: "The long way round the lake",
      media: ownFile("master.m3u8"),
      type: HLS_TYPE,
      durationSeconds: CLIP_SECONDS.lake,
    },
    { "master.m3u8": answers.manifest(HLS_TYPE, manifests.lakeMaster) },
  ),
  "studio-master": mp4("A studio master", huge.padded(RAIN_MP4, MP4, STUDIO_MASTER_BYTES), {
    durationSeconds: CLIP_SECONDS.rain,
    sizeBytes: STUDIO_MASTER_BYTES,
  }),
  concert: mp4("A concert, uncut", huge.padded(RAIN_MP4, MP4, CONCERT_BYTES), {
    durationSeconds: CLIP_SECONDS.rain,
    sizeBytes: CONCERT_BYTES,
  }),
  archive: mp4("The whole archive", huge.padded(RAIN_MP4, MP4, ARCHIVE_BYTES), {
    durationSeconds: CLIP_SECONDS.rain,
    sizeBytes: ARCHIVE_BYTES,
  }),
  lecture: page(
    {
      title: "A lecture nobody attended (sound only)",
      media: ownFile("audio.mp3"),
      type: "audio/mpeg",
      durationSeconds: LECTURE_SECONDS,
    },
    { "audio.mp3": huge.silentRecording(LECTURE_SECONDS) },
  ),
  "filmed-lecture": page({
    title: "A lecture that somebody filmed",
    media: clip("three-hours/22-minutes.mp4"),
    type: MP4,
    durationSeconds: CLIP_SECONDS.filmedLecture,
  }),
  "three-hours": page({
    title: "Three hours of a very quiet room",
    media: clip("three-hours/video.mp4"),
    type: MP4,
    durationSeconds: CLIP_SECONDS.threeHours,
  }),
  "three-hours-unsaid": page({ title: "How long is this?", media: clip("three-hours/video.mp4"), type: MP4 }),
  unsaid: page({ title: "A page of few words", media: clip(RAIN_MP4), type: MP4 }),
  slow: mp4("A slow line", files.throttled(RAIN_MP4, 200_000), { durationSeconds: CLIP_SECONDS.rain }),
  // Slow enough for a test to act during the download, fast enough to wait for its end.
  unhurried: mp4("A line with time on its hands", files.throttled(RAIN_MP4, 1_500_000), {
    durationSeconds: CLIP_SECONDS.rain,
  }),
  // Downloads until the test releases it.
  held: page(
    { ...RAIN, title: "A line that is held", media: ownFileWithQuery("video.mp4") },
    { "video.mp4": files.heldBack(RAIN_MP4) },
  ),
  "held-page": only(answers.afterRelease(watchPage(RAIN))),
  "index-last": mp4("Straight from the camera", files.throttled(RAIN_MP4, 4_000_000, files.withIndexLast), {
    durationSeconds: CLIP_SECONDS.rain,
  }),
  // Four chapters, and lists that no site should have.
  chapters: page({ ...RAIN, title: "Rain in four parts", chapters: RAIN_CHAPTERS }),
  "hostile-chapters": page({ ...RAIN, title: "More chapters than minutes", chapters: HOSTILE_CHAPTERS }),
  subtitles: subtitled(
    "Rain with words",
    answers.text("application/x-subrip; charset=utf-8", () => GERMAN_SRT),
  ),
  "busy-subtitles": subtitled(
    "Rain with words later",
    answers.afterRefusals(
      2,
      busy,
      answers.text("application/x-subrip", () => GERMAN_SRT),
    ),
  ),
  // In an old encoding, in segments, and as XML at an address without an ending.
  "odd-subtitles": withTracks(
    "Rain with words of other kinds",
    { ru: "ru.srt", en: "en.m3u8", de: "de" },
    {
      "ru.srt": answers.text("application/x-subrip", RUSSIAN_SRT),
      "en.m3u8": answers.text(HLS_TYPE, HLS_SUBTITLES),
      "1.vtt": hlsSubtitles(900_000, "Hello"),
      "2.vtt": hlsSubtitles(1_440_000, "I <3 you"),
      de: answers.text("application/ttml+xml", TTML),
    },
  ),
  // Nothing at all, bytes that are no text, and a cue of one line without an end among thousands of lines.
  "hostile-subtitles": subtitled(
    "Rain with hostile words",
    answers.text("application/x-subrip", ""),
    answers.text("text/vtt", () => "\u0000\ufffd\u0007-->".repeat(100_000)),
    answers.text(
      "text/vtt",
      () => `WEBVTT\n\n00:01.000 --> 00:02.000\n${"word ".repeat(1_000_000)}\n${"line\n".repeat(500_000)}`,
    ),
  ),
  "endless-subtitles": subtitled(
    "Rain with too many words",
    huge.endlessText(() => "WEBVTT"),
  ),
  // A click at every second, see clip-recipes.ts.
  clicks: page(clicks("clicks/video.mp4", MP4)),
  "clicks-index-last": page(
    { ...clicks("clicks/video.mp4", MP4), media: ownFile("video.mp4") },
    { "video.mp4": files.arranged("clicks/video.mp4", files.withIndexLast) },
  ),
  "clicks-fragments": page(clicks("clicks/parts.mp4", MP4)),
  "clicks-held": heldClicks(),
  "clicks-hls-held": heldSegment(),
  "clicks-sound": page(clicks("clicks/audio.m4a", "audio/mp4")),
  "clicks-webm": page(clicks("clicks/audio.webm", "video/webm")),
  "clicks-hls": page(clicks("clicks/index.m3u8", HLS_TYPE)),
  "clicks-dash": page(clicks("clicks/manifest.mpd", DASH_TYPE)),
  // Without ranges, so that only the whole can be fetched.
  "clicks-whole": page(
    { ...clicks("clicks/video.mp4", MP4), media: ownFile("video.mp4") },
    { "video.mp4": files.altered("clicks/video.mp4", MP4, (bytes) => bytes) },
  ),
  // Podcasts, whose entries are other pages of this site.
  "list-60": feed("Sixty times rain", rainEntries(60)),
  "list-5000": feed("Five thousand times rain", rainEntries(5_000)),
  "list-5001": feed("One too many", rainEntries(5_001)),
  "list-mixed": feed("A mixed tape", MIXED_ENTRIES),
  "list-empty": feed("Nothing recorded yet", []),
  "list-growing": only(answers.text(FEED_TYPE, ({ context, nth }) => growingFeed(nth, context))),
  // Has new episodes once a test releases it.
  "list-renewed": only(async (exchange) => {
    const isRenewed = await Promise.race([exchange.released.then(() => true), setImmediate(false)]);
    const entries = [...(isRenewed ? NEW_ENTRIES : []), ...rainEntries(3)];
    return feed("A tape that is continued", entries).watch(exchange);
  }),
  "list-later": only(answers.afterRelease(feed("A tape that takes its time", rainEntries(3)).watch)),
  "list-busy": only(answers.afterRefusals(1, busy, feed("A tape that is asked for", rainEntries(3)).watch)),
  "two-videos": only(
    answers.text("text/html; charset=utf-8", ({ context }) =>
      ["rain", "snow"].map((name) => `<video src="${clip(`${name}/video.mp4`)(context)}"></video>`).join("\n"),
    ),
  ),

  // Refused requests.
  forbidden: only(answers.status(403)),
  "forbidden-media": mp4("Kept behind a gate", answers.status(403)),
  gone: only(answers.status(404)),
  "gone-media": mp4("Taken down", answers.status(404)),
  busy: only(answers.afterRefusals(2, busy, watchPage(RAIN))),
  "busy-media": mp4("Busy twice", answers.afterRefusals(2, busy, files.wholeFile(RAIN_MP4)), {
    durationSeconds: CLIP_SECONDS.rain,
  }),
  "no-video": only(answers.text("text/html; charset=utf-8", "<!doctype html><title>Words</title><p>Only words here.")),

  // Broken or endless connections.
  "cut-off": mp4("Half a song", files.partOf(RAIN_MP4, 0.5, "break"), { durationSeconds: CLIP_SECONDS.rain }),
  empty: mp4("Nothing at all", answers.text(MP4, ""), { durationSeconds: CLIP_SECONDS.rain }),
  stall: mp4("A pause", files.partOf(RAIN_MP4, 0.02, "silence"), { durationSeconds: CLIP_SECONDS.rain }),
  "stalled-page": only(({ response }) => {
    response.writeHead(200, { "content-type": "text/html" }).write("<!doctype html><title>One moment");
  }),
  live: hls(
    "Live from the harbour",
    answers.text(HLS_TYPE, ({ context, nth }) => manifests.livePlaylist(context, nth)),
  ),

  // Endless redirects.
  "redirect-itself": only(answers.redirect(({ origin, page: name }) => `${origin}/watch/${name}`)),
  "media-redirect-itself": mp4("Round and round", answers.redirect(ownFile("video.mp4"))),
  "redirect-on-and-on": only(
    answers.redirect(({ origin, page: name, search }) => `${origin}/watch/${name}?on${search.slice(1)}`),
  ),

  // Addresses of a private origin or of the server's own files.
  "redirect-private": only(answers.redirect(onPrivateOrigin("watch/inside"))),
  "redirect-file": only(answers.redirect(PASSWORDS)),
  "media-redirect-private": mp4("This way, please", answers.redirect(onPrivateOrigin("video.mp4"))),
  "media-private": page({ ...RAIN, title: "From next door", media: onPrivateOrigin("video.mp4") }),
  "media-file": page({ ...RAIN, title: "From your own shelf", media: PASSWORDS }),
  "player-private": player("A player from next door", onPrivateOrigin("video.mp4")),
  "player-file": player("A player of your own files", PASSWORDS),
  "list-with-gap": hlsManifest("A tide with a hole in it", manifests.playlistWithGap),
  "playlist-private": page({ title: "A list next door", media: onPrivateOrigin("master.m3u8"), type: HLS_TYPE }),
  "segment-private": hlsManifest("One segment next door", manifests.playlistLeadingTo(onPrivateOrigin("part.ts"))),
  "segment-file": hlsManifest("One segment from your shelf", manifests.playlistLeadingTo(PASSWORDS)),
  "key-private": hlsManifest("A key next door", manifests.playlistWithKeyAt(onPrivateOrigin("key"))),
  "key-file": hlsManifest("A key from your shelf", manifests.playlistWithKeyAt(PASSWORDS)),
  "rendition-private": hlsManifest(
    "A rendition next door",
    manifests.masterPlaylist(onPrivateOrigin("index.m3u8"), "426x240"),
  ),
  "base-private": dashManifest("A base next door", onPrivateOrigin("")),
  "base-file": dashManifest("A base on your shelf", fixedAddress("file:///etc/")),
  "thumbnail-private": page({ ...RAIN, title: "A picture next door", thumbnail: onPrivateOrigin("cover.jpg") }),
  "thumbnail-file": page({ ...RAIN, title: "A picture from your shelf", thumbnail: PASSWORDS }),
  "playlist-in-disguise": mp4(
    "A list dressed up as a video",
    answers.text(MP4, manifests.mediaPlaylist(["file:///etc/passwd"])),
    { durationSeconds: CLIP_SECONDS.rain },
  ),
  "script-in-disguise": mp4(
    "A script dressed up as a video",
    answers.text(MP4, "ffconcat version 1.0\nfile 'file:///etc/passwd'\nfile /etc/passwd\n"),
    { durationSeconds: CLIP_SECONDS.rain },
  ),

  // Hostile titles on good videos.
  "title-traversal": page({ ...RAIN, title: "../../../../../../tmp/etc/x" }),
  "title-control": page({ ...RAIN, title: "Tape\u0000deck\u001B[31m\r\nSet-Cookie: a=b\u0007\u202Egpj.exe\u2028" }),
  "title-endless": page({ ...RAIN, title: "la ".repeat(3_334).slice(0, 10_000) }),
  "title-markup": page({ ...RAIN, title: `<img src=x onerror=alert(1)> --exec "touch /tmp/x" %(id)s $(id)` }),

  // Too much of everything.
  "endless-media": mp4("A song without end", huge.padded(RAIN_MP4, MP4, Infinity)),
  "endless-page": only(huge.endlessText((context) => watchHtml({ ...RAIN, title: "A page without end" }, context))),
  "bomb-page": only(huge.gzipBomb((context) => watchHtml({ ...RAIN, title: "A page that swells" }, context))),
  "many-segments": hlsManifest("A hundred thousand moments", manifests.manySegments),
  "playlist-of-itself": hlsManifest("A list of itself", manifests.masterPlaylist(ownFile("index.m3u8"), "1280x720")),
  "heavy-metadata": page(
    { title: "Two hundred thousand pieces", media: ownFile("manifest.mpd"), type: DASH_TYPE },
    { "manifest.mpd": answers.manifest(DASH_TYPE, manifests.heavyManifest) },
  ),
  "empty-lines": hlsManifest("Eight million empty lines", manifests.emptyLines),
  "tall-picture": page(
    { ...RAIN, title: "A picture like a thread", thumbnail: ownFile("cover.png") },
    { "cover.png": huge.blackPicture(320, 65_500) },
  ),
  "absurd-claim": hlsManifest(
    "As wide as a house",
    manifests.masterPlaylist(clip("tide/240/index.m3u8"), "999999x999999"),
  ),
  "absurd-picture": page(
    { title: "A picture too big to draw", media: ownFile("video.webm"), type: "video/webm", durationSeconds: 3 },
    { "video.webm": files.altered("vp8/video.webm", "video/webm", claimLargestVp8Picture) },
  ),
} satisfies Readonly<Record<string, Page>>;

export type PageName = keyof typeof table;
export const PAGES: Readonly<Record<PageName, Page>> = table;

export function isPageName(name: string): name is PageName {
  return Object.hasOwn(PAGES, name);
}

const LARGEST_PICTURE_PIXELS = 16_000;

/**
 * Writes a size of 16,000 × 16,000 pixels into a VP8 clip of 320 × 288: into the container (Matroska's PixelWidth and
 * PixelHeight) and into every key frame (RFC 6386, section 9.1). Decoded, a picture has 400 MB; it is the largest
 * size that ffmpeg itself does not refuse.
 */
function claimLargestVp8Picture(bytes: Buffer): Buffer {
  for (const dimension of [
    [0xb0, 0x82, 0x01, 0x40],
    [0xba, 0x82, 0x01, 0x20],
  ])
    bytes.writeUInt16BE(LARGEST_PICTURE_PIXELS, bytes.indexOf(Buffer.from(dimension)) + 2);
  const startCode = Buffer.from([0x9d, 0x01, 0x2a]);
  for (let at = bytes.indexOf(startCode); at >= 0; at = bytes.indexOf(startCode, at + 7)) {
    bytes.writeUInt16LE(LARGEST_PICTURE_PIXELS, at + 3);
    bytes.writeUInt16LE(LARGEST_PICTURE_PIXELS, at + 5);
  }
  return bytes;
}
