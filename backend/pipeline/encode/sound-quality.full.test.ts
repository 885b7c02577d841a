/** Checks that encoded sound keeps its loudness, length, start and number of channels. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { lavfi, words } from "../../dev/testing/ffmpeg.ts";
import { ofFile } from "../../dev/testing/of-file.ts";
import { openTestPipeline } from "../../dev/testing/test-pipeline.ts";
import { TIERS } from "../../../common/tiers.ts";
import { CoreShare } from "../process/core-share.ts";
import { planEncode } from "../plan/encode-plan.ts";
import { inspectMedia, type MediaFile } from "../probe/media-file.ts";
import { makeMp3 } from "./stream-mp3.ts";
import { makeMp4 } from "./stream-mp4.ts";

const run = promisify(execFile);
const never = new AbortController().signal;
const { pipeline, folder } = await ofFile(openTestPipeline());

const ffmpeg = (...args: string[]) =>
  run(pipeline.tools.ffmpegPath, ["-v", "error", "-nostdin", "-y", ...args], {
    encoding: "buffer",
    maxBuffer: 64_000_000,
  });

const SECONDS = 3;
const FRAMES_PER_SECOND = 25;
const HZ = 48_000;
const PICTURE = ["-f", "lavfi", "-i", `testsrc2=size=160x120:rate=${FRAMES_PER_SECOND}:duration=${SECONDS}`] as const;

/**
 * Makes a source with uncompressed sound and a picture that has to be encoded.
 * @param channels an `aevalsrc` expression for each channel
 */
async function makeSource(name: string, channels: readonly string[], layout: string): Promise<MediaFile> {
  const path = join(folder, `${name}.mkv`);
  const sound = lavfi(`aevalsrc='${channels.join("|")}':s=${HZ}:d=${SECONDS}:c=${layout}`);
  await ffmpeg(...PICTURE, ...sound, ...words("-c:v libvpx -deadline realtime -c:a pcm_f32le"), path);
  return inspectMedia({ pipeline, signal: never }, path);
}

type Made = "mp3" | "mp3-on-three-cores" | "mp4";

async function make(source: MediaFile, name: string, what: Made): Promise<MediaFile> {
  const outputPath = join(folder, `${name}.${what}`);
  const plan = planEncode(what === "mp4" ? "mp4" : "mp3", [source], TIERS.pro);
  const work = { limits: TIERS.pro, tags: { title: name }, outputPath, onFraction: () => undefined };
  const bounded = { ...pipeline, cores: new CoreShare(what === "mp3-on-three-cores" ? 3 : 1) };
  if (plan.format === "mp3")
    await makeMp3({ pipeline: bounded, signal: never, ...work, plan, source, coverPath: Promise.resolve(undefined) });
  else await makeMp4({ pipeline: bounded, signal: never, ...work, plan, sources: [source], coverPath: undefined });
  return inspectMedia({ pipeline, signal: never }, outputPath);
}

/** @returns the filtered sound, as interleaved samples */
async function decode(path: string, filter = "anull"): Promise<Float32Array> {
  const decoded = words("-c:a pcm_f32le -f f32le pipe:1");
  const { stdout } = await ffmpeg("-i", path, "-map", "0:a:0", "-af", filter, ...decoded);
  return new Float32Array(stdout.buffer.slice(stdout.byteOffset, stdout.byteOffset + stdout.byteLength));
}

/** @returns integrated loudness of the filtered sound, in LUFS (EBU R 128) */
async function loudness(path: string, filter = "anull"): Promise<number> {
  const measured = ["-map", "0:a:0", "-af", `${filter},ebur128=framelog=verbose`, "-f", "null", "-"];
  const { stderr } = await run(pipeline.tools.ffmpegPath, ["-nostdin", "-hide_banner", "-i", path, ...measured]);
  return Number(/Integrated loudness:\s+I:\s+(-?[\d.]+) LUFS/.exec(stderr)?.[1]);
}

const peakOf = (samples: Float32Array): number => samples.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0);

