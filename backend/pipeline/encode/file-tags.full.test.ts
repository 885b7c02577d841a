/** Tags of finished files, read back by ffprobe and by a tagger of another make. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseFile } from "music-metadata";
import { beforeAll, expect, it } from "vitest";
import { TIERS } from "../../../common/tiers.ts";
import { ffmpeg, probed } from "../../dev/testing/ffmpeg.ts";
import { ofFile } from "../../dev/testing/of-file.ts";
import { openTestPipeline } from "../../dev/testing/test-pipeline.ts";
import { withoutTags } from "../../dev/testing/mp4-without-tags.ts";
import { READ_TAGS, TEST_TAGS } from "../../dev/testing/test-tags.ts";
import { planEncode } from "../plan/encode-plan.ts";
import { inspectMedia } from "../probe/media-file.ts";
import { CoreShare } from "../process/core-share.ts";
import type { FileTags } from "./encode.ts";
import { makeMp3 } from "./stream-mp3.ts";
import { makeMp4 } from "./stream-mp4.ts";
import { verifyResult } from "../verify/verify.ts";

const never = new AbortController().signal;
const { pipeline, folder } = await ofFile(openTestPipeline());
const coverPath = join(folder, "cover.jpg");
beforeAll(async () => {
  await ffmpeg("-f", "lavfi", "-i", "color=red:size=64x64", "-frames:v", "1", coverPath);
  await makeSources();
});

const SOURCES = ["128.mp3", "sound.webm", "sound.m4a", "bare.mp4", "video.mp4", "video.mkv"] as const;
type Source = (typeof SOURCES)[number];

function argsFor(name: Source): readonly string[] {
  const codec = name.endsWith(".mkv") ? ["-c:v", "mpeg4"] : [];
  const streams = /\.(?:mp4|mkv)$/.test(name) ? ["-map", "0", "-map", "1", "-pix_fmt", "yuv420p"] : ["-map", "1"];
  const foreign = ["-metadata", "title=Foreign", "-metadata", "genre=Foreign", "-movflags", "+faststart"];
  return [...streams, ...codec, "-ac", "2", "-b:a", "128k", "-t", "2", ...foreign, join(folder, name)];
}

async function makeSources(): Promise<void> {
  const inputs = ["-f", "lavfi", "-i", "testsrc=size=160x90:rate=5", "-f", "lavfi", "-i", "sine=sample_rate=48000"];
  await ffmpeg(...inputs, ...SOURCES.flatMap(argsFor));
  const bare = join(folder, "bare.mp4");
  await writeFile(bare, withoutTags(await readFile(bare)));
}

/** @returns the path of the file, made on a number of cores */
async function make(format: "mp3" | "mp4", source: Source, tags: FileTags, coreCount = 2): Promise<string> {
  const own = { ...pipeline, cores: new CoreShare(coreCount) };
  using running = new DisposableStack();
  running.use(own.cores.enter());
  const outputPath = join(folder, `made-${source.replaceAll(/\W/g, "-")}-${coreCount}.${format}`);
  const sources = [await inspectMedia({ pipeline: own, signal: never }, join(folder, source))];
  const [first] = sources;
  const plan = planEncode(format, sources, TIERS.free);
  const work = { limits: TIERS.free, tags, outputPath, onFraction: () => undefined };
  if (plan.format === "mp4") await makeMp4({ pipeline: own, signal: never, ...work, plan, sources, coverPath });
  else if (first)
    await makeMp3({
      pipeline: own,
      signal: never,
      ...work,
      plan,
      source: first,
      coverPath: Promise.resolve(coverPath),
    });
  await verifyResult({ pipeline: own, signal: never }, outputPath, plan, TIERS.free);
  return outputPath;
}

async function ffprobeTags(path: string): Promise<Record<string, string>> {
  return (await probed<{ format: { tags: Record<string, string> } }>("-show_entries", "format_tags", path)).format.tags;
}

it.each([
  ["copied frames", "128.mp3", 2],
  ["one ffmpeg", "sound.webm", 1],
  ["lanes", "sound.m4a", 2],
] as const)("an MP3 of %s has all tags and the cover", async (_, source, coreCount) => {
  const path = await make("mp3", source, TEST_TAGS, coreCount);
  const { link, albumArtist, ...others } = TEST_TAGS;
  const found = await ffprobeTags(path);
  expect(found).toMatchObject({ ...others, album_artist: albumArtist, comment: link });
  expect(Object.keys(found).filter((name) => name !== "encoder")).toHaveLength(8);
  const { common, native } = await parseFile(path);
  expect(common).toMatchObject({
    ...READ_TAGS,
    year: 2024,
    comment: [{ text: link }],
  });
  expect(Object.keys(native)).toEqual(["ID3v2.3"]);
  expect(common.picture?.map(({ type, data }) => [type, Buffer.from(data)])).toEqual([
    ["Cover (front)", await readFile(coverPath)],
  ]);
});

it("an MP3 has no frames for tags that are not known", async () => {
  const path = await make("mp3", "sound.m4a", { title: "Alone" }, 1);
  const { common, native } = await parseFile(path);
  expect(common.title).toBe("Alone");
  expect(native["ID3v2.3"]?.map(({ id }) => id)).toEqual(["TIT2", "APIC"]);
});

/** @returns codec of each stream, and whether it is a cover */
async function ffprobeStreams(path: string): Promise<(readonly [string, boolean])[]> {
  const { streams } = await probed<{ streams: { codec_name: string; disposition: { attached_pic: number } }[] }>(
    "-show_entries",
    "stream=codec_name:stream_disposition=attached_pic",
    path,
  );
  return streams.map(({ codec_name: codec, disposition }) => [codec, disposition.attached_pic === 1]);
}

it.each([
  ["copied with its index", "bare.mp4"],
  ["copied streams", "video.mp4"],
  ["an encoded picture", "video.mkv"],
  ["sound alone", "sound.m4a"],
] as const)("an MP4 of %s has all tags and the cover", async (_, source) => {
  const path = await make("mp4", source, TEST_TAGS);
  // The cover comes after the tracks, so that nothing takes it for the video.
  expect(await ffprobeStreams(path)).toEqual([
    ["h264", false],
    ["aac", false],
    ["mjpeg", true],
  ]);
  const { trackInfo, container } = (await parseFile(path)).format;
  expect(container).toContain("mp4");
  expect(trackInfo).toHaveLength(2);
  const { link, albumArtist, ...others } = TEST_TAGS;
  const found = await ffprobeTags(path);
  expect(found).toMatchObject({ ...others, album_artist: albumArtist, comment: link });
  expect(found).not.toHaveProperty("genre");
  const { common } = await parseFile(path);
  expect(common).toMatchObject({
    ...READ_TAGS,
    year: 2024,
  });
  expect(common.picture?.map(({ format, data }) => [format, Buffer.from(data)])).toEqual([
    ["image/jpeg", await readFile(coverPath)],
  ]);
});
