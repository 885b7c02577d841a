/** Converts pages of the sample site, good and bad ones, with the real tools. convert.test.ts makes each format once. */
import { readFileSync } from "node:fs";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { parseFile } from "music-metadata";
import { describe, expect, it } from "vitest";
import { ConversionError } from "../../common/errors.ts";
import type { Shortfall } from "../../common/shortfall.ts";
import { TIERS } from "../../common/tiers.ts";
import { probed, subtitlesIn } from "../dev/testing/ffmpeg.ts";
import { ofFile } from "../dev/testing/of-file.ts";
import { samplePipeline, type SampleConversion } from "../dev/testing/sample-pipeline.ts";
import type { MadeFile } from "../dev/testing/told-findings.ts";
import type { PageName } from "../dev/stand-ins/sample-site/sample-site.ts";
import { unzip } from "../dev/testing/unzip.ts";
import { describeConversions } from "./convert.contract.ts";
import { convert, type ConvertProgress } from "./convert.ts";
import { CoreShare } from "./process/core-share.ts";
import { REQUESTS_PER_HOST } from "./fetch/host-semaphore.ts";
import { spareBytesFor } from "./fetch/spare-space.ts";
import { extract } from "./probe/extraction.ts";
import { inspectMedia } from "./probe/media-file.ts";
import type { Pipeline } from "./pipeline.ts";

const sample = await ofFile(samplePipeline());
const { site, pipeline } = sample;

/** What the listener received. */
interface Received {
  title?: string;
  durationSeconds?: number | undefined;
  thumbnail?: Buffer;
  shortfall?: Shortfall;
  readonly progress: ConvertProgress[];
}

interface Attempt extends Omit<SampleConversion, "format" | "listener" | "check"> {
  /** Default: MP3. */
  readonly format?: SampleConversion["format"];
  readonly onMetadata?: () => void;
  readonly onProgress?: (progress: ConvertProgress) => void;
  /** Checks the result before its folder is removed. */
  readonly check?: (file: MadeFile, received: Received) => Promise<void> | void;
}

/** Starts a yt-dlp for an extraction, as a server does where none can be kept loaded. */
const WITHOUT_HOST: Partial<Pipeline> = { extractorHost: undefined };

async function attempt({ format = "mp3", onMetadata, onProgress, check, ...about }: Attempt): Promise<Received> {
  const received: Received = { progress: [] };
  await sample.convert({
    ...about,
    format,
    listener: {
      found: ({ thumbnailPath, ...found }) => {
        if (thumbnailPath !== undefined) received.thumbnail = readFileSync(thumbnailPath);
        Object.assign(received, found);
        if (found.title !== undefined) onMetadata?.();
      },
      progress: (progress) => {
        received.progress.push(progress);
        onProgress?.(progress);
      },
    },
    check: (file) => check?.(file, received),
  });
  return received;
}

async function failure(about: Attempt): Promise<ConversionError> {
  const error = await attempt(about).then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(error instanceof ConversionError))
    throw new TypeError("the conversion did not fail with a ConversionError", { cause: error });
  expect(error.message).not.toMatch(/root:|passwd/);
  return error;
}

const inspect = (file: MadeFile) => inspectMedia({ pipeline, signal: new AbortController().signal }, file.path);

/** @returns types of the outermost atoms of an MP4, in their order */
function atoms(bytes: Buffer): string[] {
  const names: string[] = [];
  for (let at = 0; at + 8 <= bytes.length; at += Math.max(8, bytes.readUInt32BE(at)))
    names.push(bytes.toString("latin1", at + 4, at + 8));
  return names;
}

