/** Chapters of finished files, read back by ffprobe and by a tagger of another make. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseFile } from "music-metadata";
import { beforeAll, expect, it } from "vitest";
import type { Part } from "../../../common/choices.ts";
import { MAX_CHAPTERS } from "../../../common/preview-details.ts";
import type { Subtitles } from "../subtitles/fetch-subtitles.ts";
import { TIERS, type MediaFormat } from "../../../common/tiers.ts";
import { ffmpegIn, probedChapters, probedLines, subtitlesIn } from "../../dev/testing/ffmpeg.ts";
import { ofFile } from "../../dev/testing/of-file.ts";
import { openTestPipeline } from "../../dev/testing/test-pipeline.ts";
import { withoutTags } from "../../dev/testing/mp4-without-tags.ts";
import { testRendition } from "../../dev/testing/test-rendition.ts";
import { TEST_TAGS } from "../../dev/testing/test-tags.ts";
import { GrowingFile } from "../fetch/growing-file.ts";
import type { FileTags } from "./encode.ts";
import { makeSound } from "./make-sound.ts";
import { makeMp3 } from "./stream-mp3.ts";
import { makeMp4, makeMp4WhileFetching } from "./stream-mp4.ts";
import { planEncode } from "../plan/encode-plan.ts";
import { inspectMedia } from "../probe/media-file.ts";
import { CoreShare } from "../process/core-share.ts";
import { readMp4 } from "../verify/read-mp4.ts";
import { verifyResult } from "../verify/verify.ts";
import type { Chapter } from "../probe/chapters.ts";
import { writeChapters } from "./chapter-input.ts";

const SECONDS = 6;
const CHAPTERS: readonly Chapter[] = [
  { title: "Ankunft; #1 = \\ 🎵", startSeconds: 0, endSeconds: 2 },
  { title: "وصول", startSeconds: 2, endSeconds: 3.5 },
  { title: "The end", startSeconds: 3.5, endSeconds: SECONDS },
];
const MANY: readonly Chapter[] = Array.from({ length: MAX_CHAPTERS }, (_, index) => ({
  title: `${index} `.padEnd(255, "x"),
  startSeconds: index / 50,
  endSeconds: (index + 1) / 50,
}));

const never = new AbortController().signal;
const { pipeline, folder } = await ofFile(openTestPipeline());
beforeAll(async () => {
  const picture = ["-f", "lavfi", "-i", "testsrc2=size=160x90:rate=25"];
  const sound = ["-f", "lavfi", "-i", "sine=sample_rate=48000"];
  const make = (...args: readonly string[]) => ffmpegIn(folder, ...picture, ...sound, "-t", String(SECONDS), ...args);
  await make("-frames:v", "1", "-update", "1", "cover.jpg");
  const both = ["-pix_fmt", "yuv420p", "-c:a", "aac"];
  await make(...both, "-movflags", "+faststart", "both.mp4");
  const bare = withoutTags(await readFile(join(folder, "both.mp4")));
  await writeFile(join(folder, "both.mp4"), bare);
  const end = ["-t", String(SECONDS)];
  const sounds = ["sound.m4a", "sound.opus", "sound.wav", "sound.ogg", "sound.flac"];
  const outputs = [
    [...both, "both.mkv"],
    [...end, "-c:v", "libvpx", "-deadline", "realtime", "-c:a", "libopus", "both.webm"],
    [...end, "-map", "1:a", "-ac", "2", "-b:a", "128k", "sound.mp3"],
    ...sounds.map((name) => [...end, "-map", "1:a", name]),
    [...end, "-map", "1:a", "-c:a", "mp2", "sound.mka"],
  ];
  await make(...outputs.flat());
});

interface Wanted {
  readonly format?: MediaFormat;
  readonly chapters?: readonly Chapter[] | undefined;
  readonly part?: Part;
  readonly subtitles?: Subtitles;
  readonly coreCount?: number;
  readonly tags?: FileTags;
}

let files = 0;

/** @returns path of the verified result */
async function make(
  source: string,
  { format = "mp4", chapters, part, subtitles, coreCount = 1, tags: others = { title: "Made" } }: Wanted,
): Promise<string> {
  files += 1;
  const own = { ...pipeline, cores: new CoreShare(coreCount) };
  using running = new DisposableStack();
  running.use(own.cores.enter());
  const outputPath = join(folder, `${files}.${format}`);
  const sources = [await inspectMedia({ pipeline: own, signal: never }, join(folder, source))];
  const [first] = sources;
  const limits = TIERS.pro;
  const plan = planEncode(format, sources, TIERS.free.formats.includes(format) ? TIERS.free : limits, part);
  const tags: FileTags = { ...others, chapters };
  const work = { limits, tags, outputPath, onFraction: () => undefined, coverPath: undefined };
  if (plan.format === "mp4") await makeMp4({ pipeline: own, signal: never, ...work, plan, sources, subtitles });
  else if (plan.format !== "mp3") await makeSound({ pipeline: own, signal: never, ...work, plan, sources });
  else if (first)
    await makeMp3({
      pipeline: own,
      signal: never,
      ...work,
      plan,
      source: first,
      coverPath: Promise.resolve(undefined),
    });
  await verifyResult({ pipeline: own, signal: never }, outputPath, plan, limits);
  return outputPath;
}

