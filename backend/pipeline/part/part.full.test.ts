/** Converts parts of the sample site's clip of clicks, and finds its clicks and frames again. */
import { parseFile } from "music-metadata";
import { describe, expect, inject, it } from "vitest";
import { TIERS, type Format, type TierLimits } from "../../../common/tiers.ts";
import { ofFile } from "../../dev/testing/of-file.ts";
import { CLICKS_SECONDS } from "../../dev/stand-ins/sample-site/clip-recipes.ts";
import type { PageName } from "../../dev/stand-ins/sample-site/sample-site.ts";
import {
  checkClicks,
  checkFrames,
  readClicks,
  readFrameNumbers,
  readTracks,
  type Span,
} from "../../dev/testing/click-track.ts";
import { samplePipeline } from "../../dev/testing/sample-pipeline.ts";
import { shareExtractions } from "../../dev/testing/test-extractor.ts";
import type { ConvertedFile, ConvertProgress } from "../convert.ts";
import type { EgressGuard } from "../guard/egress-guard.ts";
import { CoreShare } from "../process/core-share.ts";

const sample = await ofFile(samplePipeline());
const extractions = shareExtractions();

interface Attempt {
  readonly page: PageName;
  readonly format: Format;
  readonly part: Span;
  readonly limits?: TierLimits;
  readonly coreCount?: number;
}

interface Made {
  readonly progress: readonly ConvertProgress[];
  readonly durationSeconds: number | undefined;
  /** Of the media, and of the page when it is read first. */
  readonly bytesFetched: number;
}

/** @param check sees the file before its folder is removed */
async function convertPart(about: Attempt, check: (file: ConvertedFile) => Promise<void>): Promise<Made> {
  const { page, format, part, limits = TIERS.pro, coreCount = 1 } = about;
  const [startSeconds, endSeconds] = part;
  const { guard } = sample.pipeline;
  const sessions: ReturnType<EgressGuard["open"]>[] = [];
  const open: EgressGuard["open"] = (...settings) => {
    const session = guard.open(...settings);
    sessions.push(session);
    return session;
  };
  const progress: ConvertProgress[] = [];
  let durationSeconds: number | undefined;
  await sample.convert({
    page,
    format,
    choices: { part: { startSeconds, endSeconds } },
    limits,
    listener: {
      found: (found) => (durationSeconds = found.durationSeconds ?? durationSeconds),
      progress: (one) => progress.push(one),
    },
    pipeline: { guard: { ...guard, open }, cores: new CoreShare(coreCount), extractions },
    check,
  });
  return { progress, durationSeconds, bytesFetched: sessions.reduce((sum, one) => sum + one.bytesFetched, 0) };
}

const { ffmpegPath } = inject("toolPaths");

async function expectClicks({ path }: ConvertedFile, part: Span): Promise<void> {
  checkClicks(await readClicks(ffmpegPath, path), part);
}

async function expectFrames({ path }: ConvertedFile, part: Span): Promise<void> {
  checkFrames(await readFrameNumbers(ffmpegPath, path), part);
}

async function expectClicksAndFrames({ path }: ConvertedFile, part: Span): Promise<void> {
  const { clicks, frames } = await readTracks(ffmpegPath, path);
  checkClicks(clicks, part);
  checkFrames(frames, part);
}

const WHOLE_BYTES = 15_300_000;

/** Checks that little more than the part was fetched. */
function expectFewBytes({ bytesFetched }: Made, [start, end]: Span): void {
  expect(bytesFetched).toBeLessThanOrEqual(1.1 * WHOLE_BYTES * ((end - start) / CLICKS_SECONDS) + 2_000_000);
}

const WITHIN = [31.37, 37.9] as const;
/** Begins and ends where segments and key frames do. */
const AT_BORDERS = [50, 51] as const;
const AT_BEGINNING = [0, 3] as const;
const AT_END = [96.5, CLICKS_SECONDS] as const;

