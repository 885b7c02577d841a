/** Leaves spans out of the clip of clicks, and finds its clicks and frames again. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseFile } from "music-metadata";
import { beforeAll, describe, expect, inject, it } from "vitest";
import type { Part } from "../../../common/choices.ts";
import { TIERS, type MediaFormat } from "../../../common/tiers.ts";
import { ffmpegIn, lavfi, probedChapters, probedLines, subtitlesIn } from "../../dev/testing/ffmpeg.ts";
import { ofFile } from "../../dev/testing/of-file.ts";
import { CLICK, CLICKS_FPS } from "../../dev/stand-ins/sample-site/clip-recipes.ts";
import { copyClicksClip } from "../../dev/testing/clicks-clip.ts";
import { readClicks, readTracks, type Click } from "../../dev/testing/click-track.ts";
import { openTestPipeline } from "../../dev/testing/test-pipeline.ts";
import { planEncode } from "../plan/encode-plan.ts";
import { inspectMedia, type MediaFile } from "../probe/media-file.ts";
import { timeInResult } from "../probe/time-in-result.ts";
import { CoreShare } from "../process/core-share.ts";
import type { Subtitles } from "../subtitles/fetch-subtitles.ts";
import { verifyResult } from "../verify/verify.ts";
import type { FileTags } from "./encode.ts";
import { makeFromFiles } from "./make-result.ts";

const never = new AbortController().signal;
const { ffmpegPath } = inject("toolPaths");
/** Of the beginning of the clip that is taken. */
const SECONDS = 40;
const FRAME_SECONDS = 1 / CLICKS_FPS;
/** An MP3 may begin anywhere within a frame of the sound. */
const MP3_FRAME_SECONDS = 1_152 / 48_000;

const { pipeline, folder } = await ofFile(openTestPipeline());
beforeAll(async () => {
  await copyClicksClip(join(folder, "long.mp4"));
  const ffmpeg = (...args: readonly string[]) => ffmpegIn(folder, "-i", "long.mp4", "-t", String(SECONDS), ...args);
  await ffmpeg("-c:v", "libx264", "-preset", "ultrafast", "-bf", "2", "-c:a", "copy", "video.mp4");
  await ffmpeg("-an", "-c:v", "libx264", "-preset", "ultrafast", "picture.mp4");
  await ffmpeg("-vn", "-c:a", "copy", "audio.m4a");
  await ffmpeg("-vn", "-c:a", "libopus", "audio.webm");
  await ffmpeg("-vn", "-af", "pan=5.1|FL=FL|FR=FR|FC=FL|BL=FL|BR=FR", "-c:a", "flac", "surround.flac");
});

interface Wanted {
  readonly sources: readonly string[];
  readonly format: MediaFormat;
  /** Start and end of each, in seconds. */
  readonly spans: readonly (readonly [number, number])[];
  readonly part?: readonly [number, number];
  readonly coreCount?: number;
  readonly tags?: FileTags;
  readonly subtitles?: Subtitles;
  readonly coverPath?: string;
}

interface Made {
  readonly path: string;
  readonly durationSeconds: number;
  readonly kept: { readonly part: Part; readonly cuts: readonly Part[] };
}

const partOf = ([startSeconds, endSeconds]: readonly [number, number]): Part => ({ startSeconds, endSeconds });
let results = 0;

async function make({ sources: names, format, spans, part, coreCount = 1, ...about }: Wanted): Promise<Made> {
  results += 1;
  const outputPath = join(folder, `result-${results}.${format}`);
  const own = { ...pipeline, cores: new CoreShare(coreCount) };
  using running = new DisposableStack();
  running.use(own.cores.enter());
  const sources: MediaFile[] = [];
  for (const name of names) sources.push(await inspectMedia({ pipeline: own, signal: never }, join(folder, name)));
  const limits = TIERS.pro;
  const plan = planEncode(format, sources, limits, part && partOf(part), { spans: spans.map(partOf) });
  const { tags = { title: "Without them" }, subtitles, coverPath } = about;
  const work = { limits, outputPath, coverPath: Promise.resolve(coverPath), onFraction: () => undefined };
  await makeFromFiles({ pipeline: own, signal: never, ...work, plan, sources, tags, subtitles });
  const { durationSeconds } = await verifyResult({ pipeline: own, signal: never }, outputPath, plan, limits);
  expect(Math.abs(durationSeconds - plan.durationSeconds)).toBeLessThan(0.1);
  return {
    path: outputPath,
    durationSeconds,
    kept: { part: plan.part ?? partOf([0, SECONDS]), cuts: plan.cuts ?? [] },
  };
}

