/** Encodes unusual sources, such as those of cameras and DVDs, and checks that the result is shown as intended. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { ffmpeg, probed, words } from "../../dev/testing/ffmpeg.ts";
import { ofFile } from "../../dev/testing/of-file.ts";
import { openTestPipeline } from "../../dev/testing/test-pipeline.ts";
import { TIERS } from "../../../common/tiers.ts";
import { runEncode } from "./encode.ts";
import { planEncode } from "../plan/encode-plan.ts";
import { inShownRatio, inspectMedia, type MediaFile } from "../probe/media-file.ts";
import { isWholeWithIndexInFront } from "../mp4/layout.ts";

const run = promisify(execFile);
const never = new AbortController().signal;
const { pipeline, folder } = await ofFile(openTestPipeline());

interface Case {
  readonly name: string;
  readonly tier: "free" | "pro";
}

/**
 * Makes a source, then an MP4 from it, for the free tier unless stated.
 * @returns the video stream of the MP4, as ffprobe prints it
 */
async function convert(about: string | Case, ...sourceArgs: string[]): Promise<Record<string, unknown>> {
  const { name, tier } = typeof about === "string" ? { name: about, tier: "free" as const } : about;
  const source = join(folder, `${name}.mkv`);
  await ffmpeg(...sourceArgs, source);
  return make({ name, tier }, await inspectMedia({ pipeline, signal: never }, source));
}

async function make({ name, tier }: Case, media: MediaFile, coverPath?: string): Promise<Record<string, unknown>> {
  const outputPath = join(folder, `${name}.mp4`);
  const plan = planEncode("mp4", [media], TIERS[tier]);
  await runEncode(
    { pipeline, signal: never },
    { plan, sources: [media], tags: { title: name }, coverPath, outputPath, maxFileBytes: TIERS[tier].maxFileBytes },
    () => undefined,
  );
  const shown = ["-select_streams", "v:0", "-show_streams", outputPath];
  const [stream] = (await probed<{ streams: Record<string, unknown>[] }>(...shown)).streams;
  return stream ?? {};
}

const VP9 = ["-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8"] as const;
const picture = (size: string, more = "", seconds = 0.4) => [
  "-f",
  "lavfi",
  "-i",
  `testsrc2=size=${size}:rate=25:duration=${seconds}${more}`,
];

it("keeps the frame size when pixels are almost square", async () => {
  expect(await convert("nearly-square", ...picture("854x480"), "-vf", "setsar=853/854", ...VP9)).toMatchObject({
    width: 854,
    height: 480,
    sample_aspect_ratio: "1:1",
  });
});

it("scales a video with non-square pixels to its display shape", async () => {
  // A DVD's frame: 720 by 576 pixels, shown as 16:9.
  expect(await convert("anamorphic", ...picture("720x576"), "-vf", "setsar=64/45", ...VP9)).toMatchObject({
    width: 854,
    height: 480,
    sample_aspect_ratio: "1:1",
  });
});

it("keeps the shape of a very wide picture, with fewer lines", async () => {
  expect(await convert("panorama", ...picture("1280x128"), ...VP9)).toMatchObject({ width: 512, height: 52 });
});

it.each([
  ["wide", "100/1", { width: 480, height: 4 }],
  ["tall", "1/1000", { width: 2, height: 120 }],
])("makes no huge picture of a small one whose pixels are said to be %s", async (name, sar, size) => {
  const source = picture("160x120");
  expect(await convert(`pixels-${name}`, ...source, "-vf", `setsar=sar=${sar}:max=1000`, ...VP9)).toMatchObject(size);
});

it("encodes little more than the stated length of a source that is longer", async () => {
  const path = join(folder, "longer.mkv");
  await ffmpeg(...picture("160x120", "", 20), "-c:v", "mpeg4", path);
  const media = await inspectMedia({ pipeline, signal: never }, path);
  const video = media.video && { ...media.video, durationSeconds: 4 };
  const made = await make({ name: "longer", tier: "free" }, { ...media, durationSeconds: 4, video });
  expect(Math.abs(Number(made["duration"]) - 9)).toBeLessThan(0.2);
});

it("rounds odd frame sizes to even ones", async () => {
  expect(await convert("odd", ...picture("321x241"), "-pix_fmt", "yuv444p", ...VP9)).toMatchObject({
    width: 320,
    height: 240,
    pix_fmt: "yuv420p",
  });
});

