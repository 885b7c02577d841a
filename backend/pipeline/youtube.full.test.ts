import { mkdtemp } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ofFile } from "../dev/testing/of-file.ts";
import type { ConversionChoices } from "../../common/choices.ts";
import { MINUTE_MS } from "../../common/durations.ts";
import { EXACT_SENTENCES } from "../../common/errors.ts";
import { TIERS, type Format } from "../../common/tiers.ts";
import { probedChapters, probedLines, subtitlesIn } from "../dev/testing/ffmpeg.ts";
import type { VideoId } from "../dev/stand-ins/youtube-site/videos.ts";
import { CLIP_PATH } from "../dev/stand-ins/youtube-site/youtube-site.ts";
import { openTestYouTube, usualAccess } from "../dev/testing/test-youtube.ts";
import { convertAsTold, type MadeFile } from "../dev/testing/told-findings.ts";
import { SiteBusy } from "./errors/site-refusal.ts";
import { ExitPool } from "./exits/exit-pool.ts";
import { parseExit } from "./exits/exit.ts";
import type { PipelineLimits } from "./limits.ts";
import type { Pipeline } from "./pipeline.ts";
import { extractShared } from "./probe/extraction.ts";
import { Extractions } from "./probe/extractions.ts";
import { openPlayerFolder } from "./probe/player-folder.ts";

const { site, folder, pipeline: base } = await ofFile(openTestYouTube());
const playerFolder = await openPlayerFolder(folder, base.tools.ytDlpPath);
const pipeline: Pipeline = { ...base, youtube: { ...(await usualAccess(site)), playerFolder } };
beforeEach(() => site.reset());
afterEach(() => void vi.useRealTimers());

interface Converted extends MadeFile {
  readonly percents: readonly number[];
  /** What the listener was told of waits, and the percentages, in this order. */
  readonly events: readonly string[];
}

interface Attempt {
  readonly choices?: ConversionChoices;
  readonly limits?: Partial<PipelineLimits>;
  /** Called when a wait is over. */
  readonly onGoOn?: () => void;
  readonly pipeline?: Pipeline;
}

const linkOf = (videoId: VideoId | typeof CLIP_PATH): string =>
  videoId === CLIP_PATH ? `https://www.youtube.com${CLIP_PATH}` : `https://www.youtube.com/watch?v=${videoId}`;

async function convertVideo(
  videoId: VideoId | typeof CLIP_PATH,
  format: Format,
  about: Attempt = {},
): Promise<Converted> {
  const own = await mkdtemp(path.join(folder, "job-"));
  const percents: number[] = [];
  const events: string[] = [];
  const listener = {
    found: () => undefined,
    progress: ({ percent }: { percent: number }) => {
      percents.push(percent);
      if (events.at(-1) !== "progress") events.push("progress");
    },
    waiting: (untilMs: number | null) => {
      events.push(untilMs === null ? "goes on" : "waits");
      if (untilMs === null) about.onGoOn?.();
    },
  };
  const request = { url: linkOf(videoId), format, choices: about.choices ?? {}, limits: TIERS.pro, folder: own };
  const base = about.pipeline ?? pipeline;
  const bounded = { ...base, limits: { ...base.limits, ...about.limits } };
  return {
    ...(await convertAsTold({ request, listener, pipeline: bounded, signal: new AbortController().signal })),
    percents,
    events,
  };
}

it.each<Format>(["mp3", "mp4"])(
  "converts a clip to %s as the part that it is, whatever the length of its video",
  async (format) => {
    const { durationSeconds } = await convertVideo(CLIP_PATH, format);
    expect(durationSeconds).toBeCloseTo(5, 0);
  },
);