describe.concurrent("a well-behaved page", () => {
  it.each([
    ["rain", 30],
    ["lanterns", 24],
    ["tide", 24],
    ["observatory", 24],
    ["cello", 24],
  ] as const)("converts %s to an MP3 with title and cover", async (page, seconds) => {
    const received = await attempt({
      page,
      check: async (file) => {
        const media = await inspect(file);
        expect(media.audio).toMatchObject({ codec: "mp3", bitrateKbps: 128 });
        expect(media.hasAttachedPicture).toBe(true);
        expect(Math.abs(file.durationSeconds - seconds)).toBeLessThan(1);
        const bytes = await readFile(file.path);
        expect(file.sizeBytes).toBe(bytes.length);
        // ID3 2.3, which every player reads, and the header of a constant bit rate.
        expect([...bytes.subarray(0, 4)]).toEqual([0x49, 0x44, 0x33, 3]);
        expect(bytes.includes("Info")).toBe(true);
        expect(bytes.includes("Xing")).toBe(false);
      },
    });
    expect(received.title).toBeTruthy();
    expect(received.durationSeconds).toBeCloseTo(seconds, 0);
    expect([...(received.thumbnail ?? [])].slice(0, 2)).toEqual([0xff, 0xd8]);
    expect(new Set(received.progress.map(({ stage }) => stage))).toEqual(new Set(["download", "convert", "store"]));
    const percents = received.progress.map(({ percent }) => percent);
    expect(percents).toEqual(percents.toSorted((a, b) => a - b));
    expect(percents.at(-1)).toBeLessThan(100);
  });

  // Four of 20 s are missing. An MP4 keeps the times of its source, so it keeps the hole.
  it.each([
    ["mp3", 16],
    ["mp4", 20],
  ] as const)("converts a list with variables and a missing segment to %s", async (format, seconds) => {
    await attempt({
      page: "list-with-gap",
      format,
      check: (file) => expect(Math.abs(file.durationSeconds - seconds)).toBeLessThan(1),
    });
  });

  it("converts rain for Pro, on three cores, to an MP3 of the same length", async () => {
    let lengthSeconds = NaN;
    await attempt({ page: "rain", check: (file) => void (lengthSeconds = file.durationSeconds) });
    await attempt({
      page: "rain",
      pipeline: { cores: new CoreShare(3) },
      limits: TIERS.pro,
      check: async (file) => {
        expect((await inspect(file)).audio).toMatchObject({ codec: "mp3", bitrateKbps: 320 });
        // Without an index in the container, the start of the first audio packet is not exactly known.
        expect(Math.abs(file.durationSeconds - lengthSeconds)).toBeLessThan(0.06);
      },
    });
  });

  it("reduces the height of rain to what the plan allows", async () => {
    await attempt({
      page: "rain",
      format: "mp4",
      // Enough of it to be encoded.
      choices: { part: { startSeconds: 0, endSeconds: 4 } },
      check: async (file) => {
        const video = { codec: "h264", pixelFormat: "yuv420p", heightLines: 480 };
        expect((await inspect(file)).video).toMatchObject(video);
      },
    });
  });

  it.each([
    ["lanterns", TIERS.free, 360],
    ["tide", TIERS.free, 480],
    ["observatory", TIERS.free, 480],
    ["observatory", TIERS.pro, 1_080],
    ["snow", TIERS.free, 480],
    ["cello", TIERS.free, 360],
  ] as const)("converts %s to an MP4 that every phone plays", async (page, limits, heightLines) => {
    await attempt({
      page,
      format: "mp4",
      limits,
      check: async (file, received) => {
        const media = await inspect(file);
        expect(media.video).toMatchObject({ codec: "h264", pixelFormat: "yuv420p", heightLines });
        expect(media.audio?.codec).toBe(page === "snow" ? undefined : "aac");
        expect(Math.abs(file.durationSeconds - (received.durationSeconds ?? 0))).toBeLessThan(1);
        const order = atoms(await readFile(file.path));
        expect(order.indexOf("moov")).toBeLessThan(order.indexOf("mdat"));
      },
    });
  });

  it("requests the page only once", async () => {
    await attempt({ page: "unsaid", format: "original", pipeline: WITHOUT_HOST });
    expect(site.requests.filter(({ path }) => path === "/watch/unsaid")).toHaveLength(1);
  });

  it.each(["tangled-title", "title-traversal", "title-control", "title-endless", "title-markup"] as const)(
    "cleans the title of %s to one line",
    async (page) => {
      const { title } = await extract(
        { pipeline, signal: new AbortController().signal },
        site.urlOf(page),
        sample.folder,
      );
      expect(title.length).toBeGreaterThan(0);
      expect(title.length).toBeLessThanOrEqual(601);
      // oxlint-disable-next-line no-control-regex
      expect(title).not.toMatch(/[\u0000-\u001f\u202e]/);
    },
  );

  it.each(["thumbnail-private", "thumbnail-file"] as const)("converts %s without a picture", async (page) => {
    const received = await attempt({ page, format: "original" });
    expect(received).not.toHaveProperty("thumbnail");
  });

  it("reduces the height to fit the size limit, and says so", async () => {
    const shortfall = { reason: "file_size", heightLines: 240, maxBytes: 50_000_000 };
    const received = await attempt({
      page: "lake",
      format: "mp4",
      check: (file) => expect(file.shortfall).toEqual(shortfall),
    });
    expect(received.shortfall).toEqual(shortfall);
  });

  it("ignores an absurd size in the metadata", async () => {
    await attempt({
      page: "absurd-claim",
      format: "mp4",
      check: async (file) => expect((await inspect(file)).video?.heightLines).toBe(240),
    });
  });

  it("fails on a busy page with a transient error, and succeeds on the third attempt", async () => {
    for (const _ of [1, 2])
      expect(await failure({ page: "busy" })).toMatchObject({ code: "site_blocked", isTransient: true });
    await attempt({ page: "busy", format: "original" });
  });

  it("waits for busy media as its server asks, with one extraction", async () => {
    const known = site.requests.length;
    await attempt({ page: "busy-media", format: "original" });
    const pages = site.requests.slice(known).filter(({ path }) => path.startsWith("/watch/busy-media"));
    expect(pages).toHaveLength(1);
  });
});