/** @returns seconds by which the length of a result differs from that of what is left */
function wrongSeconds({ durationSeconds, kept }: Made): number {
  return Math.abs(durationSeconds - timeInResult(kept.part.endSeconds, kept));
}

/** Whether a moment is in the result with as much before and after it. */
function isKept({ kept: { part, cuts } }: Made, from: number, to: number): boolean {
  return (
    from >= part.startSeconds &&
    to <= part.endSeconds &&
    !cuts.some((cut) => to > cut.startSeconds && from < cut.endSeconds)
  );
}

/** Checks that exactly the clicks that stay are heard, each in its place. */
function checkClicks(clicks: readonly Click[], made: Made, toleranceSeconds: number): void {
  const all = Array.from({ length: SECONDS }, (_, second) => second);
  const certain = all.filter((second) => isKept(made, second - 0.03, second + CLICK.seconds + 0.03));
  const possible = new Set(all.filter((second) => isKept(made, second + 0.03, second + CLICK.seconds - 0.03)));
  const heard = clicks.map(({ second }) => second);
  expect(heard.filter((second) => certain.includes(second))).toEqual(certain);
  expect(heard.filter((second) => !possible.has(second) && second !== 0)).toEqual([]);
  for (const { second, atSeconds } of clicks)
    expect(Math.abs(atSeconds - timeInResult(second, made.kept))).toBeLessThanOrEqual(toleranceSeconds);
}

/** Checks that all frames that stay are there, and no others, each shown at its time. */
async function checkFrames(frames: readonly number[], made: Made): Promise<void> {
  const times = (await probedLines("-select_streams", "v", "-show_entries", "packet=pts_time", made.path))
    .map(Number)
    .toSorted((a, b) => a - b);
  expect(times).toHaveLength(frames.length);
  const at = (frame: number): number => frame * FRAME_SECONDS;
  const all = Array.from({ length: SECONDS * CLICKS_FPS }, (_, frame) => frame);
  const certain = all.filter((frame) => isKept(made, at(frame) - FRAME_SECONDS, at(frame) + 2 * FRAME_SECONDS));
  expect(certain.filter((frame) => !frames.includes(frame))).toEqual([]);
  // A frame that begins before a border may still be shown after it.
  expect(
    frames.filter(
      (frame) =>
        !isKept(made, at(frame), at(frame)) && !isKept(made, at(frame) + FRAME_SECONDS, at(frame) + FRAME_SECONDS),
    ),
  ).toEqual([]);
  for (const [index, frame] of frames.entries()) {
    const wrong = Math.abs((times[index] ?? NaN) - timeInResult(at(frame), made.kept));
    expect(wrong, `frame ${frame}`).toBeLessThanOrEqual(FRAME_SECONDS + 0.002);
  }
}

async function expectClicks(made: Made, toleranceSeconds: number): Promise<void> {
  checkClicks(await readClicks(ffmpegPath, made.path), made, toleranceSeconds);
}

async function expectClicksAndFrames(made: Made, toleranceSeconds: number): Promise<void> {
  const { clicks, frames } = await readTracks(ffmpegPath, made.path);
  checkClicks(clicks, made, toleranceSeconds);
  await checkFrames(frames, made);
}

const SPANS = {
  "in the middle": { spans: [[10.37, 21.2]] },
  "at the beginning": { spans: [[0, 7.5]] },
  "at the end": { spans: [[32.013, SECONDS]] },
  "at both ends and between": {
    spans: [
      [0, 3.333],
      [10, 20.44],
      [20.74, 21.5],
      [35, SECONDS],
    ],
  },
  "of a part": {
    spans: [
      [15.25, 18],
      [22, 23.5],
    ],
    part: [10.4, 30.7],
  },
  "across the borders of a part": {
    spans: [
      [5, 12.1],
      [28, 35],
    ],
    part: [10.4, 30.7],
  },
} as const satisfies Readonly<Record<string, Pick<Wanted, "spans" | "part">>>;

