/** Picture and sound of fragmented sources, put into one MP4 without a tool: the same as ffmpeg makes of them. */
import { readdir, readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { probed, probedLines } from "../../dev/testing/ffmpeg.ts";
import { ofFile } from "../../dev/testing/of-file.ts";
import { FRAGMENTED_SECONDS, FragmentedClips, FRAGMENTS, placeOf } from "../../dev/testing/fragmented-clips.ts";
import { readLayout } from "../mp4/layout.ts";
import { box } from "../mp4/write-box.ts";
import { readMp4 } from "../verify/read-mp4.ts";

const clips = await ofFile(FragmentedClips.open());

interface Packet {
  readonly codec_type: "video" | "audio";
  readonly pts: number;
  readonly dts: number;
  readonly flags: string;
  readonly data_hash: string;
}

/** @returns the packets of each stream, as ffprobe reads them, with their times in units of the track */
async function packetsOf(name: string) {
  const entries = "packet=codec_type,pts,dts,flags,data_hash";
  const shown = ["-show_data_hash", "md5", "-show_entries", entries, clips.at(name)];
  const { packets } = await probed<{ packets: readonly Packet[] }>(...shown);
  const of = (kind: Packet["codec_type"]) =>
    packets
      .filter(({ codec_type: type }) => type === kind)
      .map(({ pts, dts, flags, data_hash: hash }) => ({
        shown: pts,
        delay: pts - dts,
        isKey: flags.startsWith("K"),
        hash,
      }));
  return { picture: of("video"), sound: of("audio") };
}

type Packets = Awaited<ReturnType<typeof packetsOf>>;

/** @returns the packets with times from the first one on */
function fromFirst(packets: Packets["sound"]) {
  const first = Math.min(...packets.map(({ shown }) => shown));
  return packets.map(({ shown, ...rest }) => ({ ...rest, shown: shown - first }));
}

/**
 * Checks that a merged file has the same packets as ffmpeg's. They are compared from the first one on: ffmpeg plays the
 * silence that encoders put before a sound and that an edit list leaves out.
 * @returns the packets of the merged file
 */
async function expectSameAsFfmpeg(output: string, names: readonly string[]): Promise<Packets> {
  const inputs = names.map((name) => `-i ${name}`).join(" ");
  const maps = names.map((_, index) => `-map ${index}`).join(" ");
  await clips.ffmpeg(`${inputs} ${maps} -c copy expected-${output}`);
  const [made, expected] = await Promise.all([packetsOf(output), packetsOf(`expected-${output}`)]);
  expect(made.picture.length).toBeGreaterThan(0);
  expect(fromFirst(made.picture)).toEqual(fromFirst(expected.picture));
  expect(fromFirst(made.sound)).toEqual(fromFirst(expected.sound));
  return made;
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
    await clips.split([`picture-${name}.mp4`, "0:v", flags], [`sound-${name}.mp4`, "0:a", flags]);
    const { isMade, path } = await clips.merge(`${name}.mp4`, names);
    expect(isMade).toBe(true);
    expect((await readLayout(path)).map(({ type }) => type)).toEqual(["ftyp", "moov", "free", "mdat"]);
    const read = await readMp4(path);
    expect(read).toMatchObject({ isWhole: true, video: { codec: "h264" }, audio: { codec: "aac" } });
    expect(read?.durationSeconds).toBeCloseTo(FRAGMENTED_SECONDS, 1);
    const { picture, sound } = await expectSameAsFfmpeg(`${name}.mp4`, names);
    const source = await packetsOf(`sound-${name}.mp4`);
    expect(Math.min(...picture.map(({ shown }) => shown))).toBe(0);
    expect(sound[0]?.shown).toBe(source.sound[0]?.shown);
  });

  it("may have a picture alone, and the sound first", async () => {
    expect((await clips.merge("silent.mp4", ["picture.mp4"])).isMade).toBe(true);
    await expectSameAsFfmpeg("silent.mp4", ["picture.mp4"]);
    expect((await clips.merge("sound-first.mp4", ["sound.mp4", "picture.mp4"])).isMade).toBe(true);
    await expectSameAsFfmpeg("sound-first.mp4", ["picture.mp4", "sound.mp4"]);
  });

  it("are stored in turns of a second, so that a player needs little of the file to begin", async () => {
    const { path } = await clips.merge("turns.mp4", ["picture.mp4", "sound.mp4"]);
    const byPosition = (await probedLines("-show_entries", "packet=stream_index,pos", path))
      .map((line) => line.split(",").map(Number))
      .sort(([, a = 0], [, b = 0]) => a - b)
      .map(([stream]) => stream);
    const turns = byPosition.filter((stream, index) => stream !== byPosition[index - 1]);
    expect(turns).toEqual([0, 1, 0, 1, 0, 1, 0, 1]);
  });
});

it("keeps a gap between two fragments: the frame before it is shown longer", async () => {
  const unitsBefore = 3_000;
  const name = await clips.altered("gap.mp4", "picture.mp4", (bytes) => {
    const time = placeOf(bytes, "tfdt", 3) + 4;
    bytes.writeBigUInt64BE(bytes.readBigUInt64BE(time) + BigInt(unitsBefore), time);
    return bytes;
  });
  expect((await clips.merge("with-gap.mp4", [name, "sound.mp4"])).isMade).toBe(true);
  await expectSameAsFfmpeg("with-gap.mp4", [name, "sound.mp4"]);
});

it("leaves out what sites and encoders write about themselves", async () => {
  const secret = Buffer.from("secret-of-the-site");
  const name = await clips.altered("talkative.mp4", "picture.mp4", (bytes, boxes) => {
    const index = boxes.findIndex(({ type }) => type === "moof");
    const before = bytes.subarray(0, boxes[index]?.start);
    const handler = before.indexOf("VideoHandler");
    before.write("SecretHandle", handler, "latin1");
    const added = [box("uuid", secret), box("free", secret), box("emsg", secret)];
    return Buffer.concat([before, ...added, bytes.subarray(before.length)]);
  });
  const { isMade, path } = await clips.merge("quiet.mp4", [name, "sound.mp4"]);
  expect(isMade).toBe(true);
  expect((await readFile(path)).toString("latin1")).not.toMatch(/secret/i);
  await expectSameAsFfmpeg("quiet.mp4", [name, "sound.mp4"]);
});

it("leaves an index to ffmpeg that is larger than its place, by one byte more than there is", async () => {
  const { path } = await clips.merge("room.mp4", ["picture.mp4", "sound.mp4"]);
  const index = (await readLayout(path)).find(({ type }) => type === "moov");
  const indexBytes = (index?.end ?? 0) - (index?.start ?? 0);
  const emptyBoxBytes = 8;
  expect((await clips.merge("full.mp4", ["picture.mp4", "sound.mp4"], indexBytes + emptyBoxBytes)).isMade).toBe(true);
  await expectSameAsFfmpeg("full.mp4", ["picture.mp4", "sound.mp4"]);
  expect((await clips.merge("over.mp4", ["picture.mp4", "sound.mp4"], indexBytes + emptyBoxBytes - 1)).isMade).toBe(
    false,
  );
  expect(await readdir(clips.folder)).not.toContain("over.mp4");
});