it.each(["mp3", "mp4"] as const)("writes the tags of the visitor into the %s", async (format) => {
  const tags = { title: "Snow", artist: "Nobody", album: "Winter" };
  await attempt({
    page: "observatory",
    format,
    choices: { tags },
    check: async ({ path }) => {
      expect((await parseFile(path)).common).toMatchObject(tags);
    },
  });
});

it.each(["mp3", "mp4", "original", "flac", "wav"] as const)(
  "writes the place in an album into the %s",
  async (format) => {
    const album = { title: "Weather", artist: "Rain & friends", of: 12, track: 3 };
    const limits = TIERS.pro;
    const expected = { title: "A night at the observatory", album: album.title, albumartist: album.artist };
    await attempt({
      page: "observatory",
      format,
      limits,
      choices: { album },
      check: async ({ path }) =>
        expect((await parseFile(path)).common).toMatchObject({ ...expected, track: { no: 3, of: 12 } }),
    });
  },
);

it("leaves the files of chapters an album of their own", async () => {
  await attempt({
    page: "chapters",
    limits: TIERS.pro,
    choices: { chapterFiles: true, album: { title: "Weather", of: 12, track: 3 } },
    check: async ({ path }) => {
      const [first] = await unzip(path, await mkdtemp(join(dirname(path), "unpacked-")));
      expect((await parseFile(first?.path ?? "")).common).toMatchObject({ track: { no: 1, of: 4 } });
    },
  });
});

describe("chapters", () => {
  const found = async (path: string): Promise<[string, number][]> => {
    const { chapters = [], container } = (await parseFile(path, { includeChapters: true })).format;
    // Of an MP4 the tagger states times as they are stored, in milliseconds.
    const unitsPerSecond = container === "MPEG" ? 1 : 1_000;
    return chapters.map(({ title, start }) => [title, start / unitsPerSecond]);
  };

  it.each(["mp3", "mp4"] as const)("of a page are in the %s", async (format) => {
    await attempt({
      page: "chapters",
      format,
      // The picture is copied.
      limits: TIERS.pro,
      check: async ({ path }) =>
        expect(await found(path)).toEqual([
          ["First drops", 0],
          ["On the tin roof", 6.5],
          ['The gutter; overflowing = "loud" #3', 15],
          ["Nach dem Regen 🌈", 22],
        ]),
    });
  });

  it.each(["mp3", "mp4"] as const)("of a hostile page are bounded in the %s", async (format) => {
    await attempt({
      page: "hostile-chapters",
      format,
      limits: TIERS.pro,
      check: async ({ path, durationSeconds }) => {
        const chapters = await found(path);
        // Those within the 30 seconds of the video.
        expect(chapters).toHaveLength(203);
        expect(chapters.slice(3, 5)).toEqual([
          ["Part 0", 10],
          ["Part 1", 10.1],
        ]);
        expect(Math.abs(durationSeconds - 30)).toBeLessThan(0.2);
      },
    });
  });
});

