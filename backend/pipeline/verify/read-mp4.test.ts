/** Compares {@link readMp4} with ffprobe on the same files. */
import { execFile } from "node:child_process";
import { readFile, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, it, vi } from "vitest";
import { TIERS } from "../../../common/tiers.ts";
import { openTestPipeline } from "../../dev/testing/test-pipeline.ts";
import { repositoryDataDir } from "../../dev/repository.ts";
import { prepareClips } from "../../dev/stand-ins/sample-site/clips.ts";
import { withIndexLast } from "../../dev/stand-ins/sample-site/file-answers.ts";
import { planEncode } from "../plan/encode-plan.ts";
import { inspectMedia } from "../probe/media-file.ts";
import type { Pipeline } from "../pipeline.ts";
import { verifyResult } from "./verify.ts";
import { readMp4 } from "./read-mp4.ts";

const run = promisify(execFile);
const neverAborted = new AbortController().signal;
const SECONDS = 2;
const FRAME_SECONDS = 1 / 25;
let folder: string;
let pipeline: Pipeline;
const at = (name: string): string => join(folder, name);

beforeAll(async () => {
  const own = await openTestPipeline();
  ({ pipeline, folder } = own);
  const ffmpeg = (...args: string[]) =>
    run(pipeline.tools.ffmpegPath, ["-v", "error", "-nostdin", "-y", ...args], { cwd: folder });
  const picture = ["-f", "lavfi", "-i", `testsrc2=size=128x96:rate=25:duration=${SECONDS}`];
  const sound = ["-f", "lavfi", "-i", `sine=frequency=440:sample_rate=44100:duration=${SECONDS}`];
  const h264 = ["-c:v", "libx264", "-preset", "veryfast", "-bf", "2", "-pix_fmt", "yuv420p"];
  await ffmpeg(...picture, ...sound, ...h264, "-c:a", "aac", "-movflags", "+faststart", "plain.mp4");
  const clip = await prepareClips({
    dataDir: repositoryDataDir(),
    ffmpegPath: pipeline.tools.ffmpegPath,
    report: () => undefined,
  });
  const copied = ["-i", "plain.mp4", "-c", "copy"];
  await Promise.all([
    ffmpeg(...copied, "-an", "-moov_size", "20000", "silent.mp4"),
    ffmpeg(
      "-f",
      "lavfi",
      "-i",
      "color=black:size=64x36:rate=5",
      "-i",
      "plain.mp4",
      "-map",
      "0:v",
      "-map",
      "1:a",
      "-c:v",
      "libx264",
      "-tune",
      "stillimage",
      "-pix_fmt",
      "yuv420p",
      "-c:a",
      "copy",
      "-t",
      String(SECONDS),
      "still.mp4",
    ),
    ffmpeg("-display_rotation:v:0", "90", ...copied, "rotated.mp4").catch(() =>
      ffmpeg(...copied, "-metadata:s:v:0", "rotate=270", "rotated.mp4"),
    ),
    ffmpeg("-i", "plain.mp4", "-itsoffset", "0.5", ...copied, "-map", "0:v", "-map", "1:a", "late.mp4"),
    ffmpeg("-ss", "0.7", ...copied, "cut.mp4"),
    ffmpeg(...copied, "-movflags", "+frag_keyframe+empty_moov+default_base_moof", "fragmented.mp4"),
    ffmpeg(...copied, "-map", "0:v", "-map", "0:a", "-map", "0:a", "two-sounds.mp4"),
    ffmpeg(...copied, "-map", "0:a", "sound.mp4"),
    ffmpeg(...copied, "-c:v", "mpeg4", "old.mp4"),
    ffmpeg(...picture, ...h264, "-profile:v", "high422", "-pix_fmt", "yuv422p", "rare.mp4"),
    ffmpeg(...copied, "-f", "mov", "film.mov"),
    ffmpeg(...copied, "stream.ts"),
    ...["rain", "snow", "three-hours"].map(async (name) =>
      writeFile(at(`${name}.mp4`), await readFile(join(clip, name, "video.mp4"))),
    ),
  ]);
  await writeFile(at("last.mp4"), withIndexLast(await readFile(at("plain.mp4"))));
  return own.close;
});

it.each([
  "plain.mp4",
  "silent.mp4",
  "still.mp4",
  "rotated.mp4",
  "late.mp4",
  "cut.mp4",
  "last.mp4",
  "rain.mp4",
  "snow.mp4",
  "three-hours.mp4",
])("reads the same from %s as ffprobe", async (name) => {
  const ours = await readMp4(at(name));
  const theirs = await inspectMedia(pipeline, at(name), neverAborted);
  const { codec, profile, level, widthPixels, heightLines, frameCount } = theirs.video ?? {};
  const audio = theirs.audio && { codec: theirs.audio.codec, profile: theirs.audio.profile };
  expect(ours).toEqual({
    sizeBytes: theirs.sizeBytes,
    durationSeconds: expect.any(Number) as unknown,
    video: { codec, profile, level, widthPixels, heightLines, frameCount },
    audio,
    isWhole: true,
  });
  expect(Math.abs((ours?.durationSeconds ?? 0) - (theirs.durationSeconds ?? 0))).toBeLessThan(FRAME_SECONDS);
});

