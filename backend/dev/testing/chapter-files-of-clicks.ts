/** Makes files of chapters of the clip of clicks from files on the disk, and checks them. */
import { copyFile, mkdtemp, readdir } from "node:fs/promises";
import { extname, join } from "node:path";
import { parseFile } from "music-metadata";
import { expect, inject } from "vitest";
import { TIERS, type MediaFormat, type TierLimits } from "../../../common/tiers.ts";
import { makeChapterFiles } from "../../pipeline/encode/chapter-files.ts";
import type { Chapter } from "../../pipeline/probe/chapters.ts";
import { inspectMedia } from "../../pipeline/probe/media-file.ts";
import { CoreShare } from "../../pipeline/process/core-share.ts";
import { openJobFolder } from "../../pipeline/process/job-folder.ts";
import { copyClicksClip } from "./clicks-clip.ts";
import { checkClicks, checkFrames, readClicks, readTracks } from "./click-track.ts";
import { ffmpegIn, probed } from "./ffmpeg.ts";
import { openTestPipeline, type TestPipeline } from "./test-pipeline.ts";
import { unzip, type UnpackedFile } from "./unzip.ts";

const { ffmpegPath } = inject("toolPaths");

/** The beginning of the clip: its last chapter is long enough for two encoders of MP3. */
const SECONDS = 30;
/** Where it is cut: a chapter of half a second belongs to the one before it. */
const BORDERS = [0, 4.37, 9.2, 14.5, SECONDS];
const PARTS = BORDERS.slice(1).map((end, index) => [BORDERS[index] ?? NaN, end] as const);
const TITLES = ["Intro", "../../etc/passwd", "Intro", "CON: <last> | 🌈"];
/** Names of the files, without their endings. */
export const STEMS = ["01 Intro", "02 .._.._etc_passwd", "03 Intro", "04 CON_ _last_ _ 🌈"];
const VIDEO = "A click at every second";

const CHAPTERS: readonly Chapter[] = [
  { title: "Intro", startSeconds: 0, endSeconds: 4.37 },
  { title: "../../etc/passwd", startSeconds: 4.37, endSeconds: 9.2 },
  { title: "Intro", startSeconds: 9.2, endSeconds: 14 },
  { title: "Too short", startSeconds: 14, endSeconds: 14.5 },
  { title: "CON: <last> | 🌈", startSeconds: 14.5, endSeconds: SECONDS },
];

export type ClicksSource = "video.mp4" | "audio.m4a" | "audio.webm";

interface Attempt {
  readonly source: ClicksSource;
  readonly format: MediaFormat;
  readonly chapters?: readonly Chapter[];
  readonly limits?: TierLimits;
  readonly coreCount?: number;
  readonly signal?: AbortSignal;
  readonly onFraction?: (fraction: number) => void;
}

interface Made {
  readonly sizeBytes: number;
  readonly durationSeconds: number;
  readonly files: readonly UnpackedFile[];
  /** What is in the folder of the job. */
  readonly left: readonly string[];
}

export interface ChapterMaker extends AsyncDisposable {
  /** The folders of jobs are in it. */
  readonly folder: string;
  /** @param check sees the files before their folder is removed */
  make(attempt: Attempt, check?: (made: Made) => Promise<void>): Promise<void>;
}

/** @param sources that are needed */
export async function openChapterMaker(...sources: readonly ClicksSource[]): Promise<ChapterMaker> {
  const own = await openTestPipeline();
  await copyClicksClip(join(own.folder, "long.mp4"));
  const codecs = { "video.mp4": ["-c", "copy"], "audio.m4a": ["-vn", "-c", "copy"], "audio.webm": ["-vn"] } as const;
  const input = ["-t", String(SECONDS), "-i", "long.mp4"];
  await ffmpegIn(own.folder, ...input, ...sources.flatMap((name) => [...codecs[name], name]));
  return { folder: own.folder, make: makerIn(own), [Symbol.asyncDispose]: () => own[Symbol.asyncDispose]() };
}