describe("subtitles", () => {
  /** @returns the track as SRT, and what ffprobe says about it */
  async function trackOf(path: string): Promise<{ srt: string; streams: unknown[] }> {
    const shown = ["-select_streams", "s", "-show_entries", "stream=codec_name:stream_tags=language", path];
    return { srt: await subtitlesIn(path), streams: (await probed<{ streams: unknown[] }>(...shown)).streams };
  }

  const GERMAN = "1\n00:00:01,000 --> 00:00:04,000\nEs regnet über Malmö\n\n";
  const track = (language: string) => [{ codec_name: "mov_text", tags: { language } }];

  it("are a track of the MP4, with their language, cut to the video", async () => {
    await attempt({
      page: "subtitles",
      format: "mp4",
      limits: TIERS.pro,
      choices: { subtitles: { language: "en" } },
      check: async ({ path, durationSeconds }) => {
        const { srt, streams } = await trackOf(path);
        expect(streams).toEqual(track("eng"));
        expect(srt).toBe(
          "1\n00:00:01,000 --> 00:00:04,000\nIt <rains> & rains\n\n" +
            "2\n00:00:05,500 --> 00:00:09,000\non a (tin) roof\nall night\n\n" +
            "3\n00:00:25,000 --> 00:00:30,000\nuntil the end\n\n",
        );
        expect(durationSeconds).toBeCloseTo(30, 0);
      },
    });
  });

  it("of a part are moved and cut", async () => {
    const part = { startSeconds: 2, endSeconds: 7 };
    await attempt({
      page: "subtitles",
      format: "mp4",
      limits: TIERS.pro,
      choices: { subtitles: { language: "en" }, part },
      check: async ({ path }) => {
        const times = (await trackOf(path)).srt.match(/.* --> .*/g);
        expect(times).toEqual(["00:00:00,000 --> 00:00:02,000", "00:00:03,500 --> 00:00:05,000"]);
      },
    });
  });

  it("are fetched when the site is no longer busy", async () => {
    site.reset();
    await attempt({
      page: "busy-subtitles",
      format: "mp4",
      limits: TIERS.pro,
      choices: { subtitles: { language: "de" } },
      check: async ({ path }) => expect(await trackOf(path)).toEqual({ srt: GERMAN, streams: track("deu") }),
    });
    expect(site.requests.filter(({ path }) => path.endsWith("/de.srt"))).toHaveLength(3);
  });

  it.each<[string, PageName, string]>([
    ["are not there in that language", "subtitles", "fr"],
    ["are not there at all", "rain", "en"],
    ["have no text", "subtitles", "tlh"],
    ["have no end", "endless-subtitles", "de"],
  ])("that %s end the conversion before any media is fetched", async (_, page, language) => {
    const known = site.requests.length;
    const error = await failure({ page, format: "mp4", choices: { subtitles: { language } } });
    expect(error).toMatchObject({ code: "no_subtitles" });
    expect(site.requests.slice(known).filter(({ path }) => path.endsWith(".mp4"))).toEqual([]);
  });

  it("are no matter of an MP3", async () => {
    const known = site.requests.length;
    await attempt({ page: "subtitles", format: "mp3", choices: { subtitles: { language: "fr" } } });
    expect(site.requests.slice(known).some(({ path }) => /\.(?:vtt|srt)$/.test(path))).toBe(false);
  });
});