it.each<[VideoId, Format, readonly string[], string]>([
  ["plain-video", "mp3", ["251"], "the best sound"],
  ["plain-video", "mp4", ["137", "140"], "the best picture, and sound that fits its container"],
  ["age-embedde", "mp3", ["251"], "addresses with solved challenges"],
  ["age-embedde", "mp4", ["137", "140"], "addresses with solved challenges"],
  ["small-video", "mp4", ["134", "140"], "the largest picture there is"],
  ["drc-sound-1", "mp3", ["251"], "sound whose dynamics are not compressed"],
  ["drc-sound-1", "mp4", ["137", "140"], "sound whose dynamics are not compressed"],
  ["upscaled-10", "mp4", ["135", "140"], "the true picture instead of the upscaled one"],
  ["dubbed-in-3", "mp3", ["251 lang=fr.4"], "the original language"],
  ["plain-video", "wav", ["251"], "the best sound"],
  ["plain-video", "original", ["251"], "the best sound"],
  ["drc-sound-1", "original", ["251"], "sound whose dynamics are not compressed"],
  ["dubbed-in-3", "original", ["251 lang=fr.4"], "the original language"],
  ["dubbed-in-3", "mp4", ["137", "140 lang=fr.4"], "the original language"],
])("converts %s to %s from the formats %j: %s", async (videoId, format, formats) => {
  const { durationSeconds, fileKind } = await convertVideo(videoId, format);
  expect(fileKind).toBe(format === "original" ? "opus" : undefined);
  expect(durationSeconds).toBeCloseTo(12, 0);
  const fetched = site.requests.filter(({ kind }) => kind === "media");
  expect(new Set(fetched.map((request) => request.format))).toEqual(new Set(formats));
  expect(fetched.filter(({ status }) => status === 403)).toEqual([]);
  expect(site.requests.every((request) => request.exit === "one")).toBe(true);
});

/** Which clients are behind "default", and so which formats a video has, changes with the release of yt-dlp. */
const throughWeb = (): Pipeline => ({
  ...pipeline,
  youtube: pipeline.youtube && { ...pipeline.youtube, clientOrder: ["visionos", "web"] },
});

it.each<[Format, string | undefined]>([
  ["mp3", undefined],
  ["mp4", undefined],
  ["original", "m4a"],
])("converts to %s from the only format of the web client where the first client is refused", async (format, kind) => {
  const { fileKind } = await convertVideo("needs-scrip", format, { pipeline: throughWeb() });
  expect(fileKind).toBe(kind);
  const fetched = site.requests.filter((request) => request.kind === "media");
  expect(new Set(fetched.map((request) => request.format))).toEqual(new Set(["18"]));
  expect(fetched.filter(({ status }) => status === 403)).toEqual([]);
});

it("converts through the clients of yt-dlp's own choice where the first client is refused", async () => {
  await convertVideo("needs-scrip", "mp3");
  expect(site.count({ kind: "media", status: 403 })).toBe(0);
});

it("keeps the chapters of a description, and adds automatic subtitles without their repeats", async () => {
  const { path: file } = await convertVideo("chapters-12", "mp4", { choices: { subtitles: { language: "de" } } });
  expect((await probedChapters(file)).map(([title, start]) => [start, title])).toEqual([
    [0, "Welcome"],
    [4, "The long part"],
    [9, "Questions"],
  ]);
  expect(await subtitlesIn(file)).toBe(
    "1\n00:00:01,000 --> 00:00:03,010\nguten Morgen\n\n2\n00:00:03,010 --> 00:00:06,010\nund willkommen\n\n",
  );
  // One language, through the exit of the extraction.
  expect(site.requests.filter(({ kind }) => kind === "subtitles").map(({ exit }) => exit)).toEqual(["one"]);
});

const askedClients = (): ReadonlySet<string | undefined> =>
  new Set(site.requests.filter(({ kind }) => kind === "player").map(({ client }) => client));

it.each<Format>(["transcript", "mp4"])(
  "asks another client for withheld subtitles of a %s, and says so",
  async (format) => {
    const converted = convertVideo("no-captions", format, { choices: { subtitles: { language: "en" } } });
    const message = EXACT_SENTENCES.subtitles_not_given;
    await expect(converted).rejects.toMatchObject({ code: "site_blocked", message, isTransient: false });
    expect(askedClients().size).toBeGreaterThan(1);
    expect(site.count({ kind: "subtitles" })).toBe(0);
  },
);

