/** Picture and sound of fragmented sources, put into one MP4 without a tool: the same as ffmpeg makes of them. */
import { execFile } from "node:child_process";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { openTestPipeline } from "../../dev/testing/test-pipeline.ts";
import { TEST_TAGS } from "../../dev/testing/test-tags.ts";
import { GrowingFile } from "../fetch/growing-file.ts";
import { boxesIn, type Box } from "../mp4/boxes.ts";
import { readLayout } from "../mp4/layout.ts";
import { box } from "../mp4/write-box.ts";
import { u32 } from "../mp4/write-index.ts";
import type { Pipeline } from "../pipeline.ts";
import { readMp4 } from "../verify/read-mp4.ts";
import { mergeFragmented } from "./merge-fragmented.ts";

const run = promisify(execFile);
const never = new AbortController().signal;
const SECONDS = 4;
const RESERVED_BYTES = 40_000;
const FRAGMENTS = "+frag_keyframe+empty_moov+default_base_moof";
let folder: string;
let pipeline: Pipeline;
const at = (name: string): string => join(folder, name);
const ffmpeg = (...lines: string[]) =>
  run(pipeline.tools.ffmpegPath, ["-v", "error", "-nostdin", "-y", ...lines.flatMap((line) => line.split(" "))], {
    cwd: folder,
  });

beforeAll(async () => {
  const own = await openTestPipeline();
  ({ pipeline, folder } = own);
  const picture = `-f lavfi -i testsrc2=size=160x120:rate=25:duration=${SECONDS}`;
  const sound = `-f lavfi -i sine=frequency=440:sample_rate=44100:duration=${SECONDS}`;
  // With B-frames: frames are stored in another order than shown.
  await ffmpeg(picture, sound, "-c:v libx264 -preset veryfast -bf 2 -g 25 -pix_fmt yuv420p -c:a aac whole.mp4");
  await split("picture.mp4", "0:v", FRAGMENTS);
  await split("sound.mp4", "0:a", `${FRAGMENTS} -frag_duration 700000`);
  return own.close;
});

/** Writes one stream of the whole video into a file of its own. */
async function split(name: string, stream: string, flags: string): Promise<void> {
  await ffmpeg(`-i whole.mp4 -map ${stream} -c copy -movflags ${flags} ${name}`);
}

interface Merged {
  readonly isMade: boolean;
  readonly path: string;
}

async function merge(output: string, names: readonly string[], reservedBytes = RESERVED_BYTES): Promise<Merged> {
  await using files = new AsyncDisposableStack();
  const growing = [];
  for (const name of names) {
    const file = files.use(await GrowingFile.create(at(`growing-${name}`)));
    await file.write(await readFile(at(name)), 0);
    await file.complete();
    growing.push({ path: file.path, growth: file });
  }
  const work = {
    files: growing,
    tags: TEST_TAGS,
    cover: undefined,
    outputPath: at(output),
    reservedBytes,
    maxFileBytes: 50_000_000,
    onBytes: () => undefined,
  };
  return { isMade: await mergeFragmented(work, never), path: at(output) };
}

interface Packet {
  readonly pts: number;
  readonly dts: number;
  readonly flags: string;
  readonly data_hash: string;
}

/** @returns the packets of a stream, as ffprobe reads them, with their times in units of the track */
async function packetsOf(name: string, stream: "v" | "a") {
  const entries = "packet=pts,dts,flags,data_hash";
  const args = ["-v", "error", "-select_streams", stream, "-show_data_hash", "md5", "-show_entries", entries];
  const { stdout } = await run(pipeline.tools.ffprobePath, [...args, "-of", "json", at(name)]);
  const { packets } = JSON.parse(stdout) as { packets: readonly Packet[] };
  return packets.map(({ pts, dts, flags, data_hash: hash }) => ({
    shown: pts,
    delay: pts - dts,
    isKey: flags.startsWith("K"),
    hash,
  }));
}

