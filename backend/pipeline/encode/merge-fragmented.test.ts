/** What is put into one MP4 without a tool, and what is left to ffmpeg; merge-fragmented.full.test.ts compares both. */
import { readdir, readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { ofFile } from "../../dev/testing/of-file.ts";
import {
  FRAGMENTED_SECONDS,
  FragmentedClips,
  FRAGMENTS,
  placeOf,
  RESERVED_BYTES,
} from "../../dev/testing/fragmented-clips.ts";
import { TEST_TAGS } from "../../dev/testing/test-tags.ts";
import { GrowingFile } from "../fetch/growing-file.ts";
import { boxesIn } from "../mp4/boxes.ts";
import { box } from "../mp4/write-box.ts";
import { u32 } from "../mp4/write-index.ts";
import { readMp4 } from "../verify/read-mp4.ts";
import { mergeFragmented } from "./merge-fragmented.ts";

const never = new AbortController().signal;
const clips = await ofFile(FragmentedClips.open());

it("puts a picture and a sound into one file", async () => {
  const { isMade, path } = await clips.merge("both.mp4", ["picture.mp4", "sound.mp4"]);
  expect(isMade).toBe(true);
  const read = await readMp4(path);
  expect(read).toMatchObject({ isWhole: true, video: { codec: "h264" }, audio: { codec: "aac" } });
  expect(read?.durationSeconds).toBeCloseTo(FRAGMENTED_SECONDS, 1);
});

describe("leaves to ffmpeg, without leaving a file,", () => {
  it.each<[string, () => Promise<readonly string[]>]>([
    ["two streams in one file", async () => (await clips.split(["both.mp4", "0", FRAGMENTS]), ["both.mp4"])],
    ["two pictures", () => Promise.resolve(["picture.mp4", "picture.mp4"])],
    ["a sound alone", () => Promise.resolve(["sound.mp4"])],
    ["a source that is not fragmented", () => Promise.resolve(["whole.mp4"])],
    [
      "positions from the beginning of the file",
      async () => {
        await clips.split(["absolute.mp4", "0:v", "+frag_keyframe+empty_moov"]);
        return ["absolute.mp4", "sound.mp4"];
      },
    ],
    [
      "an empty source",
      async () => [await clips.altered("empty.mp4", "picture.mp4", () => Buffer.alloc(0)), "sound.mp4"],
    ],
    [
      "what is no MP4",
      async () => [await clips.altered("text.mp4", "picture.mp4", () => Buffer.from("no box")), "sound.mp4"],
    ],
    [
      "a source that ends within its last frames",
      async () => [
        await clips.altered("short.mp4", "picture.mp4", (bytes, boxes) =>
          bytes.subarray(0, (boxes.findLast(({ type }) => type === "mdat")?.end ?? 0) - 10),
        ),
        "sound.mp4",
      ],
    ],
    [
      "a source that ends within the index of a fragment",
      async () => [
        await clips.altered("cut.mp4", "picture.mp4", (bytes, boxes) =>
          bytes.subarray(0, (boxes.findLast(({ type }) => type === "moof")?.start ?? 0) + 30),
        ),
        "sound.mp4",
      ],
    ],
    [
      "more frames than the bytes of a fragment can name",
      async () => [
        await clips.altered("many.mp4", "picture.mp4", (bytes) => {
          bytes.writeUInt32BE(0xffff_ffff, placeOf(bytes, "trun", 1) + 4);
          return bytes;
        }),
        "sound.mp4",
      ],
    ],
    [
      "millions of frames without a size of their own",
      async () => [
        await clips.altered("sizeless.mp4", "picture.mp4", (bytes) => {
          const fields = placeOf(bytes, "trun", 1);
          bytes.writeUInt32BE(1, fields);
          bytes.writeUInt32BE(50_000_000, fields + 4);
          return bytes;
        }),
        "sound.mp4",
      ],
    ],
    [
      "frames outside of the media of their fragment",
      async () => [
        await clips.altered("outside.mp4", "picture.mp4", (bytes) => {
          const offset = placeOf(bytes, "trun", 1) + 8;
          bytes.writeUInt32BE(bytes.readUInt32BE(offset) + 100_000, offset);
          return bytes;
        }),
        "sound.mp4",
      ],
    ],
    [
      "a fragment that goes back in time",
      async () => [
        await clips.altered("back.mp4", "picture.mp4", (bytes) => {
          bytes.writeBigUInt64BE(0n, placeOf(bytes, "tfdt", 2) + 4);
          return bytes;
        }),
        "sound.mp4",
      ],
    ],
    [
      "a picture that begins late",
      async () => [
        await clips.altered("late.mp4", "picture.mp4", (bytes) => {
          bytes.writeBigUInt64BE(90_000n, placeOf(bytes, "tfdt", 0) + 4);
          return bytes;
        }),
        "sound.mp4",
      ],
    ],
  ])("%s", async (_, write) => {
    const { isMade } = await clips.merge("unusual.mp4", await write());
    expect(isMade).toBe(false);
    expect(await readdir(clips.folder)).not.toContain("unusual.mp4");
  });
});

/** @returns a fragment of frames that have neither bytes nor duration. `decodedAt` is in units of the track. */
function emptyFrames(count: number, decodedAt: bigint): Buffer {
  const [trackId, size, duration] = [1, 0, 0];
  const headerFlags = 0x2_0018;
  const runFlags = 0x1;
  const time = Buffer.alloc(8);
  time.writeBigUInt64BE(decodedAt);
  const fragment = (mediaOffset: number): Buffer =>
    box(
      "moof",
      box(
        "traf",
        box("tfhd", u32(headerFlags, trackId, duration, size)),
        box("tfdt", u32(0x100_0000), time),
        box("trun", u32(runFlags, count, mediaOffset)),
      ),
    );
  const headerBytes = 8;
  return Buffer.concat([fragment(fragment(0).length + headerBytes), box("mdat")]);
}

it("stops at the first fragment with more frames than the index has room for, without reading on", async () => {
  const picture = await readFile(clips.at("picture.mp4"));
  const fragmentsEnd = [...boxesIn(picture)].findLast(({ type }) => type === "mdat")?.end ?? 0;
  const later = 1_000_000n + picture.readBigUInt64BE(placeOf(picture, "tfdt", FRAGMENTED_SECONDS - 1) + 4);
  const hostile = Array.from({ length: 300 }, () => emptyFrames(20_000, later));
  await using file = await GrowingFile.create(clips.at("many-frames.mp4"));
  await file.write(Buffer.concat([picture.subarray(0, fragmentsEnd), ...hostile]), 0);
  await file.complete();
  let furthest = 0;
  const growth = {
    wholeBytes: 0,
    atLeast: (bytes: number) => {
      furthest = Math.max(furthest, bytes);
      return file.atLeast(bytes);
    },
  };
  const work = {
    files: [{ path: file.path, growth }],
    tags: TEST_TAGS,
    cover: undefined,
    outputPath: clips.at("hostile.mp4"),
    reservedBytes: RESERVED_BYTES,
    maxFileBytes: 50_000_000,
    onBytes: () => undefined,
  };
  expect(await mergeFragmented(work, never)).toBe(false);
  expect(furthest).toBeGreaterThan(fragmentsEnd);
  expect(furthest).toBeLessThan(fragmentsEnd + 2 * (hostile[0]?.length ?? 0));
});

it("throws the error of a source that breaks off", async () => {
  await using file = await GrowingFile.create(clips.at("broken.mp4"));
  const bytes = await readFile(clips.at("picture.mp4"));
  await file.write(bytes.subarray(0, bytes.length / 2), 0);
  const work = {
    files: [{ path: file.path, growth: file }],
    tags: TEST_TAGS,
    cover: undefined,
    outputPath: clips.at("half.mp4"),
    reservedBytes: RESERVED_BYTES,
    maxFileBytes: 50_000_000,
    onBytes: () => file.fail(new Error("the connection broke")),
  };
  await expect(mergeFragmented(work, never)).rejects.toThrow("the connection broke");
  expect(await readdir(clips.folder)).not.toContain("half.mp4");
});
