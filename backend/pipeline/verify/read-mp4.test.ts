/** Reads plain, unknown and hostile MP4s. More kinds of plain ones are in read-mp4.full.test.ts. */
import { readFile, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, it, vi } from "vitest";
import { TIERS } from "../../../common/tiers.ts";
import { ofFile } from "../../dev/testing/of-file.ts";
import { ffmpegIn } from "../../dev/testing/ffmpeg.ts";
import { FRAME_SECONDS, makePlainMp4, MP4_SECONDS, readByBoth } from "../../dev/testing/mp4-as-ffprobe.ts";
import { openTestPipeline } from "../../dev/testing/test-pipeline.ts";
import { withIndexLast } from "../../dev/stand-ins/sample-site/file-answers.ts";
import { planEncode } from "../plan/encode-plan.ts";
import { inspectMedia } from "../probe/media-file.ts";
import { verifyResult } from "./verify.ts";
import { readMp4 } from "./read-mp4.ts";

const neverAborted = new AbortController().signal;
const FRAGMENTS = ["-movflags", "+frag_keyframe+empty_moov+default_base_moof"];
const COPY = ["-c", "copy"];
/** Made of plain.mp4. */
const UNKNOWN = {
  "fragmented.mp4": [...COPY, ...FRAGMENTS],
  "two-sounds.mp4": [...COPY, "-map", "0:v", "-map", "0:a", "-map", "0:a"],
  "sound.mp4": [...COPY, "-map", "0:a"],
  "old.mp4": [...COPY, "-c:v", "mpeg4"],
  "rare.mp4": ["-an", "-c:v", "libx264", "-preset", "veryfast", "-profile:v", "high422", "-pix_fmt", "yuv422p"],
  "film.mov": [...COPY, "-f", "mov"],
  "stream.ts": COPY,
} as const;
const at = (name: string): string => join(own.folder, name);

const own = await ofFile(openTestPipeline());
const { pipeline } = own;
beforeAll(async () => {
  await makePlainMp4(own);
  await ffmpegIn(own.folder, "-i", "plain.mp4", ...Object.entries(UNKNOWN).flatMap(([name, args]) => [...args, name]));
  await writeFile(at("last.mp4"), withIndexLast(await readFile(at("plain.mp4"))));
});

it.each(["plain.mp4", "last.mp4"])("reads the same from %s as ffprobe", async (name) => {
  const { ours, theirs, apartSeconds } = await readByBoth(own, name);
  expect(ours).toEqual(theirs);
  expect(apartSeconds).toBeLessThan(FRAME_SECONDS);
});

it.each(Object.keys(UNKNOWN))("returns undefined for %s", async (name) => {
  expect(await readMp4(at(name))).toBeUndefined();
});

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
  const source = await inspectMedia({ pipeline, signal: neverAborted }, at("plain.mp4"));
  const plan = planEncode("mp4", [source], TIERS.free);
  const verify = (name: string) => verifyResult({ pipeline, signal: neverAborted }, at(name), plan, TIERS.free);
  expect(await verify("plain.mp4")).toEqual({
    sizeBytes: source.sizeBytes,
    durationSeconds: expect.closeTo(MP4_SECONDS, 1) as unknown,
  });
  for (const [name, missing] of [
    ["one-byte-short.mp4", 1],
    ["half.mp4", Math.floor(source.sizeBytes / 2)],
  ] as const) {
    await writeFile(at(name), await readFile(at("plain.mp4")));
    await truncate(at(name), source.sizeBytes - missing);
    expect(await readMp4(at(name))).toMatchObject({ isWhole: false });
    await expect(verify(name)).rejects.toMatchObject({ code: "network" });
  }
});
