/** Cuts parts out of MP4s between two key frames, and encodes only their edges. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { TIERS } from "../../../common/tiers.ts";
import { ffmpegIn, probedLines, words } from "../../dev/testing/ffmpeg.ts";
import { ofFile } from "../../dev/testing/of-file.ts";
import { CLICKS_FPS, CLICKS_SECONDS } from "../../dev/stand-ins/sample-site/clip-recipes.ts";
import { copyClicksClip } from "../../dev/testing/clicks-clip.ts";
import { readFrameNumbers, readTracks, type Tracks } from "../../dev/testing/click-track.ts";
import { openTestPipeline } from "../../dev/testing/test-pipeline.ts";
import { markCut } from "../part/mark-join.ts";
import { planEncode, type Mp4Plan } from "../plan/encode-plan.ts";
import { inspectMedia, type MediaFile } from "../probe/media-file.ts";
import { verifyResult } from "../verify/verify.ts";
import { makeMp4 } from "./stream-mp4.ts";

const never = new AbortController().signal;
const { ffmpegPath } = inject("toolPaths");

const ffmpeg = (...args: readonly string[]) => ffmpegIn(folder, ...args);

const { pipeline, folder } = await ofFile(openTestPipeline());
beforeAll(async () => {
  await copyClicksClip(join(folder, "clicks.mp4"));
});

interface Made {
  readonly path: string;
  readonly plan: Mp4Plan;
}

let results = 0;

/** @param altered changes how the part is made */
async function makePart(
  names: readonly string[],
  startSeconds: number,
  endSeconds: number,
  altered: (plan: Mp4Plan) => Mp4Plan = (plan) => plan,
): Promise<Made> {
  results += 1;
  const part = { startSeconds, endSeconds };
  const sources: MediaFile[] = [];
  for (const name of names)
    sources.push(await markCut({ pipeline, signal: never }, await mediaOf(join(folder, name)), part));
  const plan = altered(planEncode("mp4", sources, TIERS.pro, part));
  const outputPath = join(folder, `result-${results}.mp4`);
  const work = { limits: TIERS.pro, tags: { title: "A part" }, outputPath, onFraction: () => undefined };
  await makeMp4({ pipeline, signal: never, ...work, plan, sources, coverPath: undefined });
  await verifyResult({ pipeline, signal: never }, outputPath, plan, TIERS.pro);
  return { path: outputPath, plan };
}

interface Packet {
  readonly seconds: number;
  readonly decodeSeconds: number;
  readonly hash: string;
}

/** What was read of files, which do not change, by their paths. */
const knownPackets = new Map<string, Promise<readonly Packet[]>>();
const knownMedia = new Map<string, Promise<MediaFile>>();
const knownTracks = new Map<string, Promise<Tracks>>();

function once<T>(known: Map<string, Promise<T>>, path: string, read: () => Promise<T>): Promise<T> {
  const reading = known.get(path) ?? read();
  known.set(path, reading);
  return reading;
}

const packetsOf = (path: string) => once(knownPackets, path, () => readPackets(path));
const mediaOf = (path: string) => once(knownMedia, path, () => inspectMedia({ pipeline, signal: never }, path));
const tracksOf = (path: string) => once(knownTracks, path, () => readTracks(ffmpegPath, path));

async function readPackets(path: string): Promise<readonly Packet[]> {
  const shown = ["-select_streams", "v:0", "-show_data_hash", "md5"];
  const lines = await probedLines(...shown, "-show_entries", "packet=pts_time,dts_time,data_hash", path);
  return lines.map((line) => {
    const [seconds, decodeSeconds, hash = ""] = line.split(",");
    return { seconds: Number(seconds), decodeSeconds: Number(decodeSeconds), hash };
  });
}

/** @returns frames that were copied and those of the whole picture */
async function countCopied(path: string, source: string): Promise<readonly [copied: number, all: number]> {
  const known = new Set((await packetsOf(join(folder, source))).map(({ hash }) => hash));
  const packets = await packetsOf(path);
  return [packets.filter(({ hash }) => known.has(hash)).length, packets.length];
}

interface Shown {
  readonly number: number;
  readonly seconds: number;
}

