/** Songs that were cut out of one sound, joined again: no sample is lost, added or moved. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseFile } from "music-metadata";
import { expect, it } from "vitest";
import { TIERS } from "../../../common/tiers.ts";
import { ffmpeg, lavfi, probedChapters, probedLines } from "../../dev/testing/ffmpeg.ts";
import { ofFile } from "../../dev/testing/of-file.ts";
import { cutSongs, errorAround, samplesOf, SONG_SAMPLES } from "../../dev/testing/tape-songs.ts";
import { openTestPipeline } from "../../dev/testing/test-pipeline.ts";
import { testFolder } from "../../dev/testing/test-folder.ts";
import { findPlainAac } from "../aac/find-plain-aac.ts";
import { SourceBytes } from "../aac/source-bytes.ts";
import { joinSongs, type TapeRequest } from "./join-songs.ts";
import type { TapeFormat } from "./plan-tape.ts";

const { pipeline } = await ofFile(openTestPipeline());
const TITLES = ["First", "The second; #2 = \\two", "三つ目"];
const TAGS = { title: "Side A", album: "Side A", artist: "Band" };

async function make(request: Omit<TapeRequest, "folder" | "limits" | "tags"> & Partial<TapeRequest>) {
  const folder = join(await testFolder(), "job");
  await mkdir(folder);
  const found: object[] = [];
  const percents: number[] = [];
  const listener = {
    found: (one: object) => void found.push(one),
    progress: ({ percent }: { percent: number }) => void percents.push(percent),
  };
  const { signal } = new AbortController();
  const whole = { tags: TAGS, limits: TIERS.pro, folder, ...request };
  const file = await joinSongs({ pipeline, signal, listener, request: whole, log: () => undefined });
  return { file, found: Object.assign({}, ...found) as Record<string, unknown>, percents };
}

const JOINS = [SONG_SAMPLES, 2 * SONG_SAMPLES];
const WITHIN = [0.5, 1.5, 2.5].map((songs) => Math.round(songs * SONG_SAMPLES));

/** @returns how many samples an M4A says that it has */
async function statedSamples(path: string): Promise<number | undefined> {
  await using bytes = await SourceBytes.open(path, new AbortController().signal);
  return (await findPlainAac(bytes))?.sampleCount;
}

it.each<[string, readonly string[], number, TapeFormat]>([
  ["mp3", ["-c:a", "libmp3lame", "-b:a", "320k"], 44_100, "mp3"],
  ["m4a", ["-c:a", "aac", "-b:a", "256k", "-movflags", "+faststart"], 44_100, "original"],
  ["opus", ["-c:a", "libopus", "-b:a", "256k"], 48_000, "original"],
  ["flac", ["-c:a", "flac"], 44_100, "original"],
])("joins three songs of %s without a gap or a click", async (ending, encoder, rateHz, format) => {
  const { songs, wholePath } = await cutSongs(await testFolder(), ending, encoder, TITLES, { rateHz });
  const { file, found, percents } = await make({ format, songs });
  const [made, whole] = [await samplesOf(file.path), await samplesOf(wholePath)];
  expect(format === "mp3" ? made.length : await statedSamples(file.path)).toBe(whole.length);
  // A gap or a moved song would be an error as large as the sound. ffmpeg's AAC has an error of its own 450 samples behind
  // the beginning of each song.
  for (const join of JOINS) expect(errorAround(made, whole, join, 300)).toBeLessThan(0.06);
  for (const moment of WITHIN) expect(errorAround(made, whole, moment, 20_000)).toBeLessThan(0.06);
  const seconds = (songs: number) => expect.closeTo((songs * SONG_SAMPLES) / rateHz, 2) as number;
  expect(await probedChapters(file.path)).toEqual(
    TITLES.map((title, index) => [title, seconds(index), seconds(index + 1)]),
  );
  expect(file.durationSeconds).toEqual(seconds(3));
  // Whether there is a card depends on the fonts of this machine.
  const { thumbnailPath: _, ...others } = found;
  expect(others).toEqual({
    durationSeconds: file.durationSeconds,
    ...(format === "mp3" ? {} : { fileKind: "m4a" }),
  });
  expect(percents).toEqual(percents.toSorted((one, other) => one - other));
});

