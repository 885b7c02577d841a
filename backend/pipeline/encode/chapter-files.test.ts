/** Makes files of chapters of the sample site's clip of clicks, and finds its clicks and frames again. */
import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { parseFile } from "music-metadata";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import type { ConversionChoices } from "../../../common/choices.ts";
import { parseHostList } from "../../../common/hosts.ts";
import { TIERS, type Format, type TierLimits } from "../../../common/tiers.ts";
import { repositoryDataDir } from "../../dev/repository.ts";
import { CLICK, CLICKS_FPS, CLICKS_SECONDS } from "../../dev/stand-ins/sample-site/clip-recipes.ts";
import { startSampleSite, type PageName, type SampleSite } from "../../dev/stand-ins/sample-site/sample-site.ts";
import { readClicks, readTracks, type Click } from "../../dev/testing/click-track.ts";
import { startTestExtractor } from "../../dev/testing/test-extractor.ts";
import { PATIENT_LIMITS } from "../../dev/testing/patient-limits.ts";
import { openTestSandbox } from "../../dev/testing/test-sandbox.ts";
import { unzip, type UnpackedFile } from "../../dev/testing/unzip.ts";
import { convert, type ConvertedFile, type ConvertProgress } from "../convert.ts";
import type { ExtractorHost } from "../extractor-host/extractor-host.ts";
import { InProcessHostSemaphore } from "../fetch/host-semaphore.ts";
import { startEgressGuard, type EgressGuard } from "../guard/egress-guard.ts";
import type { Pipeline } from "../pipeline.ts";
import { CoreShare } from "../process/core-share.ts";
import { openJobFolder } from "../process/job-folder.ts";
import { findScriptRuntime } from "../process/script-runtime.ts";

const MP3_FRAME_SECONDS = 1_152 / 48_000;
const run = promisify(execFile);
const { ffmpegPath, ffprobePath } = inject("toolPaths");

let site: SampleSite;
let guard: EgressGuard;
let pipeline: Pipeline;
let extractorHost: ExtractorHost;
let root: string;

