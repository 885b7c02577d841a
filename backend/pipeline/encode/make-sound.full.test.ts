/** Sound of codecs and shapes that the sample site does not have, as the original sound, FLAC and WAV. */
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { parseFile } from "music-metadata";
import { beforeAll, describe, expect, it } from "vitest";
import { TIERS, type TierLimits } from "../../../common/tiers.ts";
import { ffmpeg, ffprobe } from "../../dev/testing/ffmpeg.ts";
import { ofFile } from "../../dev/testing/of-file.ts";
import { openTestPipeline } from "../../dev/testing/test-pipeline.ts";
import { READ_TAGS, TEST_TAGS } from "../../dev/testing/test-tags.ts";
import { planEncode } from "../plan/encode-plan.ts";
import type { SoundFormat } from "../plan/sound-bytes.ts";
import type { SoundPlan } from "../plan/sound-plan.ts";
import { inspectMedia } from "../probe/media-file.ts";
import { verifyResult } from "../verify/verify.ts";
import { makeSound } from "./make-sound.ts";

const never = new AbortController().signal;
const { pipeline, folder } = await ofFile(openTestPipeline());
const coverPath = join(folder, "cover.jpg");
beforeAll(async () => {
  await ffmpeg("-f", "lavfi", "-i", "color=red:size=64x64", "-frames:v", "1", coverPath);
});

let files = 0;

/** @param args how two seconds of noise are encoded @returns path of the source */
async function sourceOf(name: string, ...args: readonly string[]): Promise<string> {
  files += 1;
  const path = join(folder, `${files}-${name}`);
  const noise = "anoisesrc=duration=2:sample_rate=48000:seed=3,aformat=channel_layouts=stereo";
  await ffmpeg("-f", "lavfi", "-i", noise, ...args, "-metadata", "genre=Foreign", path);
  return path;
}

interface Made {
  readonly path: string;
  readonly plan: SoundPlan;
  readonly sizeBytes: number;
}

async function make(format: SoundFormat, source: string, limits: TierLimits = TIERS.pro): Promise<Made> {
  files += 1;
  const path = join(folder, `${files}.${format}`);
  const sources = [await inspectMedia({ pipeline, signal: never }, source)];
  const plan = planEncode(format, sources, limits);
  const work = { plan, sources, limits, tags: TEST_TAGS, coverPath, outputPath: path, onFraction: () => undefined };
  await makeSound({ ...work, pipeline, signal: never });
  const { sizeBytes } = await verifyResult({ pipeline, signal: never }, path, plan, limits);
  return { path, plan, sizeBytes };
}

async function hashOf(path: string, ...args: string[]): Promise<string> {
  return (await ffmpeg("-i", path, "-map", "0:a:0", ...args, "-f", "streamhash", "-hash", "md5", "-")).stdout;
}
const packetsOf = (path: string) => hashOf(path, "-c", "copy");

describe.each([
  ["AAC in Matroska", "a.mkv", ["-c:a", "aac"], "m4a"],
  ["ALAC", "a.m4a", ["-c:a", "alac"], "m4a"],
  ["Opus in MP4", "a.mp4", ["-c:a", "libopus"], "opus"],
  ["Vorbis", "a.webm", ["-c:a", "libvorbis"], "ogg"],
  ["MP3 of a variable bit rate", "a.mp3", ["-c:a", "libmp3lame", "-q:a", "4"], "mp3"],
  ["MP3 in MPEG-TS", "a.ts", ["-c:a", "libmp3lame", "-b:a", "192k"], "mp3"],
  ["FLAC", "a.flac", ["-c:a", "flac"], "flac"],
  ["PCM", "a.wav", ["-c:a", "pcm_s24le"], "wav"],
  ["PCM of an AIFF", "a.aiff", ["-c:a", "pcm_s24be"], "aiff"],
  ["PCM of a CAF", "a.caf", ["-c:a", "pcm_s16be"], "aiff"],
  ["PCM of an AU", "a.au", ["-c:a", "pcm_s16be"], "aiff"],
  ["the sound of a telephone in an AU", "a.au", ["-c:a", "pcm_mulaw", "-ar", "8000"], "wav"],
] as const)("%s", (_, name, args, kind) => {
  it(`is stored as ${kind} with the same packets, the tags and the cover`, async () => {
    const source = await sourceOf(name, ...args);
    const { path, plan } = await make("original", source);
    expect(plan).toMatchObject({ format: "original", fileKind: kind });
    expect(await packetsOf(path)).toBe(await packetsOf(source));
    const { common } = await parseFile(path);
    expect(common).toMatchObject(READ_TAGS);
    expect(common.genre).toBeUndefined();
    expect(common.picture?.map(({ data }) => Buffer.from(data))).toEqual([await readFile(coverPath)]);
  });
});

