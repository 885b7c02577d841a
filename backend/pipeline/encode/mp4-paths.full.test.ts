/**
 * Tests every way to make an MP4, at its limits. A source is copied with or without its index, joined from two files,
 * or encoded; which one depends on containers, codecs, sizes and on whether the source is still being fetched. The
 * tables cover:
 * - one file, or separate picture and sound, in every container, with 0.1 and 4 s while fetched, and when complete;
 * - files as large as the head that is awaited, one byte smaller and one larger, with the index first and last;
 * - renditions whose estimated size is just small enough for an early start, and just too large;
 * - sources with a picture only, with sound only, with silence, or empty.
 * Copied streams decode to the same frames and samples as the source. Encoded sound is the same, sample by sample, as
 * that of one plain ffmpeg; an encoded picture has as many frames as the source.
 */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { TIERS } from "../../../common/tiers.ts";
import { ffmpegIn, probedLines, words } from "../../dev/testing/ffmpeg.ts";
import { ofFile } from "../../dev/testing/of-file.ts";
import { openTestPipeline } from "../../dev/testing/test-pipeline.ts";
import { testRendition } from "../../dev/testing/test-rendition.ts";
import type { GrowingRendition } from "../fetch/rendition-download.ts";
import { planEncode, type Mp4Plan } from "../plan/encode-plan.ts";
import { GrowingFile } from "../fetch/growing-file.ts";
import { inspectMedia } from "../probe/media-file.ts";
import { HEAD_BYTES } from "./mp4-head.ts";
import { isWholeWithIndexInFront } from "../mp4/layout.ts";
import { makeMp4, makeMp4WhileFetching, SAFE_GUESS_SHARE, SAFE_SIZE_SHARE } from "./stream-mp4.ts";
import { verifyResult } from "../verify/verify.ts";

const never = new AbortController().signal;
const { pipeline, folder } = await ofFile(openTestPipeline());
const ffmpeg = (...args: readonly string[]) => ffmpegIn(folder, ...args);

const FRONT = ["-movflags", "+faststart"] as const;
const FRAGMENTS = ["-movflags", "+frag_keyframe+empty_moov+default_base_moof", "-frag_duration", "1000000"] as const;

/** Makes every container of a clip. @returns the folder they are in */
async function makeClips(seconds: number): Promise<string> {
  const name = `clips-${seconds}`;
  await mkdir(join(folder, name));
  const at = (file: string): string => join(folder, name, file);
  const picture = ["-f", "lavfi", "-i", `testsrc2=size=160x120:rate=25:duration=${seconds}`];
  const sound = [
    "-f",
    "lavfi",
    "-i",
    `aevalsrc='0.3*sin(2*PI*t*(300+60*sin(t/3)))|0.2*sin(2*PI*(440+9*t)*t)':s=48000:d=${seconds}`,
  ];
  // With B-frames: frames are stored in another order than shown, as on most sites.
  const h264 = ["-c:v", "libx264", "-preset", "veryfast", "-bf", "2", "-g", "25", "-pix_fmt", "yuv420p"];
  const webm = ["-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8", "-c:a", "libopus", at("both.webm")];
  await ffmpeg(...picture, ...sound, ...h264, "-c:a", "aac", "-aac_pns", "0", at("last.mp4"), ...webm);
  const outputs: readonly (readonly [file: string, map: string, ...args: string[]])[] = [
    ["front.mp4", "0", ...FRONT],
    ["fragments.mp4", "0", ...FRAGMENTS],
    ["both.ts", "0"],
    ["both.mkv", "0"],
    ["picture.mp4", "0:v", ...FRONT],
    ["picture-fragments.mp4", "0:v", ...FRAGMENTS],
    ["picture-last.mp4", "0:v"],
    ["picture.ts", "0:v"],
    ["sound.m4a", "0:a", ...FRONT],
    ["sound-fragments.m4a", "0:a", ...FRAGMENTS, "-f", "mp4"],
    ["sound.ts", "0:a"],
    ["sound.aac", "0:a"],
    ["picture.webm", "1:v"],
    ["sound.webm", "1:a"],
  ];
  await ffmpeg(
    "-i",
    at("last.mp4"),
    "-i",
    at("both.webm"),
    ...outputs.flatMap(([file, map, ...args]) => ["-map", map, "-c", "copy", ...args, at(file)]),
  );
  return join(folder, name);
}

/** By length in seconds; each is made once. */
const clips = new Map<number, Promise<string>>();
function clipsOf(seconds: number): Promise<string> {
  const making = clips.get(seconds) ?? makeClips(seconds);
  clips.set(seconds, making);
  return making;
}

interface Made {
  readonly path: string;
  readonly plan: Mp4Plan;
  /** The encode started, or the source was recognised as the result, before the sources were complete. */
  readonly isEarly: boolean;
}

let madeCount = 0;