beforeAll(async () => {
  const tools = inject("toolPaths");
  root = await mkdtemp(join(tmpdir(), "chapter-files-"));
  site = await startSampleSite({ dataDir: repositoryDataDir(), ffmpegPath, report: () => undefined });
  const videoHosts = parseHostList(site.host);
  guard = await startEgressGuard({ allow: videoHosts });
  extractorHost = await startTestExtractor(root);
  pipeline = {
    tools: { ...tools, denoPath: findScriptRuntime() },
    sandbox: await openTestSandbox(),
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
  readonly choices?: ConversionChoices;
  readonly limits?: TierLimits;
  readonly coreCount?: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: ConvertProgress) => void;
}

interface Made {
  readonly file: ConvertedFile;
  readonly files: readonly UnpackedFile[];
  /** What is in the folder of the job. */
  readonly left: readonly string[];
}

let attempts = 0;

/** @param check sees the files before their folder is removed */
async function convertChapters(about: Attempt, check: (made: Made) => Promise<void>): Promise<void> {
  const { page, format, choices, limits = TIERS.pro, coreCount = 1, signal = new AbortController().signal } = about;
  attempts += 1;
  await using folder = await openJobFolder(root, `job-${attempts}`);
  const file = await convert(
    { url: site.urlOf(page), format, choices: { ...choices, chapterFiles: true }, limits, folder: folder.path },
    {
      metadata: () => undefined,
      thumbnail: () => undefined,
      shortfall: () => undefined,
      progress: (progress) => about.onProgress?.(progress),
    },
    { ...pipeline, cores: new CoreShare(coreCount) },
    signal,
  );
  const left = await readdir(folder.path);
  const unpacked = await mkdtemp(join(root, "unpacked-"));
  await check({ file, files: await unzip(file.path, unpacked), left });
}

/** Where the clip is cut: a chapter of half a second belongs to the one before it. */
const BORDERS = [0, 10.37, 31.2, 50.5, CLICKS_SECONDS];
const PARTS = BORDERS.slice(1).map((end, index) => [BORDERS[index] ?? NaN, end] as const);
const TITLES = ["Intro", "../../etc/passwd", "Intro", "CON: <last> | 🌈"];
const STEMS = ["01 Intro", "02 .._.._etc_passwd", "03 Intro", "04 CON_ _last_ _ 🌈"];
const VIDEO = "A click at every second";

/** Checks that exactly the clicks of a part are heard, each within one MP3 frame of its place. */
function checkClicks(clicks: readonly Click[], [start, end]: readonly [number, number]): void {
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
function checkFrames(shown: readonly number[], [start, end]: readonly [number, number]): void {
  // The first frame is shown twice where the part begins between two frames.
  const frames = [...new Set(shown)];
  const [first = NaN] = frames;
  expect(frames).toEqual(frames.map((_, index) => first + index));
  expect(Math.abs(first - start * CLICKS_FPS)).toBeLessThanOrEqual(1);
  expect(Math.abs((frames.at(-1) ?? NaN) + 1 - end * CLICKS_FPS)).toBeLessThanOrEqual(1);
}

interface Probed {
  readonly seconds: number;
  readonly tags: Readonly<Record<string, string>>;
}

/** @returns what ffprobe says about a file */
async function probe(path: string): Promise<Probed> {
  const entries = "format=duration:format_tags:stream_tags";
  const { stdout } = await run(ffprobePath, ["-v", "error", "-show_entries", entries, "-of", "json", path]);
  const { format, streams } = JSON.parse(stdout) as {
    format: { duration: string; tags?: object };
    streams: { tags?: object }[];
  };
  const all = { ...streams[0]?.tags, ...format.tags };
  const tags = Object.fromEntries(Object.entries(all).map(([name, text]) => [name.toLowerCase(), String(text)]));
  return { seconds: Number(format.duration), tags };
}

describe.each([
  ["clicks-chapters", "mp3", 1, "mp3"],
  ["clicks-chapters", "mp3", 2, "mp3"],
  ["clicks-webm-chapters", "mp3", 2, "mp3"],
  ["clicks-chapters", "mp4", 2, "mp4"],
  ["clicks-chapters", "original", 1, "m4a"],
  ["clicks-webm-chapters", "original", 1, "opus"],
  ["clicks-chapters", "flac", 1, "flac"],
  ["clicks-chapters", "wav", 1, "wav"],
] as const)("the chapters of %s as %s on %d cores", (page, format, coreCount, ending) => {
  it("are files in order, with tags, each with its own clicks and frames, and the progress is of all", async () => {
    const progress: ConvertProgress[] = [];
    const onProgress = (one: ConvertProgress) => progress.push(one);
    await convertChapters({ page, format, coreCount, onProgress }, async ({ file, files, left }) => {
      expect(files.map(({ name }) => name)).toEqual(STEMS.map((stem) => `${stem}.${ending}`));
      expect(files.some(({ isCompressed }) => isCompressed)).toBe(false);
      let seconds = 0;
      for (const [index, { path }] of files.entries()) {
        const part = PARTS[index] ?? [NaN, NaN];
        if (format === "mp4") {
          const { clicks, frames } = await readTracks(ffmpegPath, path);
          checkClicks(clicks, part);
          checkFrames(frames, part);
        } else checkClicks(await readClicks(ffmpegPath, path), part);
        const { seconds: length, tags } = await probe(path);
        expect(Math.abs(length - (part[1] - part[0]))).toBeLessThan(0.1);
        seconds += length;
        const { common } = await parseFile(path);
        expect(common).toMatchObject({ title: TITLES[index], album: VIDEO, track: { no: index + 1, of: 4 } });
        // ffprobe does not read the number in the tag of a WAV.
        const track = format === "wav" ? {} : { track: `${index + 1}/4` };
        expect(tags).toMatchObject({ title: TITLES[index], album: VIDEO, ...track });
      }
      expect(Math.abs(seconds - CLICKS_SECONDS)).toBeLessThan(0.3);
      expect(Math.abs(file.durationSeconds - CLICKS_SECONDS)).toBeLessThan(0.3);
      expect(left.filter((name) => name.startsWith("chapter-"))).toEqual([]);
    });
    // Copying ends before it is reported; pictures take a while.
    expectStepsForward(progress, format === "mp4" ? 4 : 0);
  });
});

function expectStepsForward(progress: readonly ConvertProgress[], atLeast: number): void {
  const percents = progress.map(({ percent }) => percent);
  expect(percents).toEqual(percents.toSorted((a, b) => a - b));
  const converting = progress.filter(({ stage, percent }) => stage === "convert" && percent > 20 && percent < 90);
  expect(converting.length).toBeGreaterThanOrEqual(atLeast);
}

it("have the cover, and the tags that the visitor wants", async () => {
  const tags = { title: "My trip", artist: "Me" };
  await convertChapters({ page: "chapters", format: "mp3", choices: { tags } }, async ({ files }) => {
    expect(files.map(({ name }) => name)).toEqual([
      "01 First drops.mp3",
      "02 On the tin roof.mp3",
      "03 The gutter; overflowing = _loud_ #3.mp3",
      "04 Nach dem Regen 🌈.mp3",
    ]);
    for (const { path } of files) {
      const { common } = await parseFile(path);
      expect(common).toMatchObject({ artist: "Me", album: "My trip", picture: [{ format: "image/jpeg" }] });
    }
  });
});

it("are one file where the video has one chapter", async () => {
  await convertChapters({ page: "one-chapter", format: "mp3" }, async ({ files }) => {
    expect(files.map(({ name }) => name)).toEqual(["01 Intro.mp3"]);
    checkClicks(await readClicks(ffmpegPath, files[0]?.path ?? ""), [0, CLICKS_SECONDS]);
  });
});

it("are as many as a list of chapters may have, where a site names thousands", async () => {
  await convertChapters({ page: "hostile-chapters", format: "mp3" }, async ({ file, files }) => {
    expect(files.map(({ name }) => name.slice(0, 3))).toEqual(files.map((_, index) => `0${index + 1} `));
    expect(files.length).toBeGreaterThan(1);
    for (const { name } of files) expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
    let seconds = 0;
    for (const { path } of files) seconds += (await probe(path)).seconds;
    expect(Math.abs(seconds - file.durationSeconds)).toBeLessThan(0.5);
  });
});

it("are refused with a sentence where the video has none", async () => {
  const made = convertChapters({ page: "clicks", format: "mp3" }, () => Promise.reject(new TypeError("made")));
  await expect(made).rejects.toMatchObject({ code: "no_chapters", message: expect.stringContaining("no chapters") });
});

it("are refused where all together are too large, and made where they just fit", async () => {
  let sizeBytes = 0;
  const page = "clicks-webm-chapters";
  await convertChapters({ page, format: "original" }, async ({ file }) => {
    ({ sizeBytes } = file);
  });
  const within = (maxFileBytes: number) =>
    convertChapters({ page, format: "original", limits: { ...TIERS.pro, maxFileBytes } }, async () => undefined);
  await within(sizeBytes);
  await expect(within(sizeBytes - 1)).rejects.toMatchObject({ code: "too_large", reason: { name: "file_too_large" } });
});

it("leave nothing when the job is canceled", async () => {
  const abort = new AbortController();
  const onProgress = ({ stage, percent }: ConvertProgress) => {
    if (stage === "convert" && percent > 30) abort.abort(new Error("canceled"));
  };
  const about = { page: "clicks-chapters", format: "mp4", signal: abort.signal, onProgress } as const;
  await expect(convertChapters(about, async () => undefined)).rejects.toThrow("canceled");
  expect((await readdir(root)).filter((name) => name.startsWith("job-"))).toEqual([]);
});
