/** Compares the Opus that is read from WebM files with what ffmpeg decodes from them, sample by sample. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { ffmpeg } from "../../dev/testing/ffmpeg.ts";
import { testFolder } from "../../dev/testing/test-folder.ts";
import { SourceBytes } from "../aac/source-bytes.ts";
import { GrowingFile } from "../fetch/growing-file.ts";
import { NotPlainOpus, type PlainOpus } from "./plain-opus.ts";
import { describeStream, type OpusGroup } from "./opus-group.ts";
import { elementsIn, type Element } from "../webm/elements.ts";
import { findWebmOpus } from "./webm-opus.ts";

const neverAborted = new AbortController().signal;
const SECONDS = 3.145;
const SOUND = `aevalsrc='0.3*sin(2*PI*t*(300+60*sin(t/3)))+0.1*(random(0)-0.5)|0.2*sin(2*PI*440*t)':s=48000:d=${SECONDS}`;
const PICTURE = "testsrc2=s=64x48:r=5:d=1";
const OPUS = ["-c:a", "libopus", "-b:a", "128k"] as const;

const READ = [
  { name: "stereo", channelCount: 2, args: [] },
  { name: "mono", channelCount: 1, args: ["-ac", "1"] },
  { name: "a file with its cues in front", channelCount: 2, args: ["-cues_to_front", "1"] },
  { name: "a file with other clusters", channelCount: 2, args: ["-cluster_time_limit", "700"] },
] as const;
const NOT_FOUND = [
  { name: "another codec", file: "vorbis.webm", args: ["-c:a", "libvorbis"] },
  { name: "more than two channels", file: "six.webm", args: ["-ac", "6", ...OPUS] },
  { name: "another container", file: "opus.ogg", args: OPUS },
  { name: "a picture beside it", file: "picture.webm", args: ["-map", "1:v", "-c:v", "libvpx", ...OPUS] },
] as const;
const REFUSED = [
  {
    name: "in which each packet depends on many before",
    file: "voice.webm",
    args: ["-ac", "1", "-c:a", "libopus", "-application", "voip", "-b:a", "12k"],
  },
  {
    name: "with packets of another length",
    file: "short.webm",
    args: ["-c:a", "libopus", "-frame_duration", "10", "-b:a", "128k"],
  },
] as const;
const SMALL_CLUSTERS = "small-clusters.webm";

const folder = await testFolder();
const at = (name: string) => join(folder, name);
beforeAll(async () => {
  const files = [
    ...READ.map(({ name, args }) => ({ file: `${name}.webm`, args: [...args, ...OPUS] })),
    ...NOT_FOUND,
    ...REFUSED,
    { file: SMALL_CLUSTERS, args: [...OPUS, "-cluster_time_limit", "1000"] },
  ];
  const outputs = files.flatMap(({ file, args }) => [...args, "-map", "0:a", at(file)]);
  await ffmpeg("-f", "lavfi", "-i", SOUND, "-f", "lavfi", "-i", PICTURE, ...outputs);
});

async function find(path: string): Promise<PlainOpus | undefined> {
  await using bytes = await SourceBytes.open(path, neverAborted);
  return await findWebmOpus(bytes);
}

async function readAll(path: string, plain: PlainOpus | undefined): Promise<OpusGroup[]> {
  await using bytes = await SourceBytes.open(path, neverAborted);
  const groups: OpusGroup[] = [];
  for await (const each of plain?.read(bytes) ?? []) groups.push(each);
  return groups;
}

/** Where one group ends and the next begins depends on how much of the file is there. */
const joined = (groups: readonly OpusGroup[]) => ({
  bytes: Buffer.concat(groups.map(({ bytes }) => bytes)),
  sampleCount: groups.reduce((sum, { sampleCount }) => sum + sampleCount, 0),
});

/** @returns the samples of both files */
async function decode(one: string, other: string): Promise<[Buffer, Buffer]> {
  const outputs = [0, 1].flatMap((input) => ["-map", `${input}:a`, "-f", "f32le", at(`${input}.f32`)]);
  await ffmpeg("-i", one, "-i", other, ...outputs);
  return Promise.all([readFile(at("0.f32")), readFile(at("1.f32"))]);
}

describe.each(READ)("$name", ({ name, channelCount }) => {
  it("is the sound that ffmpeg decodes from the file, to the sample", async () => {
    const path = at(`${name}.webm`);
    const plain = await find(path);
    expect(plain).toMatchObject({ channelCount, skippedSamples: 312, streamIndex: 0 });
    expect(plain?.durationSeconds).toBeCloseTo(SECONDS, 1);
    const groups = await readAll(path, plain);
    const rewritten = at(`${name}-again.webm`);
    const { bytes, sampleCount } = joined(groups);
    await writeFile(rewritten, Buffer.concat([plain?.description ?? Buffer.alloc(0), bytes]));
    const [ours, theirs] = await decode(rewritten, path);
    expect(ours.equals(theirs)).toBe(true);
    expect(sampleCount - 312).toBe(theirs.length / 4 / channelCount);
  });
});

it("is described by elements that end together", () => {
  const description = describeStream(Buffer.alloc(19));
  const partsOf = (whole: Element | undefined) => [
    ...elementsIn(description, whole?.contentStart, whole?.end ?? description.length),
  ];
  const tracks = partsOf(partsOf(undefined).at(-1)).at(-1);
  const entry = partsOf(tracks).at(-1);
  const sound = partsOf(entry).at(-1);
  for (const element of [tracks, entry, sound, partsOf(sound).at(-1)]) expect(element?.end).toBe(description.length);
});

it("is read while the file is fetched", async () => {
  const path = at(SMALL_CLUSTERS);
  const whole = await readFile(path);
  const half = Math.floor(whole.length / 2);
  await using growing = await GrowingFile.create(at("growing.webm"));
  await growing.write(whole.subarray(0, half), 0);
  await using bytes = await SourceBytes.open(growing.path, neverAborted, growing);
  const plain = await findWebmOpus(bytes);
  const groups: OpusGroup[] = [];
  for await (const each of plain?.read(bytes) ?? []) {
    groups.push(each);
    if (groups.length > 1) continue;
    await growing.write(whole.subarray(half), half);
    await growing.complete();
  }
  expect(joined(groups)).toEqual(joined(await readAll(path, plain)));
});

it("ends where a file is cut off", async () => {
  const path = at("stereo.webm");
  const cut = at("cut.webm");
  const whole = await readFile(path);
  await writeFile(cut, whole.subarray(0, whole.length / 2));
  const plain = await find(cut);
  const [all, half] = [await readAll(path, plain), await readAll(cut, plain)];
  expect(half.length).toBeGreaterThan(10);
  expect(half.slice(0, -1)).toEqual(all.slice(0, half.length - 1));
});

it.each(NOT_FOUND)("is not found with $name", async ({ file }) => {
  expect(await find(at(file))).toBeUndefined();
});

it.each(REFUSED)("refuses a stream $name", async ({ file }) => {
  await expect(readAll(at(file), await find(at(file)))).rejects.toThrow(NotPlainOpus);
});