async function makeEarly(paths: readonly string[], seconds: number, outputPath: string): Promise<Mp4Plan | undefined> {
  await using files = new AsyncDisposableStack();
  const growing: (GrowingRendition & { bytes: Buffer })[] = [];
  for (const [index, path] of paths.entries()) {
    const [file, bytes] = await Promise.all([GrowingFile.create(`${outputPath}-${index}`), readFile(path)]);
    files.use(file);
    file.expectedBytes = bytes.length;
    growing.push({ file, rendition: testRendition(), durationSeconds: seconds, bytes });
  }
  const writing = growing.map(async ({ file, bytes }) => {
    for (let at = 0, step = 20_000; at < bytes.length; at += step) await file.write(bytes.subarray(at, at + step), at);
    await file.complete();
  });
  const work = {
    growing,
    siteSeconds: seconds,
    limits: TIERS.free,
    tags: { title: "Made" },
    coverPath: Promise.resolve(undefined),
    outputPath,
    onPlanned: () => undefined,
    onStart: () => undefined,
    onFraction: () => undefined,
  };
  const plan = await makeMp4WhileFetching({ ...work, pipeline, signal: never });
  await Promise.all(writing);
  return plan?.format === "mp4" ? plan : undefined;
}

/** Makes and verifies an MP4 as a conversion does: while the sources are fetched, else from the complete files. */
async function make(paths: readonly string[], seconds: number, isComplete = false): Promise<Made> {
  madeCount += 1;
  const outputPath = join(folder, `made-${madeCount}.mp4`);
  const earlyPlan = isComplete ? undefined : await makeEarly(paths, seconds, outputPath);
  if (earlyPlan) {
    await verifyResult({ pipeline, signal: never }, outputPath, earlyPlan, TIERS.free);
    return { path: outputPath, plan: earlyPlan, isEarly: true };
  }
  const sources = await Promise.all(paths.map((path) => inspectMedia({ pipeline, signal: never }, path)));
  const plan = planEncode("mp4", sources, TIERS.free);
  if (plan.format !== "mp4") throw new TypeError("not an MP4's plan");
  await makeMp4({
    pipeline,
    signal: never,
    plan,
    sources,
    limits: TIERS.free,
    tags: { title: "Made" },
    coverPath: undefined,
    outputPath,
    onFraction: () => undefined,
  });
  await verifyResult({ pipeline, signal: never }, outputPath, plan, TIERS.free);
  return { path: outputPath, plan, isEarly: false };
}

interface Hashes {
  /** Of all decoded frames. */
  readonly picture?: string | undefined;
  /** Of all decoded samples. */
  readonly sound?: string | undefined;
}

async function readHashes(path: string): Promise<Hashes> {
  const streams = ["-map", "0:v:0?", "-map", "0:a:0?"];
  const { stdout } = await ffmpeg("-i", path, ...streams, "-f", "streamhash", "-hash", "sha256", "-");
  const hashOf = (kind: "v" | "a"): string | undefined => new RegExp(`^\\d,${kind},(.+)$`, "m").exec(stdout)?.[1];
  return { picture: hashOf("v"), sound: hashOf("a") };
}

/** Results about sources by what was asked; several tests use the same source, and starting a tool takes longest. */
const known = new Map<string, Promise<unknown>>();
function once<T>(about: string, find: () => Promise<T>): Promise<T> {
  const finding = known.get(about) ?? find();
  known.set(about, finding);
  return finding as Promise<T>;
}

const hashesOf = (source: string): Promise<Hashes> => once(`hashes of ${source}`, () => readHashes(source));

/** @returns the hash of a source's sound after a plain ffmpeg has encoded it */
function encodedSoundOf(source: string, bitrateKbps: number): Promise<string | undefined> {
  const encoded = `${source}-${bitrateKbps}.mp4`;
  return once(encoded, async () => {
    await ffmpeg("-i", source, "-map", "0:a:0", "-c:a", "aac", "-b:a", `${bitrateKbps}k`, encoded);
    return (await readHashes(encoded)).sound;
  });
}

async function frameCountOf(path: string): Promise<number> {
  const counted = ["-select_streams", "v:0", "-count_frames", "-show_entries", "stream=nb_read_frames"];
  return Number.parseInt((await probedLines(...counted, path)).join(), 10);
}

/** @returns what is wrong with the MP4; nothing when all is well */
async function faultsOf(sources: readonly string[], { path, plan: { video, audio } }: Made): Promise<string[]> {
  const [picturePath = "", soundPath = ""] = [video, audio].map((planned) =>
    planned && "source" in planned ? sources[planned.source] : undefined,
  );
  const faults: string[] = [];
  if (!(await isWholeWithIndexInFront(path))) faults.push("the index is not in front");
  const made = await readHashes(path);
  const isCopied = video.method === "copy";
  if (isCopied && (made.picture === undefined || made.picture !== (await hashesOf(picturePath)).picture))
    faults.push("the picture has changed");
  if (
    video.method === "encode" &&
    (await frameCountOf(path)) !== (await once(`frames of ${picturePath}`, () => frameCountOf(picturePath)))
  )
    faults.push("the number of frames has changed");
  if (audio) {
    const isEncoded = audio.method === "encode";
    const expected = isEncoded ? await encodedSoundOf(soundPath, audio.bitrateKbps) : (await hashesOf(soundPath)).sound;
    if (made.sound === undefined || made.sound !== expected) faults.push("the sound has changed");
  }
  return faults;
}

