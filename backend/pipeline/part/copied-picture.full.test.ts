/** Cuts a part out of an MP4 without encoding its picture. */
import { join } from "node:path";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { TIERS } from "../../../common/tiers.ts";
import { ffmpeg } from "../../dev/testing/ffmpeg.ts";
import { ofFile } from "../../dev/testing/of-file.ts";
import { CLICKS_FPS } from "../../dev/stand-ins/sample-site/clip-recipes.ts";
import { copyClicksClip } from "../../dev/testing/clicks-clip.ts";
import { readClicks, readFrameNumbers } from "../../dev/testing/click-track.ts";
import { openTestPipeline } from "../../dev/testing/test-pipeline.ts";
import { makeMp4 } from "../encode/stream-mp4.ts";
import { planEncode, type Mp4Plan } from "../plan/encode-plan.ts";
import { inspectMedia, type MediaFile } from "../probe/media-file.ts";
import { markKeyFrame } from "./key-frame.ts";

const never = new AbortController().signal;
const { ffmpegPath } = inject("toolPaths");
/** With a key frame every two seconds, and with frames that need later ones. */
let reordered: MediaFile;
/** The same without such frames. */
let plain: MediaFile;
const { pipeline, folder } = await ofFile(openTestPipeline());
beforeAll(async () => {
  const clip = join(folder, "reordered.mp4");
  await copyClicksClip(clip);
  const path = join(folder, "plain.mp4");
  const codec = "-c:v libx264 -preset ultrafast -bf 0 -g 40 -sc_threshold 0 -c:a copy".split(" ");
  await ffmpeg("-i", clip, "-t", "10", ...codec, path);
  plain = await inspectMedia({ pipeline, signal: never }, path);
  reordered = await inspectMedia({ pipeline, signal: never }, clip);
});

let results = 0;

async function make(source: MediaFile, plan: Mp4Plan): Promise<string> {
  results += 1;
  const outputPath = join(folder, `result-${results}.mp4`);
  const work = { limits: TIERS.pro, tags: { title: "A part" }, outputPath, onFraction: () => undefined };
  await makeMp4({ pipeline, signal: never, ...work, plan, sources: [source], coverPath: undefined });
  return outputPath;
}

async function planPart(source: MediaFile, startSeconds: number, endSeconds: number): Promise<Mp4Plan> {
  const part = { startSeconds, endSeconds };
  return planEncode("mp4", [await markKeyFrame({ pipeline, signal: never }, source, part)], TIERS.pro, part);
}

describe("a part that begins with a key frame", () => {
  it.each([4.02, 3.98])("has the picture of the source from %d s on", async (start) => {
    const plan = await planPart(plain, start, 9);
    expect([plan.video.method, plan.audio?.method]).toEqual(["copy", "encode"]);
    const path = await make(plain, plan);
    const frames = await readFrameNumbers(ffmpegPath, path);
    expect(frames).toEqual(frames.map((_, index) => 4 * CLICKS_FPS + index));
    expect(Math.abs(frames.length - (9 - start) * CLICKS_FPS)).toBeLessThanOrEqual(1);
    for (const { second, atSeconds } of await readClicks(ffmpegPath, path))
      expect(Math.abs(atSeconds - (second - start))).toBeLessThanOrEqual(0.026);
  });

  it.each([
    ["a frame after it", 4.05],
    ["a frame before it", 3.95],
  ])("is encoded when it begins %s", async (_, start) => {
    expect((await planPart(plain, start, 9)).video.method).toBe("encode");
  });

  it("is encoded when its last frames need later ones, and copied up to the end", async () => {
    expect((await planPart(reordered, 40, 60)).video.method).toBe("encode");
    expect((await planPart(reordered, 40, 100)).video.method).toBe("copy");
  });
});

describe("a part that takes too long to encode", () => {
  const ofLength = (seconds: number, source: MediaFile): MediaFile => ({
    ...source,
    durationSeconds: seconds,
    video: source.video && { ...source.video, widthPixels: 1_920, heightLines: 1_080, durationSeconds: seconds },
    audio: source.audio && { ...source.audio, durationSeconds: seconds },
  });

  it("is copied above ten minutes of work, where the source has an index", () => {
    const methodOf = (seconds: number, container: string): string => {
      const source = { ...ofLength(7_000, reordered), container };
      const part = { startSeconds: 1, endSeconds: 1 + seconds };
      return planEncode("mp4", [source], TIERS.pro, part).video.method;
    };
    expect(methodOf(700, reordered.container)).toBe("encode");
    expect(methodOf(720, reordered.container)).toBe("copy");
    expect(methodOf(720, "mpegts")).toBe("encode");
  });

  it("hides the frames before its beginning", async () => {
    const planned = await planPart(reordered, 31.37, 37.9);
    const video = planned.video.method === "encode" ? planned.video : undefined;
    if (!video) throw new TypeError("the part is not cut between two frames");
    const { source, stream } = video;
    const path = await make(reordered, { ...planned, video: { method: "copy", source, stream } });
    const frames = await readFrameNumbers(ffmpegPath, path);
    expect(frames[0]).toBe(628);
    // The end of a copied picture is exact to three frames.
    expect(Math.abs((frames.at(-1) ?? NaN) + 1 - 37.9 * CLICKS_FPS)).toBeLessThanOrEqual(3);
    for (const { second, atSeconds } of await readClicks(ffmpegPath, path))
      expect(Math.abs(atSeconds - (second - 31.37))).toBeLessThanOrEqual(0.026);
  });
});