/** @returns the frames, whose numbers are known, in the order in which they are shown */
async function readShown(path: string, numbers: readonly number[]): Promise<readonly Shown[]> {
  const times = (await packetsOf(path)).map(({ seconds }) => seconds).toSorted((a, b) => a - b);
  expect(times).toHaveLength(numbers.length);
  return numbers.map((number, index) => ({ number, seconds: times[index] ?? NaN }));
}

/** @returns number of the frame that is shown after seeking to a moment */
async function frameAt(path: string, seconds: number): Promise<number | undefined> {
  const frame = join(folder, "seek.mkv");
  await ffmpeg("-ss", seconds.toFixed(6), "-i", path, "-frames:v", "1", "-an", "-c:v", "rawvideo", frame);
  return (await readFrameNumbers(ffmpegPath, frame))[0];
}

/** A part is counted from the earliest time of a file, which may be that of its sound. */
async function readSource(path: string): Promise<readonly Shown[]> {
  const { startSeconds = 0 } = await mediaOf(path);
  const numbers = await readFrameNumbers(ffmpegPath, path);
  return (await readShown(path, numbers)).map(({ number, seconds }) => ({ number, seconds: seconds - startSeconds }));
}

const shownOfSources = new Map<string, Promise<readonly Shown[]>>();

/** Checks that the picture has exactly the frames of the part, each at its time, and can be played from anywhere. */
async function expectPicture(path: string, source: string, start: number, end: number): Promise<void> {
  const known = shownOfSources.get(source) ?? readSource(join(folder, source));
  shownOfSources.set(source, known);
  const all = await known;
  const first = all.findIndex(({ seconds }) => seconds >= start - 0.001);
  const expected = all.slice(first).filter(({ seconds }) => seconds < end - 0.001);
  const { frames, errors } = await tracksOf(path);
  const shown = await readShown(path, frames);
  expect(shown.map(({ number }) => number)).toEqual(expected.map(({ number }) => number));
  // The first frame is shown from the beginning on.
  const wrong = shown.map(
    ({ seconds }, index) => seconds - (index === 0 ? 0 : (expected[index]?.seconds ?? NaN) - start),
  );
  expect(Math.max(...wrong.map(Math.abs))).toBeLessThan(0.001);
  const packets = await packetsOf(path);
  const decodeTimes = packets.map(({ decodeSeconds }) => decodeSeconds);
  expect(decodeTimes.every((seconds, index) => index === 0 || seconds > (decodeTimes[index - 1] ?? Infinity))).toBe(
    true,
  );
  expect(packets.every(({ seconds, decodeSeconds }) => seconds >= decodeSeconds)).toBe(true);
  expect(errors).toBe("");
}

async function expectSound(path: string, source: string, start: number): Promise<void> {
  const { startSeconds = 0 } = await mediaOf(join(folder, source));
  const { clicks } = await tracksOf(path);
  expect(clicks.length).toBeGreaterThan(0);
  for (const { second, atSeconds } of clicks)
    expect(Math.abs(atSeconds - (second - startSeconds - start))).toBeLessThanOrEqual(1_024 / 48_000);
}

describe("a part that begins or ends between two key frames", () => {
  it.each([
    ["in the middle of frames", 31.375, 47.925],
    ["its end, as it begins with a key frame", 40, 57.35],
    ["its end, as it begins with the video", 0, 17.9],
    ["its beginning, as it would end after the video", 81.15, CLICKS_SECONDS + 50],
    ["a single frame at each edge", 39.95, 50.05],
  ])("is copied apart from %s", async (_, start, plannedEnd) => {
    const { path, plan } = await makePart(["clicks.mp4"], start, plannedEnd);
    const end = Math.min(plannedEnd, CLICKS_SECONDS);
    expect(plan.video.method).toBe("join");
    expect((await mediaOf(path)).durationSeconds).toBeCloseTo(end - start, 1);
    await expectPicture(path, "clicks.mp4", start, end);
    await expectSound(path, "clicks.mp4", start);
    const [copied, all] = await countCopied(path, "clicks.mp4");
    expect(copied).toBeGreaterThan(0.7 * all);
    for (const seconds of [1.03, end - start - 0.08])
      expect(await frameAt(path, seconds)).toBe(Math.ceil((start + seconds) * CLICKS_FPS));
    expect((await readdir(folder)).filter((name) => /edge|picture/.test(name))).toEqual([]);
  });
});

