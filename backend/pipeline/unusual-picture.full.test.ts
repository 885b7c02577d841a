/** Converts pictures as phones, cameras and sites make them, from a page to the result. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { TIERS } from "../../common/tiers.ts";
import { H264, lavfi, probedLines } from "../dev/testing/ffmpeg.ts";
import { ofFile } from "../dev/testing/of-file.ts";
import { folderPipeline, type FileConversion } from "../dev/testing/folder-pipeline.ts";
import type { MadeFile } from "../dev/testing/told-findings.ts";
import type { Found } from "./conversion.ts";
import { inspectMedia, type VideoStream } from "./probe/media-file.ts";

const site = await ofFile(folderPipeline());
const { ffmpeg } = site;

const testPicture = (size: string, seconds = 1, rate = 25): string[] =>
  lavfi(`testsrc2=s=${size}:r=${rate}:d=${seconds}`);

/** @returns the sizes that the frames of an MP4 state */
async function sizesIn(path: string): Promise<Set<string>> {
  const lines = await probedLines(..."-select_streams v:0 -show_entries frame=width,height".split(" "), path);
  return new Set(lines.flatMap((line) => /^\d+,\d+/.exec(line)?.[0] ?? []));
}

interface Shown {
  readonly file: MadeFile;
  readonly video: VideoStream | undefined;
}

/** @returns an MP4 and its picture */
async function shown(conversion: Omit<FileConversion, "format">): Promise<Shown> {
  let video: VideoStream | undefined;
  const check = async ({ path }: MadeFile): Promise<void> => {
    ({ video } = await inspectMedia({ pipeline: site.pipeline, signal: new AbortController().signal }, path));
  };
  const file = await site.convert({ ...conversion, format: "mp4", check });
  return { file, video };
}

it("names the size of a portrait by its width, as sites do", async () => {
  await ffmpeg(...testPicture("1080x1920"), ...H264, "short.mp4");
  const free = await shown({ file: "short.mp4" });
  expect(free.video).toMatchObject({ widthPixels: 480, heightLines: 854 });
  const pro = await shown({ file: "short.mp4", limits: TIERS.pro });
  expect(pro.video).toMatchObject({ widthPixels: 1080, heightLines: 1920 });
  expect([free.file.shortfall, pro.file.shortfall]).toEqual([undefined, undefined]);
});

it("shows the default picture of several", async () => {
  const pictures = [...testPicture("320x180"), ...testPicture("640x360"), "-map", "0", "-map", "1", ...H264];
  await ffmpeg(...pictures, "-disposition:v:0", "0", "-disposition:v:1", "default", "second.mkv");
  expect((await shown({ file: "second.mkv" })).video).toMatchObject({ widthPixels: 640, heightLines: 360 });
});

/** @returns how many bright bars each frame shows, and how bright the brightest column of each is */
async function barsIn(path: string): Promise<readonly { readonly bars: number; readonly peak: number }[]> {
  const width = 100;
  const columns = await ffmpeg("-i", path, "-vf", `scale=${width}:1:flags=area,format=gray`, "-f", "rawvideo", "-");
  return Array.from({ length: columns.length / width }, (_, frame) => {
    const row = [...columns.subarray(frame * width, (frame + 1) * width)];
    const isBright = row.map((value) => value > 60);
    const bars = isBright.filter((bright, at) => bright && isBright[at - 1] !== true).length;
    return { bars, peak: Math.max(...row) };
  });
}

it.each([
  ["free", TIERS.free],
  ["pro", TIERS.pro],
] as const)("shows a moving bar once in each frame of an interlaced video: %s", async (_, limits) => {
  // The bar moves by more than its width from field to field.
  const fields = "color=black:s=720x576:r=50:d=1[b];color=white:s=40x576:r=50:d=1[w];[b][w]overlay=x='mod(t*3000,660)'";
  const interlaced = ["-flags", "+ilme+ildct", "-x264opts", "tff=1", "-vf", "interlace=scan=tff,format=yuv420p"];
  await ffmpeg(...lavfi(fields), ...interlaced, "-c:v", "libx264", "-preset", "ultrafast", "fields.mp4");
  let frames: Awaited<ReturnType<typeof barsIn>> = [];
  const check = async ({ path }: MadeFile): Promise<void> => {
    frames = await barsIn(path);
  };
  await site.convert({ file: "fields.mp4", format: "mp4", limits, check });
  expect(frames).toHaveLength(25);
  expect(frames.filter(({ bars }) => bars !== 1)).toEqual([]);
  expect(Math.min(...frames.map(({ peak }) => peak))).toBeGreaterThan(150);
});

it.each([
  ["without a stated transfer", ["-color_primaries", "bt2020", "-colorspace", "bt2020nc"]],
  ["with a transfer of HDR alone", ["-color_trc", "smpte2084"]],
] as const)("maps wide colours to those of ordinary screens: %s", async (name, tags) => {
  const file = `${name.replaceAll(" ", "-")}.webm`;
  const vp9 = ["-vf", "format=yuv420p10le", "-c:v", "libvpx-vp9", "-deadline", "realtime", "-profile:v", "2"];
  await ffmpeg(...testPicture("320x180", 0.4), ...vp9, ...tags, file);
  const { video } = await shown({ file });
  expect(video?.colour).toMatchObject({ color_primaries: "bt709", color_trc: "bt709", colorspace: "bt709" });
});

