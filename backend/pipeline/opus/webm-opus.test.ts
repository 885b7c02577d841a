/** Compares the Opus that is read from WebM files with what ffmpeg decodes from them, sample by sample. */
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { SourceBytes } from "../aac/source-bytes.ts";
import { GrowingFile } from "../fetch/growing-file.ts";
import { NotPlainOpus, type PlainOpus } from "./plain-opus.ts";
import type { OpusRun } from "./opus-run.ts";
import { findWebmOpus } from "./webm-opus.ts";

const run = promisify(execFile);
const neverAborted = new AbortController().signal;
const SOUND = "aevalsrc='0.3*sin(2*PI*t*(300+60*sin(t/3)))+0.1*(random(0)-0.5)|0.2*sin(2*PI*440*t)':s=48000:d=6.345";
const { ffmpegPath } = inject("toolPaths");
const ffmpeg = (...args: string[]) => run(ffmpegPath, ["-v", "error", "-nostdin", "-y", ...args]);
let folder: string;
/** Each file is encoded from it. */
let sound: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "opus-"));
  sound = join(folder, "sound.wav");
  await ffmpeg("-f", "lavfi", "-i", SOUND, sound);
});
afterAll(() => rm(folder, { recursive: true }));

async function make(name: string, ...args: string[]): Promise<string> {
  const path = join(folder, name);
  await ffmpeg("-i", sound, ...args, path);
  return path;
}

async function find(path: string): Promise<PlainOpus | undefined> {
  await using bytes = await SourceBytes.open(path, neverAborted);
  return await findWebmOpus(bytes);
}

async function readAll(path: string, plain: PlainOpus | undefined): Promise<OpusRun[]> {
  await using bytes = await SourceBytes.open(path, neverAborted);
  const runs: OpusRun[] = [];
  for await (const each of plain?.read(bytes) ?? []) runs.push(each);
  return runs;
}

/** Where one run ends and the next begins depends on how much of the file is there. */
const joined = (runs: readonly OpusRun[]) => ({
  bytes: Buffer.concat(runs.map(({ bytes }) => bytes)),
  sampleCount: runs.reduce((sum, { sampleCount }) => sum + sampleCount, 0),
});

async function decode(path: string): Promise<Buffer> {
  const output = `${path}.f32`;
  await ffmpeg("-i", path, "-f", "f32le", output);
  return readFile(output);
}

const OPUS = ["-c:a", "libopus", "-b:a", "128k"] as const;

describe.each([
  ["stereo", 2, []],
  ["mono", 1, ["-ac", "1"]],
  ["a file with its cues in front", 2, ["-cues_to_front", "1"]],
  ["a file with other clusters", 2, ["-cluster_time_limit", "700"]],
] as const)("%s", (name, channelCount, args) => {
  it("is the sound that ffmpeg decodes from the file, to the sample", async () => {
    const path = await make(`${name}.webm`, ...args, ...OPUS);
    const plain = await find(path);
    expect(plain).toMatchObject({ channelCount, skippedSamples: 312, streamIndex: 0 });
    expect(plain?.durationSeconds).toBeCloseTo(6.345, 1);
    const runs = await readAll(path, plain);
    const rewritten = join(folder, `${name}-again.webm`);
    const { bytes, sampleCount } = joined(runs);
    await writeFile(rewritten, Buffer.concat([plain?.description ?? Buffer.alloc(0), bytes]));
    const [ours, theirs] = await Promise.all([decode(rewritten), decode(path)]);
    expect(ours.equals(theirs)).toBe(true);
    expect(sampleCount - 312).toBe(theirs.length / 4 / channelCount);
  });
});

it("is read while the file is fetched", async () => {
  const path = await make("growing-source.webm", ...OPUS, "-cluster_time_limit", "1000");
  const whole = await readFile(path);
  await using growing = await GrowingFile.create(join(folder, "growing.webm"));
  await growing.write(whole.subarray(0, whole.length / 2), 0);
  await using bytes = await SourceBytes.open(growing.path, neverAborted, growing);
  const plain = await findWebmOpus(bytes);
  const runs: OpusRun[] = [];
  for await (const each of plain?.read(bytes) ?? []) {
    runs.push(each);
    if (runs.length > 1) continue;
    await growing.write(whole.subarray(whole.length / 2), whole.length / 2);
    await growing.complete();
  }
  expect(joined(runs)).toEqual(joined(await readAll(path, plain)));
});

it("ends where a file is cut off", async () => {
  const path = await make("whole.webm", ...OPUS);
  const cut = join(folder, "cut.webm");
  const whole = await readFile(path);
  await writeFile(cut, whole.subarray(0, whole.length / 2));
  const plain = await find(cut);
  const [all, half] = [await readAll(path, plain), await readAll(cut, plain)];
  expect(half.length).toBeGreaterThan(10);
  expect(half.slice(0, -1)).toEqual(all.slice(0, half.length - 1));
});

it.each([
  ["another codec", "vorbis.webm", ["-c:a", "libvorbis"]],
  ["more than two channels", "six.webm", ["-ac", "6", ...OPUS]],
  ["another container", "opus.ogg", [...OPUS]],
  ["a picture beside it", "picture.webm", ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=5:d=1", "-c:v", "libvpx", ...OPUS]],
])("is not found with %s", async (_, name, args) => {
  expect(await find(await make(name, ...args))).toBeUndefined();
});

it.each([
  ["in which each packet depends on many before", "voice.webm", ["-ac", "1", "-application", "voip", "-b:a", "12k"]],
  ["with packets of another length", "short.webm", ["-frame_duration", "10", "-b:a", "128k"]],
])("refuses a stream %s", async (_, name, args) => {
  const path = await make(name, "-c:a", "libopus", ...args);
  await expect(readAll(path, await find(path))).rejects.toThrow(NotPlainOpus);
});