it.each([
  ["free", 480, 854, 31],
  ["pro", 1_080, 1_920, 42],
] as const)(
  "encodes H.264 High, 4:2:0, within the level of old phones: %s, %i lines",
  async (tier, height, width, mostLevel) => {
    const stream = await convert(
      { name: `fields-${height}`, tier },
      ...picture("1920x1080"),
      "-pix_fmt",
      "yuv444p",
      ...VP9,
    );
    expect(stream).toMatchObject({ codec_name: "h264", profile: "High", pix_fmt: "yuv420p", width, height });
    expect(Number(stream["level"])).toBeLessThanOrEqual(mostLevel);
    expect(await isWholeWithIndexInFront(join(folder, `fields-${height}.mp4`))).toBe(true);
  },
);

it("shows a rotated video upright, whether it is copied or encoded", async () => {
  // A phone stores the frames as its sensor sees them, and how to rotate them.
  const upright = join(folder, "lying.mp4");
  await ffmpeg(...picture("640x360"), "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", upright);
  const turned = ["-display_rotation:v:0", "90"];
  // An older ffmpeg writes the rotation as a tag.
  await ffmpeg(...turned, "-i", upright, "-c", "copy", join(folder, "turned.mp4")).catch(() =>
    ffmpeg("-i", upright, "-c", "copy", "-metadata:s:v:0", "rotate=270", join(folder, "turned.mp4")),
  );
  const source = await inspectMedia({ pipeline, signal: never }, join(folder, "turned.mp4"));
  expect(source.video).toMatchObject({ isRotated: true, widthPixels: 640, heightLines: 360 });

  const copied = await make({ name: "turned-copied", tier: "free" }, source);
  expect(copied).toMatchObject({
    width: 640,
    height: 360,
    side_data_list: [expect.objectContaining({ rotation: expect.anything() as unknown })],
  });
  const { video } = source;
  const encoded = await make(
    { name: "turned-encoded", tier: "free" },
    { ...source, video: video && { ...video, profile: "High 4:4:4 Predictive" } },
  );
  expect(encoded).toMatchObject({ width: 360, height: 640, sample_aspect_ratio: "1:1" });
  expect(encoded).not.toHaveProperty("side_data_list");
});

it("shows a stretched video in the shape that its site states", async () => {
  const path = join(folder, "stretched.mp4");
  await ffmpeg(...picture("640x360"), "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", path);
  const media = inShownRatio(await inspectMedia({ pipeline, signal: never }, path), { shownRatio: 4 / 3 });
  expect(await make({ name: "stretched-shown", tier: "free" }, media)).toMatchObject({
    width: 480,
    height: 360,
    sample_aspect_ratio: "1:1",
  });
});

it("shows the cover as a still video for a source with sound only", async () => {
  const cover = join(folder, "cover.jpg");
  await ffmpeg("-f", "lavfi", "-i", "color=c=red:size=640x360:d=1", "-frames:v", "1", cover);
  await ffmpeg("-f", "lavfi", "-i", "sine=duration=2", join(folder, "sound.m4a"));
  const source = await inspectMedia({ pipeline, signal: never }, join(folder, "sound.m4a"));
  expect(await make({ name: "cover", tier: "free" }, source, cover)).toMatchObject({
    codec_name: "h264",
    pix_fmt: "yuv420p",
    width: 640,
    height: 360,
  });
  const made = await inspectMedia({ pipeline, signal: never }, join(folder, "cover.mp4"));
  expect(made.durationSeconds).toBeCloseTo(2, 1);
  const { stdout } = await run(
    pipeline.tools.ffmpegPath,
    ["-v", "error", "-i", made.path, "-vf", "scale=1:1,format=rgb24", "-frames:v", "1", "-f", "rawvideo", "-"],
    { encoding: "buffer" },
  );
  const [red = 0, green = 255, blue = 255] = stdout;
  expect(red).toBeGreaterThan(200);
  expect(Math.max(green, blue)).toBeLessThan(40);
});

it("maps HDR to SDR", async () => {
  const hdr = [
    ...words("-vf format=yuv420p10le,setparams=color_primaries=bt2020:color_trc=smpte2084:colorspace=bt2020nc"),
    ...words("-color_primaries bt2020 -color_trc smpte2084 -colorspace bt2020nc"),
  ];
  const tenBits = words("-profile:v 2 -pix_fmt yuv420p10le");
  const stream = await convert("hdr", ...picture("640x360"), ...hdr, ...VP9, ...tenBits);
  expect(stream).toMatchObject({
    pix_fmt: "yuv420p",
    color_transfer: "bt709",
    color_primaries: "bt709",
    color_space: "bt709",
  });
});

it("keeps the duration of a video with a variable frame rate", async () => {
  const changing = words("-vf setpts='if(lt(N,12),N,N*2)/(25*TB)' -vsync vfr");
  const stream = await convert("vfr", ...picture("320x240", "", 1), ...changing, ...VP9);
  expect(Number(stream["duration"])).toBeCloseTo(1.96, 0);
});
