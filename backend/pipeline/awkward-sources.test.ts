/** Sources as cameras and old discs make them, through the real encoder: they look and sound as they were meant to. */
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { TIERS } from "../../common/tiers.ts";
import { startEgressGuard } from "./egress-guard.ts";
import { runEncode } from "./encode.ts";
import { planEncode } from "./encode-plan.ts";
import { inspectMedia } from "./media-file.ts";
import { DEFAULT_PIPELINE_LIMITS, type Pipeline } from "./pipeline.ts";

const run = promisify(execFile);
const never = new AbortController().signal;
let folder: string;
let pipeline: Pipeline;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "awkward-"));
  pipeline = { tools: { ...inject("toolPaths"), nodePath: process.execPath }, guard: await startEgressGuard({ allow: [] }), videoHosts: [], limits: DEFAULT_PIPELINE_LIMITS };
});
afterAll(async () => {
  await pipeline.guard.stop();
  await rm(folder, { recursive: true });
});

const ffmpeg = (...args: string[]) => run(pipeline.tools.ffmpegPath, ["-v", "error", "-nostdin", "-y", ...args]);

/** Makes a source, then an MP4 of it as the free plan gets it; what ffprobe says of that. */
async function convert(name: string, ...sourceArgs: string[]): Promise<Record<string, unknown>> {
  const [source, outputPath] = [join(folder, `${name}.mkv`), join(folder, `${name}.mp4`)];
  await ffmpeg(...sourceArgs, source);
  const media = await inspectMedia(pipeline, source, never);
  const plan = planEncode("mp4", [media], TIERS.free);
  await runEncode(pipeline, { plan, sources: [media], tags: { title: name }, coverPath: undefined, outputPath, maxFileBytes: TIERS.free.maxFileBytes }, () => undefined, never);
  const { stdout } = await run(pipeline.tools.ffprobePath, ["-v", "error", "-select_streams", "v:0", "-show_streams", "-print_format", "json", outputPath]);
  const [stream] = (JSON.parse(stdout) as { streams: Record<string, unknown>[] }).streams;
  return stream ?? {};
}

const VP9 = ["-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8"] as const;
const picture = (size: string, more = "") => ["-f", "lavfi", "-i", `testsrc2=size=${size}:rate=25:duration=1${more}`];

it("shows pixels that are not square in their true shape", async () => {
  // A disc's picture: 720 by 576, shown as 16 to 9.
  expect(await convert("anamorphic", ...picture("720x576"), "-vf", "setsar=64/45", ...VP9)).toMatchObject({ width: 854, height: 480, sample_aspect_ratio: "1:1" });
});

it("makes odd sizes even", async () => {
  expect(await convert("odd", ...picture("321x241"), "-pix_fmt", "yuv444p", ...VP9)).toMatchObject({ width: 320, height: 240, pix_fmt: "yuv420p" });
});

it("is what old phones play, whatever it was", async () => {
  const stream = await convert("fields", ...picture("1280x720"), "-pix_fmt", "yuv444p", ...VP9);
  expect(stream).toMatchObject({ codec_name: "h264", profile: "High", pix_fmt: "yuv420p", width: 854, height: 480 });
  expect(Number(stream["level"])).toBeLessThanOrEqual(31);
});

it("brings high brightness within what ordinary screens show", async () => {
  const hdr = ["-vf", "format=yuv420p10le,setparams=color_primaries=bt2020:color_trc=smpte2084:colorspace=bt2020nc", "-color_primaries", "bt2020", "-color_trc", "smpte2084", "-colorspace", "bt2020nc"];
  const stream = await convert("hdr", ...picture("640x360"), ...hdr, ...VP9, "-profile:v", "2", "-pix_fmt", "yuv420p10le");
  expect(stream).toMatchObject({ pix_fmt: "yuv420p", color_transfer: "bt709", color_primaries: "bt709", color_space: "bt709" });
});

it("keeps the time of frames that come when they like", async () => {
  const stream = await convert("vfr", ...picture("320x240"), "-vf", "setpts='if(lt(N,12),N,N*2)/(25*TB)'", "-vsync", "vfr", ...VP9);
  expect(Number(stream["duration"])).toBeCloseTo(1.96, 0);
});