function convertToClicks(page: PageName, part: Span): Promise<Made> {
  return convertPart({ page, format: "mp3", part }, async (file) => {
    await expectClicks(file, part);
    expect(Math.abs(file.durationSeconds - (part[1] - part[0]))).toBeLessThan(0.1);
  });
}

// Which bytes of a source belong to a part is tested without a fetch, for each kind of index.
it.each([
  ["clicks", AT_BORDERS],
  ["clicks", AT_END],
  ["clicks-index-last", AT_BORDERS],
  ["clicks-index-last", AT_BEGINNING],
  ["clicks-fragments", AT_BORDERS],
  ["clicks-fragments", AT_END],
  ["clicks-hls", AT_BORDERS],
  ["clicks-hls", AT_BEGINNING],
  ["clicks-dash", AT_BORDERS],
  ["clicks-dash", AT_END],
] as const)(
  "of %s from %j s is an MP3 with its clicks in place, of which little more is fetched",
  async (page, part) => {
    const made = await convertToClicks(page, part);
    expect(made.durationSeconds).toBeCloseTo(part[1] - part[0]);
    expectFewBytes(made, part);
  },
);

it("of a source that is fetched as a whole is an MP3 with its clicks in place", async () => {
  const made = await convertToClicks("clicks-whole", WITHIN);
  expect(made.durationSeconds).toBeCloseTo(WITHIN[1] - WITHIN[0]);
});

it.each([
  ["clicks-fragments", WITHIN],
  ["clicks-hls", WITHIN],
  ["clicks-dash", WITHIN],
  ["clicks-index-last", WITHIN],
  ["clicks-whole", WITHIN],
  ["clicks", AT_BEGINNING],
  ["clicks-hls", AT_END],
] as const)("of %s from %j s is an MP4 with clicks and frames in place", async (page, part) => {
  const made = await convertPart({ page, format: "mp4", part }, async (file) => {
    await expectClicksAndFrames(file, part);
    expect(Math.abs(file.durationSeconds - (part[1] - part[0]))).toBeLessThan(0.1);
  });
  if (page !== "clicks-whole") expectFewBytes(made, part);
});

// By ranges, and by segments.
it.each(["clicks", "clicks-hls"] as const)("little more than a longer part of %s is fetched", async (page) => {
  const part = [12.5, 32.5] as const;
  const made = await convertPart({ page, format: "mp4", part }, (file) => expectClicks(file, part));
  expectFewBytes(made, part);
  expect(made.bytesFetched).toBeGreaterThan(0.9 * WHOLE_BYTES * (20 / CLICKS_SECONDS));
});

it("encodes a part on several cores with its clicks in place, and states its place in the title", async () => {
  const part = [35.5, 65.25] as const;
  const made = await convertPart({ page: "clicks-sound", format: "mp3", part, coreCount: 2 }, async (file) => {
    await expectClicks(file, part);
    expect((await parseFile(file.path)).common.title).toBe("A click at every second (0:36–1:05)");
  });
  expect(made.durationSeconds).toBe(29.75);
});

it.each([
  ["clicks-sound", "original"],
  ["clicks-webm", "original"],
  ["clicks-webm", "mp3"],
  ["clicks-hls", "original"],
  ["clicks-dash", "flac"],
  ["clicks", "wav"],
] as const)("of %s keeps its clicks in place as %s", async (page, format) => {
  const made = await convertPart({ page, format, part: WITHIN }, (file) => expectClicks(file, WITHIN));
  expect(made.durationSeconds).toBe(6.53);
});

it("is fetched by the clusters of a WebM", async () => {
  const wholeBytes = 96_000 * (CLICKS_SECONDS / 8);
  const part = [61.3, 64.8] as const;
  const made = await convertPart({ page: "clicks-webm", format: "flac", part }, (file) => expectClicks(file, part));
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
  const part = [31.37, 41] as const;
  const made = await convertPart({ page: "clicks", format: "mp4", part }, (file) => expectClicksAndFrames(file, part));
  expectFewBytes(made, part);
  const { progress } = made;
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