it.each(["fragmented.mp4", "two-sounds.mp4", "sound.mp4", "old.mp4", "rare.mp4", "film.mov", "stream.ts"])(
  "returns undefined for %s",
  async (name) => {
    expect(await readMp4(at(name))).toBeUndefined();
  },
);

/** Copies plain.mp4 with changed numbers; each offset counts from the content of the first box of its type. */
async function writeChanged(
  name: string,
  ...changes: readonly (readonly [type: string, offset: number, value: number])[]
): Promise<string> {
  const bytes = await readFile(at("plain.mp4"));
  for (const [type, offset, value] of changes)
    bytes.writeUInt32BE(value, bytes.indexOf(type, 0, "latin1") + 4 + offset);
  await writeFile(at(name), bytes);
  return at(name);
}

const MAX_UINT32 = 0xffff_ffff;

it.each([
  { name: "an index larger than the file", changes: [["moov", -8, 20_000_000]] },
  { name: "an index of the largest size", changes: [["moov", -8, MAX_UINT32]] },
  { name: "more sizes than fit into their table", changes: [["stsz", 8, MAX_UINT32]] },
  {
    name: "billions of frames of one size",
    changes: [
      ["stsz", 4, 1],
      ["stsz", 8, MAX_UINT32],
      ["stts", 8, MAX_UINT32],
    ],
  },
  { name: "billions of durations", changes: [["stts", 4, MAX_UINT32]] },
  { name: "more frames with a duration than with a size", changes: [["stts", 8, 51]] },
  { name: "chunks without frames", changes: [["stsc", 12, 0]] },
  { name: "chunks of billions of frames", changes: [["stsc", 12, MAX_UINT32]] },
  { name: "billions of chunks", changes: [["stco", 4, MAX_UINT32]] },
  { name: "frame counts for chunks that do not exist", changes: [["stsc", 8, 7]] },
  { name: "media positions in the index", changes: [["stco", 8, 64]] },
  { name: "billions of edits", changes: [["elst", 4, MAX_UINT32]] },
  { name: "an edit longer than the media", changes: [["elst", 8, MAX_UINT32]] },
  { name: "a duration that no track has", changes: [["mvhd", 16, 20_000]] },
  { name: "a time scale of 0", changes: [["mdhd", 12, 0]] },
  { name: "a description that is cut off", changes: [["avcC", -8, 9]] },
] as const)("returns undefined for $name, and allocates little memory", async ({ name, changes }) => {
  const path = await writeChanged(`${name}.mp4`, ...changes);
  const alloc = vi.spyOn(Buffer, "alloc");
  expect(await readMp4(path)).toBeUndefined();
  expect(Math.max(...alloc.mock.calls.map(([bytes]) => bytes))).toBeLessThan(10_000);
  alloc.mockRestore();
});

it("returns undefined for an index after 100,000 boxes", async () => {
  const empty = Buffer.alloc(8);
  empty.writeUInt32BE(8);
  empty.write("free", 4, "latin1");
  const bytes = await readFile(at("last.mp4"));
  const typeBytes = bytes.readUInt32BE(0);
  await writeFile(
    at("far.mp4"),
    Buffer.concat([bytes.subarray(0, typeBytes), Buffer.alloc(8 * 100_000, empty), bytes.subarray(typeBytes)]),
  );
  expect(await readMp4(at("far.mp4"))).toBeUndefined();
});

it("verifyResult rejects an MP4 that ends before its media with network", async () => {
  const source = await inspectMedia(pipeline, at("plain.mp4"), neverAborted);
  const plan = planEncode("mp4", [source], TIERS.free);
  const verify = (name: string) => verifyResult(pipeline, at(name), plan, TIERS.free, neverAborted);
  expect(await verify("plain.mp4")).toEqual({
    sizeBytes: source.sizeBytes,
    durationSeconds: expect.closeTo(SECONDS, 1) as unknown,
  });
  for (const [name, missing] of [
    ["one-byte-short.mp4", 1],
    ["half.mp4", source.sizeBytes / 2],
  ] as const) {
    await writeFile(at(name), await readFile(at("plain.mp4")));
    await truncate(at(name), source.sizeBytes - missing);
    expect(await readMp4(at(name))).toMatchObject({ isWhole: false });
    await expect(verify(name)).rejects.toMatchObject({ code: "network" });
  }
});

it("verifyResult rejects a result that is too short, lacks its sound or is too large", async () => {
  const source = await inspectMedia(pipeline, at("rain.mp4"), neverAborted);
  const plan = planEncode("mp4", [source], TIERS.free);
  const verify = (name: string, limits = TIERS.free) =>
    verifyResult(pipeline, at(name), { ...plan, durationSeconds: SECONDS }, limits, neverAborted);
  await expect(verify("rain.mp4")).rejects.toMatchObject({ code: "network" });
  await expect(verify("silent.mp4")).rejects.toMatchObject({ code: "internal" });
  await expect(verify("plain.mp4", { ...TIERS.free, maxFileBytes: 1_000 })).rejects.toMatchObject({
    code: "too_large",
  });
  // ffprobe reads this one.
  expect(await verify("fragmented.mp4")).toMatchObject({ durationSeconds: expect.closeTo(SECONDS, 0) as unknown });
});