function makerIn({ pipeline, folder: root }: TestPipeline): ChapterMaker["make"] {
  let attempts = 0;
  return async ({ source, chapters = CHAPTERS, limits = TIERS.pro, coreCount = 1, ...about }, check) => {
    attempts += 1;
    await using folder = await openJobFolder(root, `job-${attempts}`);
    const { signal = new AbortController().signal, onFraction = () => undefined } = about;
    const own = { ...pipeline, cores: new CoreShare(coreCount) };
    const path = join(folder.path, "source");
    await copyFile(join(root, source), path);
    const outputPath = join(folder.path, "result.zip");
    const made = await makeChapterFiles({
      pipeline: own,
      signal,
      format: about.format,
      sources: [await inspectMedia({ pipeline: own, signal }, path)],
      limits,
      tags: { title: VIDEO, chapters },
      chosenTags: undefined,
      subtitles: undefined,
      coverPath: Promise.resolve(undefined),
      folder: folder.path,
      outputPath,
      onFraction,
      onPlanned: () => undefined,
      onShortfall: () => undefined,
    });
    const left = await readdir(folder.path);
    await check?.({ ...made, files: await unzip(outputPath, await mkdtemp(join(root, "unpacked-"))), left });
  };
}

interface Probed {
  readonly seconds: number;
  readonly tags: Readonly<Record<string, string>>;
}

/** @returns what ffprobe says about a file */
export async function probeTags(path: string): Promise<Probed> {
  const entries = "format=duration:format_tags:stream_tags";
  const { format, streams } = await probed<{
    format: { duration: string; tags?: object };
    streams: { tags?: object }[];
  }>("-show_entries", entries, path);
  const all = { ...streams[0]?.tags, ...format.tags };
  const tags = Object.fromEntries(Object.entries(all).map(([name, text]) => [name.toLowerCase(), String(text)]));
  return { seconds: Number(format.duration), tags };
}

/** @returns the number of a track of four, as ffprobe says it */
function trackTags(ending: string, number: number): Readonly<Record<string, string>> {
  // ffprobe does not read the number in the tag of a WAV.
  if (ending === ".wav") return {};
  // Vorbis comments have the count apart.
  if (ending === ".opus" || ending === ".flac") return { track: String(number), tracktotal: "4" };
  return { track: `${number}/4` };
}

/**
 * Checks that each chapter has a file with tags and its own clicks and frames, and that the progress is of all.
 * @returns the names of the files in their order
 */
export async function checkedFilesOf(maker: ChapterMaker, attempt: Attempt): Promise<readonly string[]> {
  const { format } = attempt;
  const names: string[] = [];
  const fractions: number[] = [];
  const onFraction = (fraction: number) => fractions.push(fraction);
  await maker.make({ ...attempt, onFraction }, async ({ durationSeconds, files, left }) => {
    names.push(...files.map(({ name }) => name));
    expect(files.some(({ isCompressed }) => isCompressed)).toBe(false);
    let seconds = 0;
    for (const [index, { name, path }] of files.entries()) {
      const part = PARTS[index] ?? [NaN, NaN];
      if (format === "mp4") {
        const { clicks, frames } = await readTracks(ffmpegPath, path);
        checkClicks(clicks, part);
        checkFrames(frames, part);
      } else checkClicks(await readClicks(ffmpegPath, path), part);
      const { seconds: length, tags } = await probeTags(path);
      expect(Math.abs(length - (part[1] - part[0]))).toBeLessThan(0.1);
      seconds += length;
      const { common } = await parseFile(path);
      expect(common).toMatchObject({ title: TITLES[index], album: VIDEO, track: { no: index + 1, of: 4 } });
      expect(tags).toMatchObject({ title: TITLES[index], album: VIDEO, ...trackTags(extname(name), index + 1) });
    }
    expect(Math.abs(seconds - SECONDS)).toBeLessThan(0.3);
    expect(Math.abs(durationSeconds - SECONDS)).toBeLessThan(0.3);
    expect(left.filter((name) => name.startsWith("chapter-"))).toEqual([]);
  });
  expect([fractions[0], fractions.at(-1)]).toEqual([0, expect.closeTo(1, 2)]);
  // Each file counts, and pictures take a while.
  const between = fractions.filter((fraction) => fraction > 0 && fraction < 0.98);
  expect(new Set(between).size).toBeGreaterThanOrEqual(format === "mp4" ? 4 : 3);
  return names;
}