/** The beginning of the clip, encoded anew. */
async function makeSource(name: string, args: string): Promise<string> {
  const file = `${name.replaceAll(/\W+/g, "-")}.mp4`;
  const h264 = words("-c:v libx264 -preset veryfast -sc_threshold 0");
  await ffmpeg(...words("-i clicks.mp4 -t 14"), ...h264, ...words("-c:a copy"), ...words(args), file);
  return file;
}

describe("joins the pieces of a source", () => {
  it.each([
    ["of a film's frame rate", "-vf fps=24000/1001 -g 60"],
    ["of variable frame rate", "-vf select='not(eq(mod(n,7),3)+eq(mod(n,5),2))' -fps_mode vfr -g 50"],
    ["in fragments", "-g 40 -movflags +frag_keyframe+empty_moov+delay_moov"],
    ["of the Baseline profile", "-profile:v baseline -g 40"],
    ["with many references and a pyramid of frames", "-g 40 -bf 6 -refs 9 -x264-params b-pyramid=normal"],
    [
      "with stated colours and shape of pixels, shown upside down",
      "-g 40 -vf setsar=4/3 -metadata:s:v rotate=180 -colorspace bt709 -color_primaries bt709 -color_trc bt709",
    ],
    ["whose picture begins later than its sound", "-g 40 -vf setpts=PTS+0.3/TB"],
  ])("%s", async (name, args) => {
    const source = await makeSource(name, args);
    const { path, plan } = await makePart([source], 3.33, 12.67);
    expect(plan.video.method).toBe("join");
    await expectPicture(path, source, 3.33, 12.67);
    await expectSound(path, source, 3.33);
    const [copied, all] = await countCopied(path, source);
    expect(copied).toBeGreaterThan(0.5 * all);
    const before = await mediaOf(join(folder, source));
    const after = await mediaOf(path);
    expect(after.video).toMatchObject({ colour: before.video?.colour, profile: before.video?.profile });
  });
});

it("joins a picture whose sound is in another file", async () => {
  const fragments = words("-movflags +frag_keyframe+empty_moov+delay_moov");
  await ffmpeg(...words("-i clicks.mp4 -t 20 -an -c copy"), ...fragments, "picture-alone.mp4");
  await ffmpeg("-i", "clicks.mp4", "-t", "20", "-vn", "-c", "copy", "sound.m4a");
  const { path, plan } = await makePart(["picture-alone.mp4", "sound.m4a"], 3.33, 16.17);
  expect(plan.video.method).toBe("join");
  await expectPicture(path, "picture-alone.mp4", 3.33, 16.17);
  await expectSound(path, "sound.m4a", 3.33);
});

describe("plans to encode a part as a whole", () => {
  it.each([
    ["that has no key frame inside", "-g 400", 3.3, 12],
    ["that has too little to copy", "-g 40", 3.3, 5.7],
    ["whose key frames are no borders", "-g 40 -bf 3 -x264-params open-gop=1", 3.3, 12],
    ["that is interlaced", "-g 40 -flags +ildct+ilme", 3.3, 12],
  ] as const)("%s", async (name, args, startSeconds, endSeconds) => {
    const part = { startSeconds, endSeconds };
    const source = await mediaOf(join(folder, await makeSource(name, args)));
    const plan = planEncode("mp4", [await markCut({ pipeline, signal: never }, source, part)], TIERS.pro, part);
    expect(plan.video.method).toBe("encode");
  });
});

it("copies a part that begins exactly on a key frame", async () => {
  const source = await makeSource("without reordered frames", "-g 40 -bf 0");
  const { path, plan } = await makePart([source], 4, 9);
  expect(plan.video.method).toBe("copy");
  await expectPicture(path, source, 4, 9);
  await expectSound(path, source, 4);
});

it("encodes all of a part when an edge has not the frames of the source", async () => {
  const { path } = await makePart(["clicks.mp4"], 31.37, 47.9, (plan) => {
    if (plan.video.method !== "join") throw new TypeError("the part is not joined");
    const { join: known } = plan.video;
    const times = known.span.times.filter((_, index) => index % 10 > 0);
    return { ...plan, video: { ...plan.video, join: { ...known, span: { ...known.span, times } } } };
  });
  expect((await countCopied(path, "clicks.mp4"))[0]).toBe(0);
  expect((await readFrameNumbers(ffmpegPath, path)).length).toBeCloseTo(16.53 * CLICKS_FPS, -1);
});
