/** Tags of finished files, read back by ffprobe and by a tagger of another make. */
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { parseFile } from "music-metadata";
import { beforeAll, expect, it } from "vitest";
import { TIERS } from "../../../common/tiers.ts";
import { openTestPipeline } from "../../dev/testing/test-pipeline.ts";
import { TEST_TAGS } from "../../dev/testing/test-tags.ts";
import { planEncode } from "../plan/encode-plan.ts";
import type { Pipeline } from "../pipeline.ts";
import { inspectMedia } from "../probe/media-file.ts";
import { CoreShare } from "../process/core-share.ts";
import type { FileTags } from "./encode.ts";
import { makeMp3 } from "./stream-mp3.ts";
import { makeMp4 } from "./stream-mp4.ts";
import { verifyResult } from "../verify/verify.ts";

const run = promisify(execFile);
const never = new AbortController().signal;
let folder: string;
let pipeline: Pipeline;
let coverPath: string;
beforeAll(async () => {
  const own = await openTestPipeline();
  ({ pipeline, folder } = own);
  coverPath = join(folder, "cover.jpg");
  await ffmpeg("-f", "lavfi", "-i", "color=red:size=64x64", "-frames:v", "1", coverPath);
  return own.close;
});

const ffmpeg = (...args: readonly string[]) => run(pipeline.tools.ffmpegPath, ["-v", "error", "-y", ...args]);

async function sourceOf(name: string): Promise<string> {
  const path = join(folder, name);
  const video = name.endsWith(".mp4") ? ["-f", "lavfi", "-i", "testsrc=size=160x90:rate=5"] : [];
  const sound = [
    "-f",
    "lavfi",
    "-i",
    "sine=sample_rate=48000",
    "-ac",
    "2",
    "-b:a",
    "128k",
    ...(video.length > 0 ? ["-pix_fmt", "yuv420p"] : []),
  ];
  await ffmpeg(...video, ...sound, "-t", "2", "-metadata", "title=Foreign", "-metadata", "genre=Foreign", path);
  return path;
}

/** @returns the path of the file, made on a number of cores */
async function make(format: "mp3" | "mp4", source: string, tags: FileTags, coreCount = 2): Promise<string> {
  const own = { ...pipeline, cores: new CoreShare(coreCount) };
  using running = new DisposableStack();
  running.use(own.cores.enter());
  const outputPath = join(folder, `made-${source.replaceAll(/\W/g, "-")}-${coreCount}.${format}`);
  const sources = [await inspectMedia(own, await sourceOf(source), never)];
  const [first] = sources;
  const plan = planEncode(format, sources, TIERS.free);
  const work = { limits: TIERS.free, tags, outputPath, onFraction: () => undefined };
  if (plan.format === "mp4") await makeMp4(own, { ...work, plan, sources, coverPath }, never);
  else if (first) await makeMp3(own, { ...work, plan, source: first, coverPath: Promise.resolve(coverPath) }, never);
  await verifyResult(own, outputPath, plan, TIERS.free, never);
  return outputPath;
}

async function ffprobeTags(path: string): Promise<Record<string, string>> {
  const args = ["-v", "error", "-show_entries", "format_tags", "-of", "json", path];
  const { stdout } = await run(pipeline.tools.ffprobePath, args);
  return (JSON.parse(stdout) as { format: { tags: Record<string, string> } }).format.tags;
}

it.each([
  ["copied frames", "128.mp3", 2],
  ["one ffmpeg", "sound.webm", 1],
  ["lanes that get decoded sound", "sound.webm", 2],
  ["lanes that get AAC", "sound.m4a", 2],
])("an MP3 of %s has all tags and the cover", async (_, source, coreCount) => {
  const path = await make("mp3", source, TEST_TAGS, coreCount);
  const { link, ...others } = TEST_TAGS;
  const found = await ffprobeTags(path);
  expect(found).toMatchObject({ ...others, comment: link });
  expect(Object.keys(found).filter((name) => name !== "encoder")).toHaveLength(7);
  const { common, native } = await parseFile(path);
  expect(common).toMatchObject({
    title: TEST_TAGS.title,
    artist: TEST_TAGS.artist,
    album: TEST_TAGS.album,
    track: { no: 3, of: 12 },
    year: 2024,
    comment: [{ text: link }],
  });
  expect(Object.keys(native)).toEqual(["ID3v2.3"]);
  expect(common.picture?.map(({ type, data }) => [type, Buffer.from(data)])).toEqual([
    ["Cover (front)", await readFile(coverPath)],
  ]);
});

it("an MP3 has no frames for tags that are not known", async () => {
  const path = await make("mp3", "sound.wav", { title: "Alone" }, 1);
  const { common, native } = await parseFile(path);
  expect(common.title).toBe("Alone");
  expect(native["ID3v2.3"]?.map(({ id }) => id)).toEqual(["TIT2", "APIC"]);
});

it.each(["video.mp4", "sound.m4a"])("an MP4 of %s has all tags", async (source) => {
  const path = await make("mp4", source, TEST_TAGS);
  const { link, ...others } = TEST_TAGS;
  expect(await ffprobeTags(path)).toMatchObject({ ...others, comment: link });
  expect(await ffprobeTags(path)).not.toHaveProperty("genre");
  const { common } = await parseFile(path);
  expect(common).toMatchObject({
    title: TEST_TAGS.title,
    artist: TEST_TAGS.artist,
    album: TEST_TAGS.album,
    track: { no: 3, of: 12 },
    year: 2024,
  });
});