it("gives a screen in RGB the range of ordinary videos, in which white is 235", async () => {
  await ffmpeg(...lavfi("color=white:s=320x180:r=25:d=1"), "-c:v", "libx264rgb", "-preset", "ultrafast", "screen.mkv");
  let brightness = 0;
  const check = async ({ path }: MadeFile): Promise<void> => {
    [brightness = 0] = await ffmpeg("-i", path, "-frames:v", "1", "-f", "rawvideo", "-pix_fmt", "yuv420p", "-");
  };
  await site.convert({ file: "screen.mkv", format: "mp4", check });
  expect(brightness).toBe(235);
});

it("makes a video of a moving PNG", async () => {
  await ffmpeg(...testPicture("320x180", 2, 10), "-f", "apng", "moving.png");
  const { file, video } = await shown({ file: "moving.png" });
  expect([Math.round(file.durationSeconds), video?.widthPixels]).toEqual([2, 320]);
});

it("makes a video of a moving GIF, and says of a still one and of a WebP that it is a picture", async () => {
  await ffmpeg(...testPicture("320x180", 2, 10), "moving.gif");
  await ffmpeg(...testPicture("320x180", 0.1, 10), "still.gif");
  await ffmpeg(...testPicture("320x180", 2, 10), "-c:v", "libwebp_anim", "moving.webp");
  const { file, video } = await shown({ file: "moving.gif" });
  expect([Math.round(file.durationSeconds), video?.widthPixels]).toEqual([2, 320]);
  for (const still of ["still.gif", "moving.webp"])
    await expect(shown({ file: still })).rejects.toThrow("a picture, not to a video");
});

it.each(["mpegts", "fmp4"])("gives an advertisement of another size the size of the video: %s", async (kind) => {
  const sound = [...lavfi("sine=d=2"), "-c:a", "aac"];
  /** @returns its initialisation section, if any, and the two segments of a second */
  const segments = async (name: string, size: string): Promise<readonly string[]> => {
    const hls = `-g 25 -f hls -hls_time 1 -hls_list_size 0 -hls_segment_type ${kind} -hls_fmp4_init_filename ${name}.mp4`;
    await ffmpeg(...testPicture(size, 2), ...sound, ...H264, ...hls.split(" "), `${name}.m3u8`);
    const lines = (await readFile(join(site.folder, `${name}.m3u8`), "utf8")).split("\n");
    const section = lines.find((line) => line.startsWith("#EXT-X-MAP")) ?? "";
    return [section, ...lines.filter((line) => /^[^#]/.test(line)).map((line) => `#EXTINF:1,\n${line}`)];
  };
  const [section, head, tail] = await segments(`video-${kind}`, "320x180");
  const ad = await segments(`ad-${kind}`, "640x480");
  const border = "#EXT-X-DISCONTINUITY";
  const lines = ["#EXTM3U", "#EXT-X-TARGETDURATION:1", section, head, border, ...ad, border, section, tail];
  const file = `advertisement-${kind}.m3u8`;
  await writeFile(join(site.folder, file), [...lines, "#EXT-X-ENDLIST"].join("\n"));
  let sizes = new Set<string>();
  const check = async ({ path }: MadeFile): Promise<void> => {
    sizes = await sizesIn(path);
  };
  const { durationSeconds } = await site.convert({ file, format: "mp4", check });
  expect([Math.round(durationSeconds), [...sizes]]).toEqual([4, ["320,180"]]);
});

it("puts bars beside a browser's recording of a phone that is turned in the middle", async () => {
  const vp8 = "-c:v libvpx -deadline realtime -b:v 300k -g 10".split(" ");
  await ffmpeg(...lavfi("color=white:s=320x180:r=10:d=1"), ...vp8, "wide.webm");
  await ffmpeg(...lavfi("color=white:s=180x320:r=10:d=1"), ...vp8, "tall.webm");
  await writeFile(join(site.folder, "turned.txt"), "file wide.webm\nfile tall.webm\n");
  const recording = "-f concat -i turned.txt -c copy -f webm -live 1 pipe:1".split(" ");
  await writeFile(join(site.folder, "turned.webm"), await ffmpeg(...recording));
  let brightness: number[] = [];
  const check = async ({ path }: MadeFile): Promise<void> => {
    const columns = await ffmpeg("-i", path, "-vf", "scale=8:1:flags=area,format=gray", "-f", "rawvideo", "-");
    brightness = [...columns.subarray(0, 1), ...columns.subarray(-8, -7), ...columns.subarray(-4, -3)];
  };
  await site.convert({ file: "turned.webm", format: "mp4", check });
  expect(brightness.map((value) => value > 128)).toEqual([true, false, true]);
});

it.each([
  ["in a page", false, "event.m3u8 (1)"],
  ["as the link itself", true, "event"],
])("takes a broadcast that is over and does not say so for whole: %s", async (_, isDirect, title) => {
  const event = "-g 25 -f hls -hls_time 1 -hls_list_size 0 -hls_playlist_type event -hls_flags omit_endlist".split(" ");
  await ffmpeg(...testPicture("320x180", 3), ...H264, ...event, "event.m3u8");
  let found: Found = {};
  const listener = { found: (more: Found) => (found = { ...found, ...more }) };
  const { file } = await shown({ file: "event.m3u8", isDirect, listener });
  expect(file.durationSeconds).toBeCloseTo(3, 0);
  expect(found.title).toBe(title);
});

it("copies an interlaced video that is too long to be changed, and says so", async () => {
  const source = lavfi("color=gray:s=1920x1080:r=0.2:d=800");
  const interlaced = ["-flags", "+ilme+ildct", "-x264opts", "tff=1", "-pix_fmt", "yuv420p"];
  await ffmpeg(...source, "-c:v", "libx264", "-preset", "ultrafast", ...interlaced, "long.mp4");
  const { file, video } = await shown({ file: "long.mp4", limits: TIERS.pro });
  expect([file.interlaced, video?.firstField]).toEqual([true, "tff"]);
});