it.each(["m4a", "opus", "mka", "flac", "wav"] as const)(
  "says in %s where the video is, when it is from",
  async (kind) => {
    const codec = { m4a: "aac", opus: "libopus", mka: "mp2", flac: "aac", wav: "aac" }[kind];
    const source = await sourceOf("sound.mkv", "-c:a", codec);
    const { path } = await make(kind === "flac" || kind === "wav" ? kind : "original", source);
    const text = await ffprobe("-show_entries", "format_tags:stream_tags", path);
    expect(text).toContain(TEST_TAGS.link);
    expect(text).toContain(TEST_TAGS.title);
    expect(text).toContain("2024");
  },
);

it("stores WavPack as it is, with its tags", async () => {
  const source = await sourceOf("a.wv", "-c:a", "wavpack");
  const { path, plan } = await make("original", source);
  expect(plan).toMatchObject({ fileKind: "wv" });
  expect(await packetsOf(path)).toBe(await packetsOf(source));
  expect((await parseFile(path)).common).toMatchObject({ title: TEST_TAGS.title, artist: TEST_TAGS.artist });
});

it.each([
  ["opus", "libopus", "track", "tracktotal"],
  ["ogg", "libvorbis", "track", "tracktotal"],
  ["flac", "flac", "track", "tracktotal"],
  ["mka", "mp2", "track", "total_parts"],
] as const)("has number and count of the track apart in %s", async (kind, codec, number, count) => {
  const { path, plan } = await make("original", await sourceOf("sound.mkv", "-c:a", codec));
  expect(plan).toMatchObject({ fileKind: kind });
  const text = (await ffprobe("-show_entries", "format_tags:stream_tags", "-of", "json", path)).toLowerCase();
  expect(text).toContain(`"${number}": "3"`);
  expect(text).toContain(`"${count}": "12"`);
});

it("stores the packets of a codec that no usual container takes in Matroska", async () => {
  const source = await sourceOf("a.mkv", "-c:a", "mp2");
  const { path, plan } = await make("original", source);
  expect(plan).toMatchObject({ fileKind: "mka" });
  expect(await packetsOf(path)).toBe(await packetsOf(source));
});

describe("FLAC and WAV", () => {
  it.each([
    ["22.05 kHz, mono", ["-c:a", "pcm_s16le", "-ar", "22050", "-ac", "1"], "s16le"],
    ["44.1 kHz", ["-c:a", "pcm_s16le", "-ar", "44100"], "s16le"],
    ["96 kHz of 24 bits", ["-c:a", "pcm_s24le", "-ar", "96000"], "s24le"],
    ["six channels", ["-c:a", "pcm_s16le", "-ac", "6"], "s16le"],
  ] as const)("keep every sample of %s", async (_, args, samples) => {
    const source = await sourceOf("sound.mkv", ...args);
    const decoded = ["-c:a", `pcm_${samples}`] as const;
    const hash = await hashOf(source, ...decoded);
    const from = await inspectMedia({ pipeline, signal: never }, source);
    for (const format of ["flac", "wav"] as const) {
      const { path } = await make(format, source);
      expect(await hashOf(path, ...decoded)).toBe(hash);
      expect((await inspectMedia({ pipeline, signal: never }, path)).audio).toMatchObject({
        sampleRateHz: from.audio?.sampleRateHz,
        channelCount: from.audio?.channelCount,
        bitsPerSample: samples === "s24le" ? 24 : 16,
      });
    }
  });
});

it("names the whole size of a FLAC that does not fit, although it is cut off", async () => {
  const source = await sourceOf("noise.wav", "-af", "aloop=2:96000", "-c:a", "pcm_s24le", "-ar", "96000");
  const { sizeBytes } = await make("flac", source);
  await make("flac", source, { ...TIERS.pro, maxFileBytes: sizeBytes });
  // ffmpeg stops a megabyte above the limit.
  const maxFileBytes = Math.round(sizeBytes * 0.1);
  expect(maxFileBytes + 1_000_000).toBeLessThan(sizeBytes);
  const refusal = make("flac", source, { ...TIERS.pro, maxFileBytes });
  await expect(refusal).rejects.toMatchObject({
    code: "too_large",
    reason: { name: "file_too_large", maxBytes: maxFileBytes },
  });
  await expect(refusal).rejects.toSatisfy((error) => {
    const { neededBytes } = (error as { reason: { neededBytes: number } }).reason;
    return Math.abs(neededBytes / sizeBytes - 1) < 0.1;
  });
  expect((await stat(join(folder, `${files}.flac`))).size).toBeLessThan(sizeBytes);
});