describe("an MP4 source with its index at the end", () => {
  const RANGE = /^bytes=(\d+)-(\d+)$/;

  it.each([
    ["mp3", []],
    ["mp4", ["moov", "mdat"]],
  ] as const)("fetches the index first, so that the %s is encoded during the download", async (format, order) => {
    const known = site.requests.length;
    await attempt({
      page: "index-last",
      format,
      limits: TIERS.pro,
      check: async (file) => {
        expect(Math.abs(file.durationSeconds - 30)).toBeLessThan(0.1);
        const found = format === "mp4" ? atoms(await readFile(file.path)) : [];
        expect(found.filter((type) => type === "moov" || type === "mdat")).toEqual(order);
      },
    });
    const ranges = site.requests
      .slice(known)
      .flatMap(({ path, range }) => (path === "/media/index-last/video.mp4" ? (RANGE.exec(range ?? "") ?? []) : []));
    const numbers = ranges.filter((_, index) => index % 3 !== 0).map(Number);
    // First the beginning, then the index at the end of the file, then the bytes between them.
    expect(numbers.slice(0, 2)).toEqual([0, 1_999_999]);
    expect(numbers[2]).toBeGreaterThan(5_000_000);
    expect(Math.max(...numbers)).toBe(numbers[3]);
    // Those are requested over several connections.
    const rest = numbers.slice(4);
    expect([Math.min(...rest), Math.max(...rest)]).toEqual([2_000_000, (numbers[2] ?? 0) - 1]);
  });
});

describe("an MP4 source with the wanted streams", () => {
  it.each(["rain", "index-last"] as const)("becomes the result, with free space behind its index: %s", async (page) => {
    const known = site.requests.length;
    let sizeBytes = NaN;
    let order: readonly string[] = [];
    await attempt({
      page,
      format: "mp4",
      limits: TIERS.pro,
      check: async (file) => {
        ({ sizeBytes } = file);
        order = atoms(await readFile(file.path));
      },
    });
    const media = site.requests.slice(known).find(({ path }) => path.endsWith(".mp4"));
    const answer = await fetch(`${site.origin}${media?.path}`, { headers: { range: "bytes=0-0" } });
    const sourceBytes = Number(answer.headers.get("content-range")?.split("/").at(-1));
    await answer.body?.cancel();
    // A second copy of the media would have no such space: its tags take as many bytes as they need.
    expect(sizeBytes).toBe(sourceBytes + spareBytesFor(sourceBytes));
    const index = order.indexOf("moov");
    expect(order.slice(index, index + 2)).toEqual(["moov", "free"]);
  });
});

describe("four conversions at once", () => {
  it("send at most eight requests to a host at once, for media, pictures and playlists together", async () => {
    site.reset();
    site.holdSegments();
    const pages = ["observatory", "tide", "observatory", "tide"] as const;
    let extracted = 0;
    // The extractor's own requests do not count: one of them may come while the first conversions have all eight.
    const onMetadata = () => (extracted += 1) === pages.length && site.releaseSegmentsAt(REQUESTS_PER_HOST);
    await Promise.all(pages.map((page) => attempt({ page, format: "mp4", limits: TIERS.pro, onMetadata })));
    expect(site.mostOpenRequests).toBe(REQUESTS_PER_HOST);
  });
});