it.each<[TapeFormat, string, readonly string[]]>([
  ["mp3", "mp3", ["-c:a", "libmp3lame", "-id3v2_version", "3"]],
  ["original", "m4a", ["-c:a", "aac", "-movflags", "+faststart"]],
])("gives a tape of %s its title, and a card as its picture", async (format, ending, encoder) => {
  const folder = await testFolder();
  const cover = join(folder, "cover.jpg");
  await ffmpeg(...lavfi("color=red:size=640x360"), "-frames:v", "1", cover);
  const { songs } = await cutSongs(folder, ending, encoder, ["One", "Two"], { cover });
  const { file, found } = await make({ format, songs });
  expect(found["thumbnailPath"]).toMatch(/thumbnail\.jpg$/);
  const { common } = await parseFile(file.path);
  expect(common).toMatchObject({ title: "Side A", album: "Side A", artist: "Band" });
  expect(common.picture).toHaveLength(1);
  expect(await probedLines("-select_streams", "v", "-show_entries", "stream=width,height", file.path)).toEqual([
    "720,720",
  ]);
  expect(await probedLines("-show_entries", "stream=width,height", String(found["thumbnailPath"]))).toEqual([
    "320,320",
  ]);
  const others = await make({ format, songs: songs.map((song) => ({ ...song, title: `${song.title} more` })) });
  const pictures = [common.picture, (await parseFile(others.file.path)).common.picture];
  expect(pictures[1]).toHaveLength(1);
  expect(pictures[1]?.[0]?.data).not.toEqual(pictures[0]?.[0]?.data);
});

it("gives a tape the picture of its first song where no font has the letters of a title", async () => {
  const folder = await testFolder();
  const cover = join(folder, "cover.jpg");
  await ffmpeg(...lavfi("color=red:size=640x360"), "-frames:v", "1", cover);
  // Cuneiform.
  const { songs } = await cutSongs(folder, "mp3", ["-c:a", "libmp3lame", "-id3v2_version", "3"], ["One"], { cover });
  const { file } = await make({ format: "mp3", songs: songs.map((song) => ({ ...song, title: "\u{12000}" })) });
  expect(await probedLines("-select_streams", "v", "-show_entries", "stream=width,height", file.path)).toEqual([
    "640,360",
  ]);
});

it("takes songs of other rates and channels, and makes the tape of the best of each", async () => {
  const folder = await testFolder();
  const mono = await cutSongs(folder, "mp3", ["-ac", "1", "-ar", "32000", "-c:a", "libmp3lame"], ["Mono"]);
  const stereo = await cutSongs(folder, "flac", ["-ar", "48000"], ["Stereo"]);
  const { file } = await make({ format: "mp3", songs: [...mono.songs, ...stereo.songs] });
  const shown = ["-show_entries", "stream=sample_rate,channels", file.path];
  expect(await probedLines(...shown)).toEqual(["48000,2"]);
  expect(file.durationSeconds).toBeCloseTo((2 * SONG_SAMPLES) / 44_100, 2);
});

it("ends a tape that turns out longer than its songs said", async () => {
  const { songs } = await cutSongs(await testFolder(), "flac", [], ["One", "Two"]);
  const short = songs.map((song) => ({ ...song, durationSeconds: 0.5 }));
  const limits = { ...TIERS.pro, maxDurationSeconds: 1.1 };
  await expect(make({ format: "mp3", songs: short, limits })).rejects.toMatchObject({ code: "too_long" });
  await expect(
    make({ format: "mp3", songs: short, limits: { ...limits, maxDurationSeconds: 2 } }),
  ).resolves.toBeDefined();
});

it("says that a song cannot be read, and leaves no process", async () => {
  const folder = await testFolder();
  const { songs } = await cutSongs(folder, "mp3", ["-c:a", "libmp3lame"], ["One"]);
  const broken = { title: "Two", sizeBytes: 4, durationSeconds: 1, fetch: (path: string) => writeFile(path, "none") };
  await expect(make({ format: "mp3", songs: [...songs, broken] })).rejects.toMatchObject({ code: "unavailable" });
});
