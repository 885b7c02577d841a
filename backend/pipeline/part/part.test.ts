/** Converts parts of the sample site's clip of clicks, and finds its clicks and frames again. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseFile } from "music-metadata";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import type { Part } from "../../../common/choices.ts";
import { parseHostList } from "../../../common/hosts.ts";
import { TIERS, type Format, type TierLimits } from "../../../common/tiers.ts";
import { repositoryDataDir } from "../../dev/repository.ts";
import { CLICK, CLICKS_FPS, CLICKS_SECONDS } from "../../dev/stand-ins/sample-site/clip-recipes.ts";
import { startSampleSite, type PageName, type SampleSite } from "../../dev/stand-ins/sample-site/sample-site.ts";
import { readClicks, readFrameNumbers, readTracks, type Click } from "../../dev/testing/click-track.ts";
import { PATIENT_LIMITS } from "../../dev/testing/patient-limits.ts";
import { openTestSandbox } from "../../dev/testing/test-sandbox.ts";
import { convert, type ConvertedFile, type ConvertProgress } from "../convert.ts";
import { startExtractorHost, type ExtractorHost } from "../extractor-host/extractor-host.ts";
import { InProcessHostSemaphore } from "../fetch/host-semaphore.ts";
import { startEgressGuard, type EgressGuard } from "../guard/egress-guard.ts";
import type { Pipeline } from "../pipeline.ts";
import { CoreShare } from "../process/core-share.ts";
import { openJobFolder } from "../process/job-folder.ts";
import { findScriptRuntime } from "../process/script-runtime.ts";

const MP3_FRAME_SECONDS = 1_152 / 48_000;

let site: SampleSite;
let guard: EgressGuard;
let pipeline: Pipeline;
let extractorHost: ExtractorHost;
let root: string;

beforeAll(async () => {
  const tools = inject("toolPaths");
  root = await mkdtemp(join(tmpdir(), "part-"));
  site = await startSampleSite({ dataDir: repositoryDataDir(), ffmpegPath: tools.ffmpegPath, report: () => undefined });
  const videoHosts = parseHostList(site.host);
  const sandbox = await openTestSandbox();
  const started = await startExtractorHost(tools.ytDlpPath, root, undefined, sandbox);
  if (!started) throw new Error("yt-dlp cannot be kept loaded");
  extractorHost = started;
  guard = await startEgressGuard({ allow: videoHosts });
  pipeline = {
    tools: { ...tools, denoPath: findScriptRuntime() },
    sandbox,
    extractorHost,
    guard,
    videoHosts,
    hostSemaphore: new InProcessHostSemaphore(),
    limits: PATIENT_LIMITS,
  };
});

afterAll(async () => {
  await extractorHost[Symbol.asyncDispose]();
  await guard.stop();
  await site.stop();
  await rm(root, { recursive: true });
});

interface Attempt {
  readonly page: PageName;
  readonly format: Format;
  /** Start and end in seconds. */
  readonly part: readonly [number, number];
  readonly limits?: TierLimits;
  readonly coreCount?: number;
}

interface Made {
  readonly progress: readonly ConvertProgress[];
  readonly durationSeconds: number | undefined;
  /** Of page and media. */
  readonly bytesFetched: number;
}

let attempts = 0;

/** @param check sees the file before its folder is removed */
async function convertPart(about: Attempt, check: (file: ConvertedFile) => Promise<void>): Promise<Made> {
  const { page, format, part, limits = TIERS.pro, coreCount = 1 } = about;
  const [startSeconds, endSeconds] = part;
  const choices: { part: Part } = { part: { startSeconds, endSeconds } };
  attempts += 1;
  await using folder = await openJobFolder(root, `job-${attempts}`);
  const sessions: ReturnType<EgressGuard["open"]>[] = [];
  const open: EgressGuard["open"] = (...settings) => {
    const session = guard.open(...settings);
    sessions.push(session);
    return session;
  };
  const progress: ConvertProgress[] = [];
  let durationSeconds: number | undefined;
  const file = await convert(
    { url: site.urlOf(page), format, choices, limits, folder: folder.path },
    {
      metadata: (video) => (durationSeconds = video.durationSeconds),
      thumbnail: () => undefined,
      shortfall: () => undefined,
      progress: (one) => progress.push(one),
    },
    { ...pipeline, guard: { ...guard, open }, cores: new CoreShare(coreCount) },
    new AbortController().signal,
  );
  await check(file);
  return { progress, durationSeconds, bytesFetched: sessions.reduce((sum, one) => sum + one.bytesFetched, 0) };
}

const { ffmpegPath } = inject("toolPaths");