describe.concurrent("a page that misbehaves", () => {
  it.each([
    ["forbidden", "site_blocked", false],
    ["forbidden-media", "site_blocked", false],
    ["gone", "unavailable", false],
    ["gone-media", "unavailable", false],
    ["no-video", "unavailable", false],
    ["empty", "unavailable", false],
    ["snow", "unavailable", false],
    ["two-videos", "playlist", false],
    ["live", "live", false],
    ["playlist-of-itself", "unavailable", false],
    ["cut-off", "network", true],
    ["three-hours", "too_long", false],
    ["three-hours-unsaid", "too_long", false],
    ["studio-master", "too_large", false],
    ["endless-media", "too_large", false],
    ["endless-page", "too_large", false],
    ["many-segments", "too_large", false],
    ["absurd-picture", "unavailable", false],
    ["redirect-itself", "unavailable", false],
    ["redirect-on-and-on", "unavailable", false],
    ["media-redirect-itself", "unavailable", false],
  ] as const)("%s fails with %s", async (page, code, isTransient) => {
    expect(await failure({ page })).toMatchObject({ code, isTransient });
  });

  it.each(["stall", "stalled-page"] as const)("%s fails with a timeout when no byte arrives", async (page) => {
    expect(
      await failure({ page, pipeline: { ...WITHOUT_HOST, limits: { ...pipeline.limits, stallTimeoutMs: 4_000 } } }),
    ).toMatchObject({
      code: "timeout",
      isTransient: true,
    });
  });

  it("fails with too_large when a compressed page exceeds the memory limit", async () => {
    expect((await failure({ page: "bomb-page" })).code).toBe("too_large");
  });

  it("fails by its metadata alone, without fetching the video", async () => {
    expect((await failure({ page: "three-hours" })).message).toBe("Longer than 20 minutes. Pro takes up to 2 hours.");
    expect((await failure({ page: "studio-master", format: "mp4" })).message).toMatch(/900 MB.*50 MB/);
    expect(
      site.requests.filter(({ path, method }) => path === "/media/studio-master/video.mp4" && method === "GET"),
    ).toEqual([]);
  });
});

describe.concurrent("a page that names private addresses or local files", () => {
  it.each([
    ["redirect-private", "unsupported_host"],
    ["redirect-file", "unsupported_host"],
    ["media-redirect-private", "unsupported_host"],
    ["media-private", "unsupported_host"],
    ["media-file", "unavailable"],
    ["player-private", "unsupported_host"],
    ["player-file", "unavailable"],
    ["playlist-private", "unsupported_host"],
    ["segment-private", "unsupported_host"],
    ["segment-file", "unsupported_host"],
    ["key-private", "unsupported_host"],
    ["key-file", "unsupported_host"],
    ["rendition-private", "unsupported_host"],
    ["base-private", "unsupported_host"],
    ["base-file", "unavailable"],
    ["playlist-in-disguise", "unavailable"],
    ["script-in-disguise", "unavailable"],
  ] as const)("%s fails with %s", async (page, code) => {
    expect((await failure({ page, format: "mp4" })).code).toBe(code);
  });
});

describe("an aborted conversion", () => {
  it.each(["download", "convert"] as const)("ends its tools in the stage %s", async (stage) => {
    const controller = new AbortController();
    const canceled = new Error("canceled");
    const running = attempt({
      // "slow" takes long to download, "rain" to encode.
      page: stage === "download" ? "slow" : "rain",
      format: "mp4",
      signal: controller.signal,
      onProgress: (progress) => {
        if (progress.stage === stage && (stage === "convert" || progress.percent > 0)) controller.abort(canceled);
      },
    });
    await expect(running).rejects.toBe(canceled);
  });

  it("ends during the extraction", async () => {
    // Other tests have asked for the page before.
    site.reset();
    const controller = new AbortController();
    const running = attempt({ page: "stalled-page", pipeline: WITHOUT_HOST, signal: controller.signal });
    void site.nthRequest("/watch/stalled-page", 1).then(() => controller.abort(new Error("canceled")));
    await expect(running).rejects.toThrow("canceled");
  });
});

describe("the limits of the machine", () => {
  it("fails with a timeout after jobTimeoutMs", async () => {
    const limits = { ...pipeline.limits, jobTimeoutMs: 1_500 };
    expect(await failure({ page: "slow", pipeline: { limits } })).toMatchObject({
      code: "timeout",
      isTransient: false,
    });
  });

  it("rejects a file that is not media as unavailable", async () => {
    const path = join(sample.folder, "source-0");
    await writeFile(path, "ffconcat version 1.0\nfile /etc/passwd\n");
    await expect(inspectMedia({ pipeline, signal: new AbortController().signal }, path)).rejects.toMatchObject({
      code: "unavailable",
    });
  });
});

describe("as a worker is given it,", () => {
  describeConversions(() => ({
    convert: (request, listener, signal) => convert({ request, listener, pipeline, signal }),
    folder: sample.folder,
    linkOf: (page) => site.urlOf(page),
  }));
});