/** @returns the packets with times from the first one on */
function fromFirst(packets: Awaited<ReturnType<typeof packetsOf>>) {
  const first = Math.min(...packets.map(({ shown }) => shown));
  return packets.map(({ shown, ...rest }) => ({ ...rest, shown: shown - first }));
}

/**
 * Checks that a merged file has the same packets as ffmpeg's. They are compared from the first one on: ffmpeg plays the
 * silence that encoders put before a sound and that an edit list leaves out.
 */
async function expectSameAsFfmpeg(output: string, names: readonly string[]): Promise<void> {
  const inputs = names.map((name) => `-i ${name}`).join(" ");
  const maps = names.map((_, index) => `-map ${index}`).join(" ");
  await ffmpeg(`${inputs} ${maps} -c copy expected-${output}`);
  for (const stream of ["v", "a"] as const)
    expect(fromFirst(await packetsOf(output, stream))).toEqual(
      fromFirst(await packetsOf(`expected-${output}`, stream)),
    );
}

describe("fragmented sources", () => {
  it.each([
    ["without edit lists", FRAGMENTS],
    ["with edit lists", "+frag_keyframe+delay_moov+default_base_moof"],
    ["with frames that are shown before they are decoded", `${FRAGMENTS}+negative_cts_offsets`],
    ["of DASH, with an index of fragments", "+dash+delay_moov+global_sidx+default_base_moof -frag_duration 1000000"],
    ["with one frame in each fragment", "+frag_every_frame+empty_moov+default_base_moof"],
    ["with the data after the fragment's index in an offset", "+frag_keyframe+empty_moov+omit_tfhd_offset"],
  ])("%s become the file that ffmpeg makes", async (title, flags) => {
    const name = title.replaceAll(/\W+/g, "-");
    const names = [`picture-${name}.mp4`, `sound-${name}.mp4`];
    await split(`picture-${name}.mp4`, "0:v", flags);
    await split(`sound-${name}.mp4`, "0:a", flags);
    const { isMade, path } = await merge(`${name}.mp4`, names);
    expect(isMade).toBe(true);
    expect((await readLayout(path)).map(({ type }) => type)).toEqual(["ftyp", "moov", "free", "mdat"]);
    const read = await readMp4(path);
    expect(read).toMatchObject({ isWhole: true, video: { codec: "h264" }, audio: { codec: "aac" } });
    expect(read?.durationSeconds).toBeCloseTo(SECONDS, 1);
    await expectSameAsFfmpeg(`${name}.mp4`, names);
    const [picture, sound, source] = await Promise.all([
      packetsOf(`${name}.mp4`, "v"),
      packetsOf(`${name}.mp4`, "a"),
      packetsOf(`sound-${name}.mp4`, "a"),
    ]);
    expect(Math.min(...picture.map(({ shown }) => shown))).toBe(0);
    expect(sound[0]?.shown).toBe(source[0]?.shown);
  });

  it("may have a picture alone, and the sound first", async () => {
    expect((await merge("silent.mp4", ["picture.mp4"])).isMade).toBe(true);
    await expectSameAsFfmpeg("silent.mp4", ["picture.mp4"]);
    expect((await merge("sound-first.mp4", ["sound.mp4", "picture.mp4"])).isMade).toBe(true);
    await expectSameAsFfmpeg("sound-first.mp4", ["picture.mp4", "sound.mp4"]);
  });

  it("are stored in turns of a second, so that a player needs little of the file to begin", async () => {
    const { path } = await merge("turns.mp4", ["picture.mp4", "sound.mp4"]);
    const { stdout } = await run(pipeline.tools.ffprobePath, [
      ..."-v error -show_entries packet=stream_index,pos -of csv=p=0".split(" "),
      path,
    ]);
    const byPosition = stdout
      .trim()
      .split("\n")
      .map((line) => line.split(",").map(Number))
      .sort(([, a = 0], [, b = 0]) => a - b)
      .map(([stream]) => stream);
    const turns = byPosition.filter((stream, index) => stream !== byPosition[index - 1]);
    expect(turns).toEqual([0, 1, 0, 1, 0, 1, 0, 1]);
  });
});