/** Checks that exactly the clicks of a part are heard, each within one MP3 frame of its place. */
function checkClicks(clicks: readonly Click[], [start, end]: Attempt["part"]): void {
  const seconds = Array.from({ length: CLICKS_SECONDS }, (_, second) => second);
  // One at the border may be cut by less than a frame.
  const certain = seconds.filter((second) => second >= start + 0.03 && second + CLICK.seconds <= end - 0.03);
  const heard = clicks.map(({ second }) => second).filter((second) => certain.includes(second));
  expect(heard).toEqual(certain);
  expect(clicks.length - heard.length).toBeLessThanOrEqual(2);
  for (const { second, atSeconds } of clicks)
    expect(Math.abs(atSeconds - (second - start))).toBeLessThanOrEqual(MP3_FRAME_SECONDS + 0.001);
}

/** Checks that the picture begins and ends with the right frames, and has all between them. */
function checkFrames(shown: readonly number[], [start, end]: Attempt["part"]): void {
  // The first frame is shown twice where the part begins between two frames.
  const frames = [...new Set(shown)];
  const [first = NaN] = frames;
  expect(frames).toEqual(frames.map((_, index) => first + index));
  expect(Math.abs(first - start * CLICKS_FPS)).toBeLessThanOrEqual(1);
  expect(Math.abs((frames.at(-1) ?? NaN) + 1 - end * CLICKS_FPS)).toBeLessThanOrEqual(1);
}

async function expectClicks({ path }: ConvertedFile, part: Attempt["part"]): Promise<void> {
  checkClicks(await readClicks(ffmpegPath, path), part);
}

async function expectFrames({ path }: ConvertedFile, part: Attempt["part"]): Promise<void> {
  checkFrames(await readFrameNumbers(ffmpegPath, path), part);
}

async function expectClicksAndFrames({ path }: ConvertedFile, part: Attempt["part"]): Promise<void> {
  const { clicks, frames } = await readTracks(ffmpegPath, path);
  checkClicks(clicks, part);
  checkFrames(frames, part);
}

const WHOLE_BYTES = 15_300_000;

/** Checks that little more than the part was fetched. */
function expectFewBytes({ bytesFetched }: Made, [start, end]: Attempt["part"]): void {
  expect(bytesFetched).toBeLessThanOrEqual(1.1 * WHOLE_BYTES * ((end - start) / CLICKS_SECONDS) + 2_000_000);
}

/** Pages of which only a span is fetched. */
const SPANS: ReadonlySet<PageName> = new Set([
  "clicks",
  "clicks-index-last",
  "clicks-fragments",
  "clicks-hls",
  "clicks-dash",
]);

const PAGES = ["clicks", "clicks-index-last", "clicks-fragments", "clicks-hls", "clicks-dash", "clicks-whole"] as const;
const PARTS = [
  [0, 3],
  [31.37, 37.9],
  [50, 51],
  [96.5, 100],
] as const;

describe.each(PAGES)("a part of %s", (page) => {
  it.each(PARTS)("from %d to %d s is an MP3 with its clicks in place", async (...part) => {
    const made = await convertPart({ page, format: "mp3", part }, async (file) => {
      await expectClicks(file, part);
      expect(Math.abs(file.durationSeconds - (part[1] - part[0]))).toBeLessThan(0.1);
    });
    expect(made.durationSeconds).toBeCloseTo(part[1] - part[0]);
    if (SPANS.has(page)) expectFewBytes(made, part);
  });

  it.each(PARTS)("from %d to %d s is an MP4 with clicks and frames in place", async (...part) => {
    const made = await convertPart({ page, format: "mp4", part }, async (file) => {
      await expectClicksAndFrames(file, part);
      expect(Math.abs(file.durationSeconds - (part[1] - part[0]))).toBeLessThan(0.1);
    });
    if (SPANS.has(page)) expectFewBytes(made, part);
  });
});

// Of so long a part the tenth that may come on top is more than the two megabytes, and both together less than the rest.
it.each(["clicks", "clicks-fragments", "clicks-hls", "clicks-dash"] as const)(
  "little more than a long part of %s is fetched",
  async (page) => {
    const part = [12.5, 62.5] as const;
    const made = await convertPart({ page, format: "mp4", part }, (file) => expectClicks(file, part));
    expectFewBytes(made, part);
    expect(made.bytesFetched).toBeGreaterThan(0.9 * WHOLE_BYTES * (50 / CLICKS_SECONDS));
  },
);

it("encodes a part on several cores with its clicks in place", async () => {
  const part = [20.5, 80.25] as const;
  const made = await convertPart({ page: "clicks-sound", format: "mp3", part, coreCount: 2 }, (file) =>
    expectClicks(file, part),
  );
  expect(made.durationSeconds).toBe(59.75);
});