it.each<Format>(["transcript", "mp4"])(
  "says that subtitles of a %s were withheld where another client knows of none",
  async (format) => {
    const choices = { subtitles: { language: "en" } };
    const converted = convertVideo("captions-no", format, { choices, pipeline: throughWeb() });
    const message = EXACT_SENTENCES.subtitles_not_given;
    await expect(converted).rejects.toMatchObject({ code: "site_blocked", message, isTransient: false });
    // The web client finds its answer in the page.
    expect(site.count({ kind: "page" })).toBe(2);
  },
);

it.each<Format>(["transcript", "mp4"])("takes withheld subtitles of a %s from another client", async (format) => {
  const choices = { subtitles: { language: "en" } };
  const { subtitleLanguage, durationSeconds } = await convertVideo("captions-tv", format, { choices });
  expect(durationSeconds).toBeGreaterThan(1);
  expect(subtitleLanguage).toBe(format === "transcript" ? "en" : undefined);
  expect(site.count({ kind: "subtitles" })).toBe(1);
});

it.each<Format>(["transcript", "mp4"])(
  "takes subtitles of a %s from another client where it gets nothing",
  async (format) => {
    const choices = { subtitles: { language: "en" } };
    const { durationSeconds } = await convertVideo("captions-em", format, { choices });
    expect(durationSeconds).toBeGreaterThan(1);
    // The first client's address is asked twice.
    expect(site.count({ kind: "subtitles" })).toBe(3);
  },
);

it("says at once that a video has no subtitles where nothing is withheld", async () => {
  const message = EXACT_SENTENCES.no_subtitles_at_all;
  await expect(convertVideo("no-subtitle", "transcript")).rejects.toMatchObject({ code: "no_subtitles", message });
  expect([...askedClients()]).toEqual(["VISIONOS"]);
});

it("states the language of subtitles that have a name", async () => {
  const choices = { subtitles: { language: "en-ehkg1hFWq8A" } };
  const { path: file } = await convertVideo("named-track", "mp4", { choices });
  expect(await probedLines("-select_streams", "s", "-show_entries", "stream_tags=language", file)).toEqual(["eng"]);
  expect((await convertVideo("named-track", "transcript")).subtitleLanguage).toBe("en");
  expect((await convertVideo("named-de-01", "transcript")).subtitleLanguage).toBe("de");
});

it.each<[Format, readonly string[]]>([
  ["mp3", ["251 lang=de.3"]],
  ["original", ["251 lang=de.3"]],
  ["mp4", ["137", "140 lang=de.3"]],
])("converts to %s with the sound of the chosen language", async (format, formats) => {
  await convertVideo("dubbed-in-3", format, { choices: { soundLanguage: "de" } });
  const fetched = site.requests.filter(({ kind }) => kind === "media");
  expect(new Set(fetched.map((request) => request.format))).toEqual(new Set(formats));
});

it("asks YouTube for a page, a player response, a picture and each media file once", async () => {
  await convertVideo("plain-video", "mp4");
  const asked = site.requests.map(({ kind, client, format }) => format ?? client ?? kind);
  expect(asked.toSorted()).toEqual(["137", "140", "VISIONOS", "page", "picture"]);
});

it("waits for the end of an advertisement instead of asking for media that is refused", async () => {
  // It is still shown when the video has been read, however long that took, and ends when the wait for it is over.
  const startMs = Date.now();
  vi.setSystemTime(startMs);
  const onGoOn = (): void => void vi.setSystemTime(startMs + 2_000);
  const { durationSeconds, events } = await convertVideo("ad-before-1", "mp3", { onGoOn });
  expect(durationSeconds).toBeCloseTo(12, 0);
  expect(events).toEqual(["waits", "goes on", "progress"]);
  expect(site.count({ kind: "media", status: 403 })).toBe(0);
  expect(site.count({ kind: "page" })).toBe(1);
});

