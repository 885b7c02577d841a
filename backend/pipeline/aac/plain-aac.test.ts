/** Compares the AAC that is read from containers with the output of ffmpeg, byte for byte. */
import { copyFile, readFile, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { ffmpeg } from "../../dev/testing/ffmpeg.ts";
import { testFolder } from "../../dev/testing/test-folder.ts";
import { GrowingFile } from "../fetch/growing-file.ts";
import { NotPlainAac } from "./aac-frames.ts";
import { findPlainAac } from "./find-plain-aac.ts";
import type { PlainAac } from "./plain-aac.ts";
import { SourceBytes } from "./source-bytes.ts";

const neverAborted = new AbortController().signal;
const SECONDS = 5.25;
const PICTURE = ["-f", "lavfi", "-i", `testsrc2=size=160x90:rate=25:duration=${SECONDS}`];
const SOUND = [
  "-f",
  "lavfi",
  "-i",
  `aevalsrc='0.3*sin(2*PI*t*(300+60*sin(t/3)))+0.1*(random(0)-0.5)|0.2*sin(2*PI*440*t)':s=48000:d=${SECONDS}`,
];
/** Files with plain AAC, all from the same encoded picture and sound. */
const PLAIN = [
  {
    name: "an MP4 with its index in front",
    file: "front.mp4",
    args: ["-c", "copy", "-movflags", "+faststart"],
    about: { primingSamples: 1_024, sampleCount: SECONDS * 48_000, streamIndex: 1 },
  },
  {
    name: "an audio-only MP4",
    file: "alone.m4a",
    args: ["-vn", "-c", "copy", "-movflags", "+faststart"],
    about: { primingSamples: 1_024, sampleCount: SECONDS * 48_000, streamIndex: 0 },
  },
  {
    name: "a fragmented MP4",
    file: "fragments.mp4",
    args: ["-c", "copy", "-movflags", "+delay_moov+default_base_moof+frag_keyframe"],
    about: { primingSamples: 1_024, streamIndex: 1 },
  },
  {
    name: "a transport stream",
    file: "stream.ts",
    args: ["-c", "copy", "-f", "mpegts"],
    about: { primingSamples: 0, streamIndex: 1 },
  },
] as const;
/** Files without. */
const OTHERS = [
  { name: "an MP4 with its index at the end", file: "behind.mp4", args: ["-c", "copy"] },
  {
    name: "a sample rate that may be doubled by SBR",
    file: "half.m4a",
    args: ["-vn", "-ar", "24000", "-c:a", "aac", "-movflags", "+faststart"],
  },
  { name: "six channels", file: "six.m4a", args: ["-vn", "-ac", "6", "-c:a", "aac", "-movflags", "+faststart"] },
  { name: "another codec", file: "opus.mp4", args: ["-vn", "-c:a", "libopus", "-movflags", "+faststart"] },
  { name: "another codec in a transport stream", file: "mp2.ts", args: ["-vn", "-c:a", "mp2"] },
  {
    name: "sound that begins late",
    file: "late.mp4",
    args: ["-vn", "-c", "copy", "-output_ts_offset", "1", "-movflags", "+faststart"],
  },
  { name: "another container", file: "sound.mkv", args: ["-c", "copy"] },
] as const;
const folder = await testFolder();
beforeAll(async () => {
  const both = join(folder, "both.mp4");
  await ffmpeg(...PICTURE, ...SOUND, "-c:v", "mpeg4", "-c:a", "aac", "-b:a", "128k", both);
  await ffmpeg("-i", both, ...[...PLAIN, ...OTHERS].flatMap(({ file, args }) => [...args, join(folder, file)]));
});

async function find(path: string): Promise<PlainAac | undefined> {
  await using bytes = await SourceBytes.open(path, neverAborted);
  return await findPlainAac(bytes);
}

async function readAll(path: string, plain: PlainAac | undefined, growth?: GrowingFile): Promise<Buffer> {
  await using bytes = await SourceBytes.open(path, neverAborted, growth);
  const parts: Buffer[] = [];
  for await (const part of plain?.read(bytes) ?? []) parts.push(part);
  return Buffer.concat(parts);
}

async function extractWithFfmpeg(path: string): Promise<Buffer> {
  const output = `${path}.aac`;
  await ffmpeg("-i", path, "-map", "0:a:0", "-c", "copy", "-f", "adts", output);
  return readFile(output);
}

describe.each(PLAIN)("$name", ({ file, about }) => {
  const pathOf = () => join(folder, file);

  it("yields the same bytes as ffmpeg", async () => {
    const path = pathOf();
    const plain = await find(path);
    expect(plain).toMatchObject({ sampleRateHz: 48_000, channelCount: 2, ...about });
    const ours = await readAll(path, plain);
    const theirs = await extractWithFfmpeg(path);
    expect(ours.length).toBeGreaterThan(50_000);
    expect(ours.equals(theirs)).toBe(true);
  });

  it("can be read while the file grows in steps of any size", async () => {
    const path = pathOf();
    const whole = await readFile(path);
    await using growing = await GrowingFile.create(join(folder, `arriving-${file}`));
    const arriving = (async () => {
      for (let at = 0, step = 1; at < whole.length; at += step, step = (step * 7) % 30_011)
        await growing.write(whole.subarray(at, at + step), at);
      await growing.complete();
    })();
    await using bytes = await SourceBytes.open(growing.path, neverAborted, growing);
    const plain = await findPlainAac(bytes);
    const ours = await readAll(growing.path, plain, growing);
    await arriving;
    expect(ours.equals(await readAll(path, plain))).toBe(true);
    expect(ours.length).toBeGreaterThan(50_000);
  });
});

it.each(OTHERS)("does not find plain AAC in $name", async ({ file }) => {
  expect(await find(join(folder, file))).toBeUndefined();
});

it("does not find plain AAC in an MP4 with a truncated index", async () => {
  const path = join(folder, "broken.mp4");
  await copyFile(join(folder, "front.mp4"), path);
  await truncate(path, 1_000);
  expect(await find(path)).toBeUndefined();
});

it("throws NotPlainAac when packets of a transport stream are damaged", async () => {
  const path = join(folder, "torn.ts");
  await copyFile(join(folder, "stream.ts"), path);
  const plain = await find(path);
  const bytes = await readFile(path);
  await writeFile(path, Buffer.concat([bytes.subarray(0, 60_000), bytes.subarray(60_050)]));
  await expect(readAll(path, plain)).rejects.toThrow(NotPlainAac);
});