it.each([
  ["clicks-sound", "original"],
  ["clicks-webm", "original"],
  ["clicks-webm", "mp3"],
  ["clicks-hls", "original"],
  ["clicks-dash", "flac"],
  ["clicks", "wav"],
] as const)("of %s keeps its clicks in place as %s", async (page, format) => {
  const made = await convertPart({ page, format, part: [31.37, 47.9] }, (file) => expectClicks(file, [31.37, 47.9]));
  expect(made.durationSeconds).toBe(16.53);
});

it("is fetched by the clusters of a WebM", async () => {
  const wholeBytes = 96_000 * (CLICKS_SECONDS / 8);
  const made = await convertPart({ page: "clicks-webm", format: "flac", part: [61.3, 64.8] }, (file) =>
    expectClicks(file, [61.3, 64.8]),
  );
  // Half a megabyte of it tells when the tracks begin: the page does not say that there is only one.
  expect(made.bytesFetched).toBeLessThan(0.6 * wholeBytes);
});

it.each(["original", "flac", "mp3", "mp4"] as const)("has the cover as %s", async (format) => {
  await convertPart({ page: "cello", format, part: [5, 12.5] }, async ({ path }) => {
    expect(await parseFile(path)).toMatchObject({ common: { picture: [{ format: "image/jpeg" }] } });
  });
});

it("is refused with a sentence when it begins after the end", async () => {
  const refused = (page: PageName) =>
    convertPart({ page, format: "mp3", part: [100, 110] }, () => Promise.reject(new TypeError("a file was made")));
  const expected = { code: "part_outside", message: expect.stringContaining("Choose an earlier start") };
  await expect(refused("clicks")).rejects.toMatchObject(expected);
  // The page does not name the length.
  await expect(refused("unsaid")).rejects.toMatchObject(expected);
});

describe("of a video that the plan does not allow as a whole", () => {
  it("is converted where the video is longer than the plan allows", async () => {
    const part = [9_000, 9_300] as const;
    const made = await convertPart({ page: "three-hours", format: "mp3", part, limits: TIERS.free }, async (file) => {
      // The sound of this clip runs 0.6 % longer than its times.
      expect(Math.abs(file.durationSeconds - 300)).toBeLessThan(3);
    });
    expect(made.bytesFetched).toBeLessThan(6_000_000);
  });

  it("is refused where it is a second too long itself", async () => {
    const part = [600, 600 + TIERS.free.maxDurationSeconds + 1] as const;
    const made = convertPart({ page: "three-hours", format: "mp3", part, limits: TIERS.free }, async () => undefined);
    await expect(made).rejects.toMatchObject({ code: "too_long" });
  });

  it("is converted where the source is larger than the plan allows", async () => {
    const limits = { ...TIERS.free, maxFileBytes: 3_000_000 };
    const make = (page: PageName, ...part: [number, number]) =>
      convertPart({ page, format: "mp3", part, limits }, (file) => expectClicks(file, part));
    expectFewBytes(await make("clicks", 10, 15), [10, 15]);
    await expect(make("clicks", 0, CLICKS_SECONDS)).rejects.toMatchObject({ code: "too_large" });
    // Only the whole can be fetched.
    await expect(make("clicks-whole", 10, 15)).rejects.toMatchObject({
      code: "too_large",
      reason: { name: "source_too_large" },
    });
  });
});

it("reports progress of the part, in steps forward up to the end", async () => {
  const { progress } = await convertPart({ page: "clicks", format: "mp4", part: [31.37, 41] }, async () => undefined);
  const percents = progress.map(({ percent }) => percent);
  expect(percents).toEqual(percents.toSorted((a, b) => a - b));
  expect(new Set(progress.map(({ stage }) => stage))).toEqual(new Set(["download", "convert", "store"]));
  // The encode takes most of the time, and is seen while it goes on.
  const middle = progress.filter(({ stage, percent }) => stage === "convert" && percent > 20 && percent < 90);
  expect(middle.length).toBeGreaterThan(0);
});

it("ends with the video", async () => {
  await convertPart({ page: "clicks", format: "mp4", part: [95, 200] }, async (file) => {
    await expectFrames(file, [95, 100]);
    expect(file.durationSeconds).toBeCloseTo(5, 1);
  });
});

it("has its place in the title", async () => {
  await convertPart({ page: "clicks", format: "mp3", part: [5, 65] }, async ({ path }) => {
    expect((await parseFile(path)).common.title).toBe("A click at every second (0:05–1:05)");
  });
});