it("waits as the media server asks, and goes on with the same extraction", async () => {
  // Read before, with patience: reading may stand still for longer than the stall that is allowed here.
  const extractions = new Extractions({ keepMs: 3_600_000, maxKept: 1, maxKeptBytes: 10_000_000 });
  const own = { ...pipeline, extractions };
  await extractShared(
    { pipeline: own, signal: new AbortController().signal },
    linkOf("media-later"),
    path.join(folder, "job"),
  );
  const { durationSeconds, events, percents } = await convertVideo("media-later", "mp4", {
    pipeline: own,
    // Shorter than the wait, which does not count as a stall.
    limits: { stallTimeoutMs: 1_500 },
  });
  expect(durationSeconds).toBeCloseTo(12, 0);
  expect(events.filter((event) => event !== "progress")).toEqual(["waits", "goes on"]);
  expect(percents).toEqual(percents.toSorted((a, b) => a - b));
  expect(site.count({ kind: "page" })).toBe(1);
  expect(site.count({ kind: "player" })).toBe(1);
  expect(site.count({ kind: "media", status: 429 })).toBe(1);
});

it("does not wait in a worker for longer than it may: the job waits, and the exit is paused as long", async () => {
  const exit = await site.openExit("limited");
  const exits = new ExitPool({ exits: [parseExit(exit.proxyUrl)], extractionsPerHour: Infinity });
  const own = { ...pipeline, youtube: { exits, clientOrder: ["visionos"] } };
  const startMs = Date.now();
  const error = await convertVideo("media-429-1", "mp3", { pipeline: own }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(SiteBusy);
  const { untilMs } = error as SiteBusy;
  expect(untilMs).toBeGreaterThanOrEqual(startMs + 1_800_000);
  expect(untilMs).toBe(exits.nextUseMs);
  expect(site.count({ kind: "page" })).toBe(1);
  expect(site.count({ kind: "player" })).toBe(1);
  expect(site.count({ kind: "media" })).toBe(1);
});

it("reads the video anew, by other clients, when its media is refused, and goes on without a step back", async () => {
  const { durationSeconds, percents } = await convertVideo("media-once1", "mp4");
  expect(durationSeconds).toBeCloseTo(12, 0);
  expect(site.count({ kind: "page" })).toBe(2);
  // The next choice is "default", which has the first client among others.
  expect(site.count({ kind: "player", client: "VISIONOS" })).toBe(1);
  expect(percents).toEqual(percents.toSorted((a, b) => a - b));
});

it.each<VideoId>(["media-once1", "media-410-1"])(
  "drops what was kept of a video whose addresses are refused, and asks anew once: %s",
  async (videoId) => {
    const extractions = new Extractions({ keepMs: MINUTE_MS, maxKept: 1, maxKeptBytes: 10_000_000 });
    const own = { ...pipeline, extractions };
    const kept = await extractShared(
      { pipeline: own, signal: new AbortController().signal },
      linkOf(videoId),
      path.join(folder, "job"),
    );
    const { durationSeconds } = await convertVideo(videoId, "mp3", { pipeline: own });
    expect(durationSeconds).toBeCloseTo(12, 0);
    expect(site.count({ kind: "page" })).toBe(2);
    const later = await extractShared(
      { pipeline: own, signal: new AbortController().signal },
      linkOf(videoId),
      path.join(folder, "job"),
    );
    expect(later).not.toBe(kept);
  },
);

it("reads the video anew through another exit when its media is refused to the first", async () => {
  const [refused, welcome] = [await site.openExit("refused"), await site.openExit("welcome")];
  refused.treatment = "media_forbidden";
  const exits = new ExitPool({
    exits: [refused, welcome].map(({ proxyUrl }) => parseExit(proxyUrl)),
    extractionsPerHour: Infinity,
  });
  const youtube = pipeline.youtube && { ...pipeline.youtube, exits };
  const { durationSeconds } = await convertVideo("plain-video", "mp3", { pipeline: { ...pipeline, youtube } });
  expect(durationSeconds).toBeGreaterThan(1);
  const pages = site.requests.filter(({ kind }) => kind === "page");
  expect(pages.map(({ exit }) => exit)).toEqual(["refused", "welcome"]);
});

it.each<VideoId>(["media-403-1", "media-404-1"])(
  "fails with site_blocked when media is refused to the other clients too: %s",
  async (videoId) => {
    await expect(convertVideo(videoId, "mp3")).rejects.toMatchObject({ code: "site_blocked", isTransient: false });
    expect(site.count({ kind: "page" })).toBe(2);
  },
);