/** Makes an MP4 while its sources are fetched. */
async function makeEarly(source: string, chapters?: readonly Chapter[], subtitles?: Subtitles): Promise<string> {
  files += 1;
  const outputPath = join(folder, `${files}.mp4`);
  const bytes = await readFile(join(folder, source));
  await using file = await GrowingFile.create(`${outputPath}.source`);
  file.expectedBytes = bytes.length;
  const work = {
    growing: [{ file, rendition: testRendition(), durationSeconds: SECONDS }],
    siteSeconds: SECONDS,
    limits: TIERS.free,
    tags: { title: "Made", chapters },
    subtitles,
    coverPath: Promise.resolve(join(folder, "cover.jpg")),
    outputPath,
    onPlanned: () => undefined,
    onStart: () => undefined,
    onFraction: () => undefined,
  };
  const making = makeMp4WhileFetching({ ...work, pipeline, signal: never });
  await file.write(bytes, 0);
  await file.complete();
  const plan = await making;
  if (!plan) throw new Error("the MP4 was not made while fetching");
  expect((await parseFile(outputPath)).common.picture).toHaveLength(1);
  await verifyResult({ pipeline, signal: never }, outputPath, plan, TIERS.free);
  return outputPath;
}

async function ffprobeChapters(path: string): Promise<Chapter[]> {
  return (await probedChapters(path)).map(([title, start, end]) => ({
    title,
    startSeconds: Math.round(start * 1_000) / 1_000,
    endSeconds: Math.round(end * 1_000) / 1_000,
  }));
}

/** What the other tagger finds; it reads only the beginnings of an MP4's chapters. */
async function taggerChapters(path: string): Promise<[string, number][]> {
  const { format } = await parseFile(path, { includeChapters: true });
  return (format.chapters ?? []).map(({ title, start }) => [title, start]);
}

/** Codecs round the end of the sound, and with it that of the last chapter. */
const near = (seconds: number): unknown => expect.closeTo(seconds, 1);
const expected = (chapters: readonly Chapter[]): unknown[] =>
  chapters.map(({ endSeconds, ...others }) => ({ ...others, endSeconds: near(endSeconds) }));

it.each([
  ["copied frames", "sound.mp3", 2],
  ["lanes that get decoded sound", "sound.opus", 2],
  ["lanes that get AAC", "sound.m4a", 2],
])("an MP3 of %s has the chapters and the tags", async (_, source, coreCount) => {
  const path = await make(source, { format: "mp3", chapters: CHAPTERS, coreCount, tags: TEST_TAGS });
  expect(await ffprobeChapters(path)).toEqual(CHAPTERS);
  expect(await taggerChapters(path)).toEqual(CHAPTERS.map(({ title, startSeconds }) => [title, startSeconds]));
  const { common, native } = await parseFile(path);
  const { title, artist, album, link } = TEST_TAGS;
  expect(common).toMatchObject({
    title,
    artist,
    album,
    track: { no: 3, of: 12 },
    year: 2024,
    comment: [{ text: link }],
  });
  const contents = native["ID3v2.3"]?.find(({ id }) => id === "CTOC")?.value;
  expect(contents).toMatchObject({
    flags: { topLevel: true, ordered: true },
    childElementIds: ["chp0", "chp1", "chp2"],
  });
});

it("an original sound as Matroska has the chapters", async () => {
  const path = await make("sound.mka", { format: "original", chapters: CHAPTERS });
  expect((await inspectMedia({ pipeline, signal: never }, path)).container).toMatch(/^matroska/);
  expect(await ffprobeChapters(path)).toEqual(CHAPTERS);
});

it("an MP4 has room in front of its media for the most chapters with the longest titles", async () => {
  const path = await makeEarly("both.mkv", MANY);
  const found = await ffprobeChapters(path);
  expect(found.map(({ title }) => title)).toEqual(MANY.map(({ title }) => title));
});

it("an MP3 has the most chapters with the longest titles", async () => {
  const path = await make("sound.wav", { format: "mp3", chapters: MANY });
  expect((await ffprobeChapters(path)).map(({ title }) => title)).toEqual(MANY.map(({ title }) => title));
});