describe.concurrent.each([
  [["front.mp4"]],
  [["last.mp4"]],
  [["fragments.mp4"]],
  [["both.ts"]],
  [["both.mkv"]],
  [["both.webm"]],
  [["picture.mp4", "sound.m4a"]],
  [["picture-last.mp4", "sound.m4a"]],
  [["picture-fragments.mp4", "sound-fragments.m4a"]],
  [["picture.ts", "sound.ts"]],
  [["picture.ts", "sound.aac"]],
  [["picture.mp4", "sound.webm"]],
  [["picture.webm", "sound.m4a"]],
  [["picture.mp4"]],
] as const)("an MP4 from %j", (names) => {
  it.each([0.1, 4])("of %d s, while it is fetched and when it is complete", async (seconds) => {
    const clip = await clipsOf(seconds);
    const sources = names.map((name) => join(clip, name));
    const made = await make(sources, seconds);
    const faults = await faultsOf(sources, made);
    // Where it was not made early, it was made from the complete files.
    if (made.isEarly) faults.push(...(await faultsOf(sources, await make(sources, seconds, true))));
    expect(faults).toEqual([]);
  });
});

describe.concurrent("an MP4 from a file", () => {
  it.each([
    ["front.mp4", -1, true],
    ["front.mp4", 0, true],
    ["front.mp4", 1, true],
    ["last.mp4", -1, false],
    ["last.mp4", 0, false],
    ["last.mp4", 1, false],
  ] as const)("%s with %i bytes more than the awaited head", async (name, more, isEarly) => {
    const clip = await readFile(join(await clipsOf(1), name));
    // An empty box at the end belongs to no track.
    const rest = Buffer.alloc(HEAD_BYTES + more - clip.length);
    rest.writeUInt32BE(rest.length);
    rest.write("free", 4, "latin1");
    const source = join(folder, `padded${more}-${name}`);
    await writeFile(source, Buffer.concat([clip, rest]));
    const made = await make([source], 1);
    expect(await faultsOf([source], made)).toEqual([]);
    expect(made.isEarly).toBe(isEarly);
  });

  it.each([
    ["with sound only", "sound.m4a"],
    ["with sound only in fragments", "sound-fragments.m4a"],
    ["with sound only in WebM", "sound.webm"],
  ])("%s gets a still video", async (_, name) => {
    const source = join(await clipsOf(1), name);
    const made = await make([source], 1);
    expect([made.plan.video.method, made.isEarly]).toEqual(["still", false]);
    expect(await faultsOf([source], made)).toEqual([]);
  });

  it("with silence keeps the silence", async () => {
    const source = join(folder, "silent.mp4");
    const silence = words("-f lavfi -i anullsrc -c:v copy -c:a aac -t 1");
    await ffmpeg("-i", join(await clipsOf(1), "picture.mp4"), ...silence, ...FRONT, source);
    expect(await faultsOf([source], await make([source], 1))).toEqual([]);
  });

  it("that is empty is rejected with unavailable", async () => {
    const source = join(folder, "nothing.mp4");
    await writeFile(source, "");
    await expect(make([source], 1)).rejects.toThrow(expect.objectContaining({ code: "unavailable" }));
  });
});

it.each([
  ["estimated", 0, true],
  ["estimated", 1, false],
  ["guessed", 0, true],
  ["guessed", 1, false],
] as const)("encodes while fetching if the %s size is %i bytes above the safe size: %s", async (by, more, isEarly) => {
  const bytes = await readFile(join(await clipsOf(1), "fragments.mp4"));
  const outputPath = join(folder, `${by}-${more}.mp4`);
  await using file = await GrowingFile.create(`${outputPath}-0`);
  await file.write(bytes, 0);
  await file.complete();
  const share = by === "estimated" ? SAFE_SIZE_SHARE : SAFE_GUESS_SHARE;
  const sizeBytes = share * TIERS.free.maxFileBytes + more;
  if (by === "guessed") file.guessedBytes = sizeBytes;
  const estimated = testRendition({ sizeBytes: by === "estimated" ? sizeBytes : undefined });
  const work = {
    siteSeconds: 1,
    limits: TIERS.free,
    tags: { title: "" },
    coverPath: Promise.resolve(undefined),
    outputPath,
    onPlanned: () => undefined,
    onStart: () => undefined,
    onFraction: () => undefined,
  };
  const plan = await makeMp4WhileFetching({
    pipeline,
    signal: never,
    ...work,
    growing: [{ file, rendition: estimated, durationSeconds: 1 }],
  });
  expect(plan !== undefined).toBe(isEarly);
});
