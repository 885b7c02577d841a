/** Cuts files as conversions make them, in each kind, and reads back what they say of themselves. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseFile } from "music-metadata";
import { beforeAll, expect, inject, it } from "vitest";
import { TIERS, type MediaFormat } from "../../common/tiers.ts";
import { checkClicks, checkFrames, readTracks } from "../dev/testing/click-track.ts";
import { copyClicksClip } from "../dev/testing/clicks-clip.ts";
import { cutFile } from "../dev/testing/cut-of-file.ts";
import { ffmpegIn, lavfi, probedChapters, subtitlesIn } from "../dev/testing/ffmpeg.ts";
import { ofFile } from "../dev/testing/of-file.ts";
import { openTestPipeline } from "../dev/testing/test-pipeline.ts";
import { READ_TAGS, TEST_TAGS } from "../dev/testing/test-tags.ts";
import { makeFromFiles } from "./encode/make-result.ts";
import { planEncode } from "./plan/encode-plan.ts";
import { inspectMedia } from "./probe/media-file.ts";

const { ffmpegPath } = inject("toolPaths");
const test = await ofFile(openTestPipeline());
const { folder, pipeline } = test;
const clip = join(folder, "clip.mp4");
const coverPath = join(folder, "red.jpg");
beforeAll(async () => {
  await copyClicksClip(clip);
  await ffmpegIn(folder, ...lavfi("color=red:size=64x64"), "-frames:v", "1", "red.jpg");
  const sound = ["-t", "30", "-i", "clip.mp4", "-vn"];
  await ffmpegIn(
    folder,
    ...sound,
    "-c:a",
    "copy",
    "sound.m4a",
    ...sound.slice(2),
    "-t",
    "30",
    "-c:a",
    "libopus",
    "sound.webm",
  );
});

const CHAPTERS = [
  { title: "One", startSeconds: 0, endSeconds: 10 },
  { title: "Two", startSeconds: 10, endSeconds: 20 },
  { title: "Three", startSeconds: 20, endSeconds: 30 },
];
/** Those of the part from 12.25 s. */
const MADE_CHAPTERS = [
  ["Two", 0],
  ["Three", 7.75],
];
const CUES = [
  { startSeconds: 8, endSeconds: 9, lines: ["before"] },
  { startSeconds: 13, endSeconds: 14, lines: ["within"] },
];

/** @returns path of a file as a conversion makes it */
async function makeFile(format: MediaFormat, source: string): Promise<string> {
  const work = { pipeline, signal: new AbortController().signal };
  const sources = [await inspectMedia(work, join(folder, source))];
  const outputPath = join(folder, `${source}.${format}`);
  await makeFromFiles({
    ...work,
    plan: planEncode(format, sources, TIERS.pro),
    sources,
    limits: TIERS.pro,
    tags: { ...TEST_TAGS, chapters: CHAPTERS },
    subtitles: format === "mp4" ? { language: "en", cues: CUES } : undefined,
    coverPath: Promise.resolve(coverPath),
    outputPath,
    onFraction: () => undefined,
  });
  return outputPath;
}

it.each([
  ["mp3", "sound.m4a"],
  ["mp4", "clip.mp4"],
  ["original", "sound.m4a"],
  ["original", "sound.webm"],
  ["flac", "sound.m4a"],
  ["wav", "sound.m4a"],
] as const)("keeps tags, cover and chapters of a file in %s of %s", async (format, source) => {
  const path = await makeFile(format, source);
  const cut = { format, part: [12.25, 24.5], path } as const;
  await cutFile(test, {
    ...cut,
    check: async ({ path: made }) => {
      const { common } = await parseFile(made);
      expect(common).toMatchObject({
        ...READ_TAGS,
        title: `${TEST_TAGS.title} (0:12–0:25)`,
        comment: [{ text: TEST_TAGS.link }],
      });
      expect(common.picture?.map(({ data }) => Buffer.from(data))).toEqual([await readFile(coverPath)]);
      const chapters = await probedChapters(made);
      expect(chapters.map(([title, start]) => [title, Math.round(start * 100) / 100])).toEqual(MADE_CHAPTERS);
    },
  });
});

it("keeps subtitles, sound and picture of an MP4 in place", async () => {
  const part = [12.25, 24.5] as const;
  await cutFile(test, {
    path: await makeFile("mp4", "clip.mp4"),
    format: "mp4",
    part,
    check: async ({ path }) => {
      const { clicks, frames, errors } = await readTracks(ffmpegPath, path);
      checkClicks(clicks, part);
      checkFrames(frames, part);
      expect(errors).toBe("");
      expect(await subtitlesIn(path)).toBe("1\n00:00:00,750 --> 00:00:01,750\nwithin\n\n");
    },
  });
});
