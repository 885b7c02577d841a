/** Converts pictures as phones, cameras and sites make them, from a page to the result. */
import { beforeAll, expect, it } from "vitest";
import { TIERS } from "../../common/tiers.ts";
import { folderPipeline, type FileConversion, type FolderPipeline } from "../dev/testing/folder-pipeline.ts";
import type { ConvertedFile } from "./convert.ts";
import { inspectMedia, type VideoStream } from "./probe/media-file.ts";

let site: FolderPipeline;
let ffmpeg: FolderPipeline["ffmpeg"];
beforeAll(async () => {
  site = await folderPipeline();
  ({ ffmpeg } = site);
  return site.close;
});

const H264 = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p"];
const testPicture = (size: string, seconds = 1, rate = 25): string[] => [
  "-f",
  "lavfi",
  "-i",
  `testsrc2=s=${size}:r=${rate}:d=${seconds}`,
];

interface Shown {
  readonly file: ConvertedFile;
  readonly video: VideoStream | undefined;
}

/** @returns an MP4 and its picture */
async function shown(conversion: Omit<FileConversion, "format">): Promise<Shown> {
  let video: VideoStream | undefined;
  const check = async ({ path }: ConvertedFile): Promise<void> => {
    ({ video } = await inspectMedia(site.pipeline, path, new AbortController().signal));
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
