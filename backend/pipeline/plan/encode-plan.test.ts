import { describe, expect, it } from "vitest";
import { BYTES_PER_MB, TIERS } from "../../../common/tiers.ts";
import { encodeArgs } from "../encode/encode.ts";
import { planEncode, type Mp4Plan } from "./encode-plan.ts";
import type { AudioStream, MediaFile, VideoStream } from "../probe/media-file.ts";

const h264: VideoStream = {
  index: 0,
  codec: "h264",
  pixelFormat: "yuv420p",
  widthPixels: 854,
  heightLines: 480,
  durationSeconds: 60,
};
const aac: AudioStream = {
  index: 1,
  codec: "aac",
  channelCount: 2,
  sampleRateHz: 44_100,
  durationSeconds: 60,
  bitrateKbps: 128,
};
const file = (about: Partial<MediaFile>): MediaFile => ({
  path: "/job/source-0",
  container: "mov,mp4,m4a,3gp,3g2,mj2",
  sizeBytes: 5 * BYTES_PER_MB,
  durationSeconds: 60,
  hasAttachedPicture: false,
  ...about,
});
const methods = ({ video, audio, note }: Mp4Plan) => [
  video.method,
  "heightLines" in video ? video.heightLines : undefined,
  audio?.method,
  note,
];
const mp4 = (sources: readonly MediaFile[], limits = TIERS.free) =>
  methods(planEncode("mp4", sources, limits) as Mp4Plan);

describe("planEncode for MP4", () => {
  it.each([
    ["copies what every phone plays", [file({ video: h264, audio: aac })], ["copy", undefined, "copy", undefined]],
    [
      "joins picture and sound fetched apart",
      [file({ video: h264 }), file({ audio: aac })],
      ["copy", undefined, "copy", undefined],
    ],
    [
      "encodes only the sound when only that is foreign",
      [file({ video: h264, audio: { ...aac, codec: "opus" } })],
      ["copy", undefined, "encode", undefined],
    ],
    [
      "encodes a foreign picture at its own height",
      [file({ video: { ...h264, codec: "vp9", heightLines: 360 }, audio: aac })],
      ["encode", 360, "copy", undefined],
    ],
    [
      "makes a tall picture as tall as the tier gives, no more",
      [file({ video: { ...h264, heightLines: 1_080 }, audio: aac })],
      ["encode", 480, "copy", undefined],
    ],
    [
      "encodes 10-bit pictures, which phones do not play",
      [file({ video: { ...h264, pixelFormat: "yuv420p10le" } })],
      ["encode", 480, undefined, undefined],
    ],
    [
      "makes odd heights even",
      [file({ video: { ...h264, codec: "vp9", heightLines: 359 } })],
      ["encode", 358, undefined, undefined],
    ],
    ["puts a still picture to sound alone", [file({ audio: aac })], ["still", undefined, "copy", undefined]],
    [
      "goes lower when the size asks for it, and says so",
      [file({ video: { ...h264, durationSeconds: 1_150 }, audio: aac, sizeBytes: 80 * BYTES_PER_MB })],
      ["encode", 240, "copy", "240p to fit 50 MB"],
    ],
  ])("%s", (_, sources, expected) => {
    expect(mp4(sources)).toEqual(expected);
  });

  it("never plans more bits than the size allows", () => {
    for (const durationSeconds of [60, 600, 1_199]) {
      const plan = planEncode(
        "mp4",
        [file({ video: { ...h264, codec: "vp9", durationSeconds }, audio: { ...aac, durationSeconds } })],
        TIERS.free,
      ) as Mp4Plan;
      const kbps =
        (plan.video.method === "encode" ? (plan.video.maxBitrateKbps ?? Infinity) : 0) + (plan.audio?.bitrateKbps ?? 0);
      expect((kbps * 1_000 * durationSeconds) / 8).toBeLessThan(TIERS.free.maxFileBytes);
    }
  });

  it("names both sizes when even the lowest quality does not fit", () => {
    const limits = { ...TIERS.free, maxFileBytes: BYTES_PER_MB };
    expect(() => mp4([file({ video: h264, audio: aac })], limits)).toThrow(
      expect.objectContaining({
        code: "too_large",
        message: "This video would take 2 MB at the lowest quality; your plan allows 1 MB. Pro takes up to 500 MB.",
      }),
    );
  });

  it("finds a video too long that had not said so", () => {
    expect(() => mp4([file({ video: { ...h264, durationSeconds: 10_800 } })])).toThrow(
      expect.objectContaining({ code: "too_long" }),
    );
  });

  it("finds nothing to make a video of", () => {
    expect(() => mp4([file({})])).toThrow(expect.objectContaining({ code: "unavailable" }));
  });
});

describe("planEncode for MP3", () => {
  it("takes the tier's bit rate and the sound's own duration", () => {
    expect(planEncode("mp3", [file({ video: h264, audio: { ...aac, durationSeconds: 58 } })], TIERS.pro)).toMatchObject(
      { bitrateKbps: 320, durationSeconds: 58 },
    );
  });

  it("says that a silent file makes none", () => {
    expect(() => planEncode("mp3", [file({ video: h264 })], TIERS.free)).toThrow(
      "This video has no sound to make an MP3 from.",
    );
  });
});

describe("encodeArgs", () => {
  const encode = (format: "mp3" | "mp4", title: string) => {
    const sources = [file({ video: h264, audio: aac })];
    return encodeArgs(
      {
        plan: planEncode(format, sources, TIERS.free),
        sources,
        tags: { title },
        coverPath: "/job/cover.jpg",
        outputPath: "/job/result",
        maxFileBytes: 50 * BYTES_PER_MB,
      },
      1_000,
    );
  };

  it("hands a title on as one argument, whatever is in it", () => {
    const title = `-i /etc/passwd "quoted" $(id) -y`;
    expect(encode("mp3", title)).toContain(`title=${title}`);
  });

  it("lets no input lead elsewhere", () => {
    const args = encode("mp4", "t");
    const [input, whitelist] = [args.indexOf("-i"), args.indexOf("-protocol_whitelist")];
    expect(whitelist).toBeGreaterThanOrEqual(0);
    expect(whitelist).toBeLessThan(input);
    expect(args[whitelist + 1]).toBe("file,pipe");
  });
});
