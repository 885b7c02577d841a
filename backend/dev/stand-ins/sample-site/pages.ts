/** Every page of the sample site: its name, and what it does. */
import * as answers from "./answers.ts";
import { CLIP_SECONDS } from "./clip-recipes.ts";
import { type Address, type Answer, clip, exactly, neighbour, own, ownOfAsker } from "./exchange.ts";
import * as manifests from "./manifests.ts";
import { type Video, escapeHtml, watchHtml, watchPage } from "./watch-page.ts";

const { HLS_TYPE, DASH_TYPE } = manifests;
const MP4 = "video/mp4";

export interface Page {
  /** The answer to /watch/NAME. */
  readonly watch: Answer;
  /** The answers to /media/NAME/FILE. */
  readonly media: Readonly<Record<string, Answer>>;
  /** For people, of pages that are offered as samples. */
  readonly label?: string;
}

function sample(label: string, video: Omit<Video, "title"> & { title?: string }): Page {
  return { label, watch: watchPage({ title: label, ...video }), media: {} };
}

function page(video: Video, media: Page["media"] = {}): Page {
  return { watch: watchPage(video), media };
}

/** A page like any other whose MP4 is answered in its own way. */
function mp4(title: string, answer: Answer, more: Partial<Video> = {}): Page {
  return page({ title, media: own("video.mp4"), type: MP4, thumbnail: RAIN_COVER, ...more }, { "video.mp4": answer });
}

function hls(title: string, answer: Answer, more: Partial<Video> = {}): Page {
  return page({ title, media: own("index.m3u8"), type: HLS_TYPE, ...more }, { "index.m3u8": answer });
}

function hlsManifest(title: string, body: (places: Parameters<Address>[0]) => string): Page {
  return hls(title, answers.manifest(HLS_TYPE, body));
}

function dashManifest(title: string, base: Address): Page {
  const answer = answers.manifest(DASH_TYPE, manifests.dashWithBaseAt(base));
  return page({ title, media: own("manifest.mpd"), type: DASH_TYPE }, { "manifest.mpd": answer });
}

/** A page that only has a player, with its source where it likes. */
function player(title: string, source: Address): Page {
  const html = (address: string): string =>
    `<!doctype html><html><head><title>${escapeHtml(title)}</title></head>` +
    `<body><video controls><source src="${escapeHtml(address)}" type="${MP4}"></video></body></html>`;
  return { watch: answers.text("text/html; charset=utf-8", ({ places }) => html(source(places))), media: {} };
}

/** A page that is refused or strange in itself. */
function only(watch: Answer): Page {
  return { watch, media: {} };
}

const RAIN_COVER = clip("rain/cover.jpg");
const RAIN_MP4 = "rain/video.mp4";
const PASSWORDS = exactly("file:///etc/passwd");
const RAIN: Video = {
  title: "Rain on a tin roof",
  media: clip(RAIN_MP4),
  type: MP4,
  durationSeconds: CLIP_SECONDS.rain,
  thumbnail: RAIN_COVER,
};

/** Slashes, quotes, emoji and a line of Arabic and Hebrew, about as long as titles get. */
export const TANGLED_TITLE =
  `Before/After: "The Rain" \\ l'été à Malmö 🌧️👩🏽‍🚀 — صوت المطر على السطح / קול הגשם על הגג — ` +
  `Part 1/2 <live?> | 50% off: *everything* you wanted to hear & more, recorded in one take in the old railway workshop`;

const busy = answers.status(429, { "retry-after": "1" });

const STUDIO_MASTER_BYTES = 900_000_000;
/** Sizes on either side of what the plans take: a source may be four times as large as the finished file. */
const CONCERT_BYTES = 300_000_000;
const ARCHIVE_BYTES = 2_100_000_000;
/** Longer than the free plan takes; as MP3 at 320 kbps it is 53 MB, larger than that plan's file. */
const LECTURE_SECONDS = 22 * 60;