/** Changes a file: `change` gets its bytes and its outermost boxes. */
async function altered(
  name: string,
  from: string,
  change: (bytes: Buffer, boxes: readonly Box[]) => Buffer,
): Promise<string> {
  const bytes = await readFile(at(from));
  await writeFile(at(name), change(bytes, [...boxesIn(bytes)]));
  return name;
}

/** @returns offset of the n-th field of a name in the file, from 0 on */
function placeOf(bytes: Buffer, type: string, count: number): number {
  let found = -1;
  for (let index = 0; index <= count; index += 1) found = bytes.indexOf(type, found + 1);
  if (found < 0) throw new TypeError(`there is no ${type}`);
  return found + 4;
}

it("keeps a gap between two fragments: the frame before it is shown longer", async () => {
  const unitsBefore = 3_000;
  const name = await altered("gap.mp4", "picture.mp4", (bytes) => {
    const time = placeOf(bytes, "tfdt", 3) + 4;
    bytes.writeBigUInt64BE(bytes.readBigUInt64BE(time) + BigInt(unitsBefore), time);
    return bytes;
  });
  expect((await merge("with-gap.mp4", [name, "sound.mp4"])).isMade).toBe(true);
  await expectSameAsFfmpeg("with-gap.mp4", [name, "sound.mp4"]);
});

it("leaves out what sites and encoders write about themselves", async () => {
  const secret = Buffer.from("secret-of-the-site");
  const name = await altered("talkative.mp4", "picture.mp4", (bytes, boxes) => {
    const index = boxes.findIndex(({ type }) => type === "moof");
    const before = bytes.subarray(0, boxes[index]?.start);
    const handler = before.indexOf("VideoHandler");
    before.write("SecretHandle", handler, "latin1");
    const added = [box("uuid", secret), box("free", secret), box("emsg", secret)];
    return Buffer.concat([before, ...added, bytes.subarray(before.length)]);
  });
  const { isMade, path } = await merge("quiet.mp4", [name, "sound.mp4"]);
  expect(isMade).toBe(true);
  expect((await readFile(path)).toString("latin1")).not.toMatch(/secret/i);
  await expectSameAsFfmpeg("quiet.mp4", [name, "sound.mp4"]);
});

