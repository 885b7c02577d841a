/** Videos that their site gives in parts become one file. */
import { beforeAll, expect, it } from "vitest";
import { TIERS } from "../../common/tiers.ts";
import { folderPipeline } from "../dev/testing/folder-pipeline.ts";
import { H264, lavfi, probed } from "../dev/testing/ffmpeg.ts";
import { ofFile } from "../dev/testing/of-file.ts";
import { linkOfShape, writePlugin } from "../dev/testing/shape-site.ts";
import type { FileConversion } from "../dev/testing/folder-pipeline.ts";
import type { Pipeline } from "./pipeline.ts";

const site = await ofFile(folderPipeline());
let instead: Partial<Pipeline>;
const tone = (seconds: number, frequency: number): string => `sine=f=${frequency}:d=${seconds}:r=48000`;
const picture = (seconds: number, size: string): string => `testsrc2=s=${size}:r=25:d=${seconds}`;

beforeAll(async () => {
  instead = { tools: { ...site.pipeline.tools, pluginFolders: [await writePlugin(site.work)] } };
  const aac = ["-c:a", "aac", "-b:a", "64k"];
  for (const [number, seconds] of [3, 2, 4].entries()) {
    await site.ffmpeg(
      ...lavfi(picture(seconds, "320x180"), tone(seconds, 400)),
      ...H264,
      ...aac,
      `alike-${number}.mp4`,
    );
    await site.ffmpeg(...lavfi(picture(seconds, "320x180")), ...H264, `picture-${number}.mp4`);
    await site.ffmpeg(...lavfi(tone(seconds, 400)), ...aac, `sound-${number}.m4a`);
  }
  const vp8 = ["-c:v", "libvpx", "-deadline", "realtime", "-c:a", "libvorbis"];
  await site.ffmpeg(...lavfi(picture(2, "160x160"), tone(2, 800)), ...vp8, "other.webm");
  const hls = ["-f", "hls", "-hls_time", "1", "-hls_list_size", "0"];
  await site.ffmpeg(...lavfi(tone(8, 400)), ...aac, ...hls, "list.m3u8");
});

interface Format {
  readonly file: string;
  readonly only?: "picture" | "sound";
  readonly protocol?: string;
}
const formatOf = ({ file, only, ...more }: Format) => ({
  format_id: only ?? "both",
  url: site.mediaOf(file),
  vcodec: only === "sound" ? "none" : undefined,
  acodec: only === "picture" ? "none" : undefined,
  ...more,
});
/** @returns the link of a video with these forms of each part */
const inParts = (...parts: readonly (readonly Format[])[]): string =>
  linkOfShape({
    _type: "multi_video",
    id: "show",
    title: "A show",
    entries: parts.map((formats, number) => ({
      id: `show-${number}`,
      title: `A show (${number})`,
      formats: formats.map(formatOf),
    })),
  });
const alike = (): string => inParts(...[0, 1, 2].map((number) => [{ file: `alike-${number}.mp4` }]));

interface Stream {
  readonly codec_name: string;
  readonly width?: number;
  readonly height?: number;
  readonly nb_read_packets: string;
}
async function made(
  file: string,
  asked: Omit<FileConversion, "file">,
): Promise<{ seconds: number; streams: Stream[] }> {
  let streams: Stream[] = [];
  const { durationSeconds } = await site.convert({
    file,
    instead,
    ...asked,
    check: async ({ path }) => {
      ({ streams } = await probed<{ streams: Stream[] }>("-show_streams", "-count_packets", path));
    },
  });
  return { seconds: durationSeconds, streams };
}

it("copies parts that agree into one MP4, and tells the progress of all of them", async () => {
  const percents: number[] = [];
  const titles: (string | undefined)[] = [];
  const { seconds, streams } = await made(alike(), {
    format: "mp4",
    listener: { progress: ({ percent }) => percents.push(percent), found: ({ title }) => titles.push(title) },
  });
  expect(seconds).toBeCloseTo(9, 0);
  expect(streams).toMatchObject([
    { codec_name: "h264", width: 320, height: 180, nb_read_packets: "225" },
    { codec_name: "aac" },
  ]);
  expect(percents).toEqual(percents.toSorted((a, b) => a - b));
  expect(titles).toContain("A show");
});

it.each(["mp3", "original", "flac"] as const)("makes one file of the sound of all parts as %s", async (format) => {
  expect((await made(alike(), { format })).seconds).toBeCloseTo(9, 0);
});

it("joins picture and sound that each part has in files of their own", async () => {
  const parts = [0, 1, 2].map((number): Format[] => [
    { file: `picture-${number}.mp4`, only: "picture" },
    { file: `sound-${number}.m4a`, only: "sound" },
  ]);
  const { seconds, streams } = await made(inParts(...parts), { format: "mp4" });
  expect([Math.round(seconds), ...streams.map(({ codec_name: codec }) => codec)]).toEqual([9, "h264", "aac"]);
});

it("encodes parts that differ, with silence for a part that has no sound", async () => {
  const parts = ["alike-0.mp4", "other.webm", "picture-1.mp4"].map((file): Format[] => [{ file }]);
  const { seconds, streams } = await made(inParts(...parts), { format: "mp4" });
  expect(seconds).toBeCloseTo(7, 0);
  expect(streams).toMatchObject([
    { codec_name: "h264", width: 320, height: 180, nb_read_packets: "175" },
    { codec_name: "aac" },
  ]);
  expect((await made(inParts(...parts), { format: "mp3" })).seconds).toBeCloseTo(7, 0);
});

it("makes a part across the border of two parts", async () => {
  const choices = { part: { startSeconds: 2, endSeconds: 4 } };
  expect((await made(alike(), { format: "mp4", choices })).seconds).toBeCloseTo(2, 1);
  expect((await made(alike(), { format: "mp3", choices })).seconds).toBeCloseTo(2, 1);
});

it.each([
  ["files", "alike-0.mp4", undefined, 3],
  ["pieces", "list.m3u8", "m3u8_native", 8],
])("holds the limit of length for all parts together, of %s", async (_, file, protocol, seconds) => {
  const link = inParts([{ file, protocol }], [{ file, protocol }]);
  const convert = (maxDurationSeconds: number) =>
    made(link, { format: "mp3", limits: { ...TIERS.free, maxDurationSeconds } });
  await expect(convert(2 * seconds - 1)).rejects.toMatchObject({ code: "too_long" });
  expect((await convert(2 * seconds)).seconds).toBeCloseTo(2 * seconds, 0);
});

it("reads the only page that a post names, and parts that are pages of their own", async () => {
  const [first, second] = [0, 1].map((number) => formatOf({ file: `alike-${number}.mp4` }));
  const page = linkOfShape({ id: "second", title: "Second", formats: [second] });
  const entries = [
    { id: "first", title: "First", formats: [first] },
    { _type: "url", url: page },
  ];
  const show = linkOfShape({ _type: "multi_video", id: "show", title: "A show", entries });
  await expect(made(`${show}#video=2`, { format: "mp3" })).rejects.toMatchObject({ code: "unavailable" });
  const post = linkOfShape({ _type: "playlist", id: "post", title: "A post", entries: [{ _type: "url", url: show }] });
  expect((await made(post, { format: "mp3" })).seconds).toBeCloseTo(5, 0);
});