/** @returns the shift of `later` against `reference` at which both are most alike, within 1,200 samples */
function lag(reference: Float32Array, later: Float32Array): number {
  const from = 24_000;
  const length = 3_000;
  const maxShift = 1_200;
  let best = { shift: NaN, likeness: -Infinity };
  for (let shift = -maxShift; shift <= maxShift; shift += 1) {
    let likeness = 0;
    for (let at = from; at < from + length; at += 1) likeness += (reference[at] ?? 0) * (later[at + shift] ?? 0);
    if (likeness > best.likeness) best = { shift, likeness };
  }
  return best.shift;
}

/** Never repeats, so that two copies of it match at one shift only. */
const SOUND = "0.02*(random(0)-0.5)+0.2*sin(2*PI*(300+200*t)*t)";
const KINDS = ["mp3", "mp3-on-three-cores", "mp4"] as const;

describe.concurrent.each([
  ["mono", [SOUND], "mono", 1, ["mp3", "mp4"]],
  ["stereo", [SOUND, `0.8*(${SOUND})`], "stereo", 2, KINDS],
] as const)("%s sound", (name, channels, layout, channelCount, kinds) => {
  let source: Promise<MediaFile>;
  beforeAll(() => {
    source = makeSource(name, channels, layout);
  });

  it.each(kinds)("keeps channels, loudness, length and start as %s", async (what) => {
    const before = await source;
    const after = await make(before, name, what);
    expect(after.audio?.channelCount).toBe(channelCount);
    expect(Math.abs((await loudness(after.path)) - (await loudness(before.path)))).toBeLessThan(1);
    const reference = await decode(before.path, "aformat=channel_layouts=mono");
    const encoded = await decode(after.path, "aformat=channel_layouts=mono");
    expect(lag(reference, encoded)).toBe(0);
    expect(Math.abs(encoded.length / HZ - SECONDS)).toBeLessThanOrEqual(1 / FRAMES_PER_SECOND);
    expect(Math.abs((after.durationSeconds ?? 0) - SECONDS)).toBeLessThanOrEqual(
      what === "mp4" ? 1 / FRAMES_PER_SECOND : 1_152 / HZ + 0.03,
    );
  });
});

describe.concurrent("surround sound", () => {
  /** The mix for two speakers by ITU-R BS.775, in float, so that nothing is clipped. */
  const DOWNMIX = "pan=stereo|FL=FL+0.707*FC+0.707*BL|FR=FR+0.707*FC+0.707*BR";
  /** Mostly quiet. For a moment the sum of all channels is far above full scale. */
  const CHANNELS = ["FL", "FR", "FC", "LFE", "BL", "BR"].map(
    (_, index) => `(0.2+0.4*between(t,1,1.01))*sin(2*PI*(300+200*t)*t)+0.02*(random(${index})-0.5)`,
  );
  let source: Promise<MediaFile>;
  beforeAll(() => {
    source = makeSource("surround", CHANNELS, "5.1");
  });

  it.each(KINDS)("is mixed down to two channels at the right loudness and without clipping, as %s", async (what) => {
    const before = await source;
    const after = await make(before, "surround", what);
    expect(peakOf(await decode(before.path, DOWNMIX))).toBeGreaterThan(1.3);
    expect(after.audio?.channelCount).toBe(2);
    expect(peakOf(await decode(after.path))).toBeLessThanOrEqual(1);
    expect(Math.abs((await loudness(after.path)) - (await loudness(before.path, DOWNMIX)))).toBeLessThan(1);
    const mono = "aformat=channel_layouts=mono";
    expect(lag(await decode(before.path, `${DOWNMIX},${mono}`), await decode(after.path, mono))).toBe(0);
  });
});

it("rejects an MP3 of a source without sound with unavailable", async () => {
  const path = join(folder, "silent.mkv");
  await ffmpeg(...PICTURE, "-c:v", "libvpx", "-deadline", "realtime", path);
  const source = await inspectMedia({ pipeline, signal: never }, path);
  expect(() => planEncode("mp3", [source], TIERS.free)).toThrow(
    expect.objectContaining({ code: "unavailable", message: "This video has no sound to make an MP3 from." }),
  );
});