const table = {
  // Well-behaved, and offered to people.
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

  // Large or long, but honest.
  lake: page(
    {
      title: "The long way round the lake",
      media: own("master.m3u8"),
      type: HLS_TYPE,
      durationSeconds: CLIP_SECONDS.lake,
    },
    { "master.m3u8": answers.manifest(HLS_TYPE, manifests.lakeMaster) },
  ),
  "studio-master": mp4("A studio master", answers.padded(RAIN_MP4, MP4, STUDIO_MASTER_BYTES), {
    durationSeconds: CLIP_SECONDS.rain,
    sizeBytes: STUDIO_MASTER_BYTES,
  }),
  concert: mp4("A concert, uncut", answers.padded(RAIN_MP4, MP4, CONCERT_BYTES), {
    durationSeconds: CLIP_SECONDS.rain,
    sizeBytes: CONCERT_BYTES,
  }),
  archive: mp4("The whole archive", answers.padded(RAIN_MP4, MP4, ARCHIVE_BYTES), {
    durationSeconds: CLIP_SECONDS.rain,
    sizeBytes: ARCHIVE_BYTES,
  }),
  lecture: page(
    {
      title: "A lecture nobody attended (sound only)",
      media: own("audio.wav"),
      type: "audio/wav",
      durationSeconds: LECTURE_SECONDS,
    },
    { "audio.wav": answers.silentRecording(LECTURE_SECONDS) },
  ),
  "three-hours": page({
    title: "Three hours of a very quiet room",
    media: clip("three-hours/video.mp4"),
    type: MP4,
    durationSeconds: CLIP_SECONDS.threeHours,
  }),
  "three-hours-unsaid": page({ title: "How long is this?", media: clip("three-hours/video.mp4"), type: MP4 }),
  unsaid: page({ title: "A page of few words", media: clip(RAIN_MP4), type: MP4 }),
  slow: mp4("A slow line", answers.throttled(RAIN_MP4, 200_000), { durationSeconds: CLIP_SECONDS.rain }),
  // Slow enough to be caught in the act, fast enough to be waited for.
  unhurried: mp4("A line with time on its hands", answers.throttled(RAIN_MP4, 1_500_000), {
    durationSeconds: CLIP_SECONDS.rain,
  }),
  // To be caught in the act for as long as it takes to look.
  held: page(
    { ...RAIN, title: "A line that is held", media: ownOfAsker("video.mp4") },
    { "video.mp4": answers.held(RAIN_MP4) },
  ),
  "held-page": only(answers.onceLetGo(watchPage(RAIN))),
  "index-last": mp4("Straight from the camera", answers.throttled(RAIN_MP4, 4_000_000, answers.withIndexLast), {
    durationSeconds: CLIP_SECONDS.rain,
  }),
  "two-videos": only(
    answers.text("text/html; charset=utf-8", ({ places }) =>
      ["rain", "snow"].map((name) => `<video src="${clip(`${name}/video.mp4`)(places)}"></video>`).join("\n"),
    ),
  ),

  // Refusals.
  forbidden: only(answers.status(403)),
  "forbidden-media": mp4("Kept behind a gate", answers.status(403)),
  gone: only(answers.status(404)),
  "gone-media": mp4("Taken down", answers.status(404)),
  busy: only(answers.afterRefusals(2, busy, watchPage(RAIN))),
  "busy-media": mp4("Busy twice", answers.afterRefusals(2, busy, answers.wholeFile(RAIN_MP4)), {
    durationSeconds: CLIP_SECONDS.rain,
  }),
  "no-video": only(answers.text("text/html; charset=utf-8", "<!doctype html><title>Words</title><p>Only words here.")),

  // Broken lines.
  "cut-off": mp4("Half a song", answers.partOf(RAIN_MP4, 0.5, "break"), { durationSeconds: CLIP_SECONDS.rain }),
  empty: mp4("Nothing at all", answers.text(MP4, ""), { durationSeconds: CLIP_SECONDS.rain }),
  stall: mp4("A pause", answers.partOf(RAIN_MP4, 0.02, "silence"), { durationSeconds: CLIP_SECONDS.rain }),
  "stalled-page": only(({ response }) => {
    response.writeHead(200, { "content-type": "text/html" }).write("<!doctype html><title>One moment");
  }),
  live: hls(
    "Live from the harbour",
    answers.text(HLS_TYPE, ({ places, nth }) => manifests.livePlaylist(places, nth)),
  ),

  // Addresses that lead back to themselves.
  "redirect-itself": only(answers.redirect(({ origin, page: name }) => `${origin}/watch/${name}`)),
  "media-redirect-itself": mp4("Round and round", answers.redirect(own("video.mp4"))),
  "redirect-on-and-on": only(
    answers.redirect(({ origin, page: name, search }) => `${origin}/watch/${name}?on${search.slice(1)}`),
  ),

  // Pages that would lead the server to its neighbour or to its own files.
  "redirect-private": only(answers.redirect(neighbour("watch/inside"))),
  "redirect-file": only(answers.redirect(PASSWORDS)),
  "media-redirect-private": mp4("This way, please", answers.redirect(neighbour("video.mp4"))),
  "media-private": page({ ...RAIN, title: "From next door", media: neighbour("video.mp4") }),
  "media-file": page({ ...RAIN, title: "From your own shelf", media: PASSWORDS }),
  "player-private": player("A player from next door", neighbour("video.mp4")),
  "player-file": player("A player of your own files", PASSWORDS),
  "playlist-private": page({ title: "A list next door", media: neighbour("master.m3u8"), type: HLS_TYPE }),
  "segment-private": hlsManifest("One segment next door", manifests.playlistLeadingTo(neighbour("part.ts"))),
  "segment-file": hlsManifest("One segment from your shelf", manifests.playlistLeadingTo(PASSWORDS)),
  "key-private": hlsManifest("A key next door", manifests.playlistWithKeyAt(neighbour("key"))),
  "key-file": hlsManifest("A key from your shelf", manifests.playlistWithKeyAt(PASSWORDS)),
  "rendition-private": hlsManifest(
    "A rendition next door",
    manifests.masterPlaylist(neighbour("index.m3u8"), "426x240"),
  ),
  "base-private": dashManifest("A base next door", neighbour("")),
  "base-file": dashManifest("A base on your shelf", exactly("file:///etc/")),
  "thumbnail-private": page({ ...RAIN, title: "A picture next door", thumbnail: neighbour("cover.jpg") }),
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

  // More than anybody could want.
  "endless-media": mp4("A song without end", answers.padded(RAIN_MP4, MP4, Infinity)),
  "endless-page": only(answers.endlessText((places) => watchHtml({ ...RAIN, title: "A page without end" }, places))),
  "bomb-page": only(answers.gzipBomb((places) => watchHtml({ ...RAIN, title: "A page that swells" }, places))),
  "many-segments": hlsManifest("A hundred thousand moments", manifests.manySegments),
  "playlist-of-itself": hlsManifest("A list of itself", manifests.masterPlaylist(own("index.m3u8"), "1280x720")),
  "absurd-claim": hlsManifest(
    "As wide as a house",
    manifests.masterPlaylist(clip("tide/240/index.m3u8"), "999999x999999"),
  ),
  "absurd-picture": page(
    { title: "A picture too big to draw", media: own("video.webm"), type: "video/webm", durationSeconds: 3 },
    { "video.webm": answers.altered("vp8/video.webm", "video/webm", claimLargestVp8Picture) },
  ),
} satisfies Readonly<Record<string, Page>>;

export type PageName = keyof typeof table;
export const PAGES: Readonly<Record<PageName, Page>> = table;

export function isPageName(name: string): name is PageName {
  return Object.hasOwn(PAGES, name);
}

const LARGEST_PICTURE_PIXELS = 16_000;

/**
 * Makes a VP8 clip of 320 × 288 claim to be 16,000 pixels wide and high, 400 MB a picture once unpacked and
 * the most that ffmpeg does not refuse by itself. It says so in the container (Matroska's PixelWidth and
 * PixelHeight) and in every key frame (RFC 6386, section 9.1).
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