it.each([
  ["m4a", "sound.m4a", "original"],
  ["opus", "sound.opus", "original"],
  ["ogg", "sound.ogg", "original"],
  ["mp3", "sound.mp3", "original"],
  ["flac", "sound.flac", "flac"],
] as const)("a sound as %s has the chapters", async (_, source, format) => {
  expect(await ffprobeChapters(await make(source, { format, chapters: CHAPTERS }))).toEqual(expected(CHAPTERS));
});

it.each([
  ["mp3", "sound.wav"],
  ["mp4", "both.webm"],
  ["mp4", "both.mp4"],
  ["original", "sound.m4a"],
] as const)("a part as %s of %s has its own chapters", async (format, source) => {
  const part = { startSeconds: 1, endSeconds: 5 };
  const path = await make(source, { format, chapters: CHAPTERS, part });
  expect(await ffprobeChapters(path)).toEqual([
    { title: CHAPTERS[0]?.title, startSeconds: 0, endSeconds: 1 },
    { title: "وصول", startSeconds: 1, endSeconds: 2.5 },
    { title: "The end", startSeconds: 2.5, endSeconds: near(4) },
  ]);
});

it("chapters end with the file", async () => {
  const chapters = [...CHAPTERS, { title: "Never", startSeconds: 90, endSeconds: 100 }];
  const path = await make("both.webm", { chapters });
  expect(await ffprobeChapters(path)).toEqual(expected(CHAPTERS));
  expect(await readMp4(path)).toBeDefined();
});

const SUBTITLES: Subtitles = {
  language: "pt-BR",
  cues: Array.from({ length: 500 }, (_, index) => ({
    startSeconds: index / 100,
    endSeconds: index / 100 + 0.005,
    lines: [`Cue ${index}`, "<b> & já"],
  })),
};

it.each([
  ["that has the wanted streams", "both.mp4", false],
  ["that is copied while it is fetched", "both.mkv", true],
  ["that has the wanted streams and is still fetched", "both.mp4", true],
  ["that is encoded", "both.webm", false],
  ["of sound alone", "sound.m4a", false],
])("an MP4 of a source %s has subtitles beside chapters", async (_, source, isEarly) => {
  const path = isEarly
    ? await makeEarly(source, CHAPTERS, SUBTITLES)
    : await make(source, { chapters: CHAPTERS, subtitles: SUBTITLES });
  const languages = await probedLines("-select_streams", "s", "-show_entries", "stream_tags=language", path);
  expect(languages).toEqual(["por"]);
  expect((await subtitlesIn(path)).match(/Cue \d+\n<b> & já/g)).toHaveLength(500);
  expect(await ffprobeChapters(path)).toEqual(expected(CHAPTERS));
  expect((await taggerChapters(path)).map(([title]) => title)).toEqual(CHAPTERS.map(({ title }) => title));
  // The tracks of chapters and subtitles do not make ffprobe necessary.
  expect(await readMp4(path)).toBeDefined();
});

it("an MP4 of a part has its subtitles", async () => {
  const path = await make("both.webm", { subtitles: SUBTITLES, part: { startSeconds: 1, endSeconds: 3 } });
  const text = await subtitlesIn(path);
  expect(text.match(/Cue \d+/g)).toHaveLength(200);
  expect(text).toContain("00:00:00,500 --> 00:00:00,505\nCue 150\n");
});

it("chapters do not hide that a source broke off", async () => {
  const plan = planEncode(
    "mp4",
    [await inspectMedia({ pipeline, signal: never }, join(folder, "both.mkv"))],
    TIERS.free,
  );
  const list = (await writeChapters(join(folder, "short"), CHAPTERS)) ?? "";
  const path = join(folder, "short.mp4");
  const args = ["-t", "2", "-i", "both.mkv", "-f", "ffmetadata", "-i", list, "-map_chapters", "1", "-c", "copy", path];
  await ffmpegIn(folder, ...args);
  // By its index the file is as long as its chapters. Not all versions of ffprobe take that for its length.
  const [ofChapters] = await probedLines("-select_streams", "d", "-show_entries", "stream=duration", path);
  expect(Number(ofChapters)).toEqual(near(SECONDS));
  await expect(verifyResult({ pipeline, signal: never }, path, plan, TIERS.free)).rejects.toMatchObject({
    code: "network",
  });
});

it("without chapters the index of an MP4 has none, and an MP3 has no frames for them", async () => {
  const path = await makeEarly("both.mp4", undefined);
  expect(await ffprobeChapters(path)).toEqual([]);
  expect((await parseFile(path)).common.title).toBe("Made");
  const { native } = await parseFile(await make("sound.wav", { format: "mp3" }));
  expect(native["ID3v2.3"]?.map(({ id }) => id)).toEqual(["TIT2"]);
});