describe("leaves to ffmpeg, without leaving a file,", () => {
  it.each<[string, () => Promise<readonly string[]>]>([
    ["two streams in one file", async () => (await split("both.mp4", "0", FRAGMENTS), ["both.mp4"])],
    ["two pictures", () => Promise.resolve(["picture.mp4", "picture.mp4"])],
    ["a sound alone", () => Promise.resolve(["sound.mp4"])],
    ["a source that is not fragmented", () => Promise.resolve(["whole.mp4"])],
    [
      "positions from the beginning of the file",
      async () => {
        await split("absolute.mp4", "0:v", "+frag_keyframe+empty_moov");
        return ["absolute.mp4", "sound.mp4"];
      },
    ],
    ["an empty source", async () => [await altered("empty.mp4", "picture.mp4", () => Buffer.alloc(0)), "sound.mp4"]],
    [
      "what is no MP4",
      async () => [await altered("text.mp4", "picture.mp4", () => Buffer.from("no box")), "sound.mp4"],
    ],
    [
      "a source that ends within its last frames",
      async () => [
        await altered("short.mp4", "picture.mp4", (bytes, boxes) =>
          bytes.subarray(0, (boxes.findLast(({ type }) => type === "mdat")?.end ?? 0) - 10),
        ),
        "sound.mp4",
      ],
    ],
    [
      "a source that ends within the index of a fragment",
      async () => [
        await altered("cut.mp4", "picture.mp4", (bytes, boxes) =>
          bytes.subarray(0, (boxes.findLast(({ type }) => type === "moof")?.start ?? 0) + 30),
        ),
        "sound.mp4",
      ],
    ],
    [
      "more frames than the bytes of a fragment can name",
      async () => [
        await altered("many.mp4", "picture.mp4", (bytes) => {
          bytes.writeUInt32BE(0xffff_ffff, placeOf(bytes, "trun", 1) + 4);
          return bytes;
        }),
        "sound.mp4",
      ],
    ],
    [
      "millions of frames without a size of their own",
      async () => [
        await altered("sizeless.mp4", "picture.mp4", (bytes) => {
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
        await altered("outside.mp4", "picture.mp4", (bytes) => {
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
        await altered("back.mp4", "picture.mp4", (bytes) => {
          bytes.writeBigUInt64BE(0n, placeOf(bytes, "tfdt", 2) + 4);
          return bytes;
        }),
        "sound.mp4",
      ],
    ],
    [
      "a picture that begins late",
      async () => [
        await altered("late.mp4", "picture.mp4", (bytes) => {
          bytes.writeBigUInt64BE(90_000n, placeOf(bytes, "tfdt", 0) + 4);
          return bytes;
        }),
        "sound.mp4",
      ],
    ],
  ])("%s", async (_, write) => {
    const { isMade } = await merge("unusual.mp4", await write());
    expect(isMade).toBe(false);
    expect(await readdir(folder)).not.toContain("unusual.mp4");
  });

  it("an index that is larger than its place, by one byte more than there is", async () => {
    const { path } = await merge("room.mp4", ["picture.mp4", "sound.mp4"]);
    const index = (await readLayout(path)).find(({ type }) => type === "moov");
    const indexBytes = (index?.end ?? 0) - (index?.start ?? 0);
    const emptyBoxBytes = 8;
    expect((await merge("full.mp4", ["picture.mp4", "sound.mp4"], indexBytes + emptyBoxBytes)).isMade).toBe(true);
    await expectSameAsFfmpeg("full.mp4", ["picture.mp4", "sound.mp4"]);
    expect((await merge("over.mp4", ["picture.mp4", "sound.mp4"], indexBytes + emptyBoxBytes - 1)).isMade).toBe(false);
    expect(await readdir(folder)).not.toContain("over.mp4");
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
  const picture = await readFile(at("picture.mp4"));
  const fragmentsEnd = [...boxesIn(picture)].findLast(({ type }) => type === "mdat")?.end ?? 0;
  const later = 1_000_000n + picture.readBigUInt64BE(placeOf(picture, "tfdt", SECONDS - 1) + 4);
  const hostile = Array.from({ length: 300 }, () => emptyFrames(20_000, later));
  await using file = await GrowingFile.create(at("many-frames.mp4"));
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
    outputPath: at("hostile.mp4"),
    reservedBytes: RESERVED_BYTES,
    maxFileBytes: 50_000_000,
    onBytes: () => undefined,
  };
  expect(await mergeFragmented(work, never)).toBe(false);
  expect(furthest).toBeGreaterThan(fragmentsEnd);
  expect(furthest).toBeLessThan(fragmentsEnd + 2 * (hostile[0]?.length ?? 0));
});

it("throws the error of a source that breaks off", async () => {
  await using file = await GrowingFile.create(at("broken.mp4"));
  const bytes = await readFile(at("picture.mp4"));
  await file.write(bytes.subarray(0, bytes.length / 2), 0);
  const work = {
    files: [{ path: file.path, growth: file }],
    tags: TEST_TAGS,
    cover: undefined,
    outputPath: at("half.mp4"),
    reservedBytes: RESERVED_BYTES,
    maxFileBytes: 50_000_000,
    onBytes: () => file.fail(new Error("the connection broke")),
  };
  await expect(mergeFragmented(work, never)).rejects.toThrow("the connection broke");
  expect(await readdir(folder)).not.toContain("half.mp4");
});