// All filters are made in one place, so each kind of file has the places where they differ.
describe("leaves out spans", () => {
  it.each([
    ["at the end", "one ffmpeg", "video.mp4", 1],
    ["of a part", "one ffmpeg", "video.mp4", 1],
    ["at the beginning", "lanes", "audio.m4a", 2],
    ["across the borders of a part", "lanes", "audio.m4a", 2],
  ] as const)("%s of an MP3 made by %s", async (place, _by, source, coreCount) => {
    const made = await make({ ...SPANS[place], sources: [source], format: "mp3", coreCount });
    await expectClicks(made, MP3_FRAME_SECONDS + 0.001);
    expect(wrongSeconds(made)).toBeLessThan(0.05);
  });

  it.each(["in the middle", "at both ends and between", "of a part", "across the borders of a part"] as const)(
    "%s of an MP4, from sound and picture alike",
    async (place) => {
      const made = await make({ ...SPANS[place], sources: ["video.mp4"], format: "mp4" });
      await expectClicksAndFrames(made, 0.003);
      expect(wrongSeconds(made)).toBeLessThanOrEqual(FRAME_SECONDS + 0.03);
    },
  );

  it.each([
    ["at both ends and between", "flac"],
    ["across the borders of a part", "wav"],
  ] as const)("%s of %s", async (place, format) => {
    const made = await make({ ...SPANS[place], sources: ["video.mp4"], format });
    await expectClicks(made, 0.003);
    // The sound of the clip may end a frame later than its picture.
    expect(wrongSeconds(made)).toBeLessThan(0.03);
  });
});

it("leaves spans out of Opus", async () => {
  const made = await make({
    sources: ["audio.webm"],
    format: "mp3",
    spans: [
      [0, 3],
      [10, 20.44],
    ],
    coreCount: 2,
  });
  await expectClicks(made, MP3_FRAME_SECONDS + 0.001);
  expect(wrongSeconds(made)).toBeLessThan(0.05);
});

it("leaves spans out of picture and sound in two files alike", async () => {
  const sources = ["picture.mp4", "audio.m4a"];
  const made = await make({
    sources,
    format: "mp4",
    spans: [
      [12, 15.37],
      [22, 23.5],
    ],
    part: [10.4, 30.7],
  });
  await expectClicksAndFrames(made, 0.003);
  expect(wrongSeconds(made)).toBeLessThanOrEqual(FRAME_SECONDS + 0.03);
});

it.each(["mp3", "flac"] as const)("leaves spans out of surround sound for %s", async (format) => {
  const made = await make({ sources: ["surround.flac"], format, spans: [[10, 20]] });
  await expectClicks(made, MP3_FRAME_SECONDS + 0.001);
  expect(wrongSeconds(made)).toBeLessThan(0.05);
});

it("leaves them out of as many places as a list has", async () => {
  const spans = Array.from({ length: 50 }, (_, index) => [0.3 + 0.7 * index, 0.5 + 0.7 * index] as const);
  const made = await make({ sources: ["video.mp4"], format: "mp4", spans });
  await expectClicksAndFrames(made, 0.003);
  expect(wrongSeconds(made)).toBeLessThanOrEqual(FRAME_SECONDS + 0.03);
});

it("moves chapters and subtitles with the rest, and keeps the cover", async () => {
  const coverPath = join(folder, "cover.jpg");
  await ffmpegIn(folder, ...lavfi("color=red:size=64x64"), "-frames:v", "1", coverPath);
  const cue = (startSeconds: number, endSeconds: number, line: string) => ({ startSeconds, endSeconds, lines: [line] });
  const chapter = (title: string, startSeconds: number, endSeconds: number) => ({ title, startSeconds, endSeconds });
  const { path } = await make({
    sources: ["video.mp4"],
    format: "mp4",
    spans: [
      [10, 20],
      [30, 35],
    ],
    part: [5, 39],
    tags: {
      title: "x",
      chapters: [chapter("one", 0, 12), chapter("gone", 12, 18), chapter("two", 18, 32), chapter("three", 32, 40)],
    },
    subtitles: {
      language: "en",
      cues: [
        cue(6, 7, "before"),
        cue(9, 12, "cut short"),
        cue(12, 19, "gone"),
        cue(19, 36, "across"),
        cue(37, 38, "after"),
      ],
    },
    coverPath,
  });
  const { picture } = (await parseFile(path)).common;
  expect(picture?.map(({ data }) => Buffer.from(data))).toEqual([await readFile(coverPath)]);
  expect((await probedChapters(path)).map(([title, start, end]) => [title, start, Math.round(end)])).toEqual([
    ["one", 0, 5],
    ["two", 5, 15],
    ["three", 15, 19],
  ]);
  expect((await subtitlesIn(path)).match(/\d\d:\d\d:\d\d,\d\d\d --> .*\n.*/g)).toEqual([
    "00:00:01,000 --> 00:00:02,000\nbefore",
    "00:00:04,000 --> 00:00:05,000\ncut short",
    "00:00:05,000 --> 00:00:16,000\nacross",
    "00:00:17,000 --> 00:00:18,000\nafter",
  ]);
});

it("leaves nothing out where less than a second would be left", async () => {
  const { durationSeconds } = await make({ sources: ["audio.m4a"], format: "mp3", spans: [[0, 39.5]] });
  expect(durationSeconds).toBeCloseTo(SECONDS, 0);
});
