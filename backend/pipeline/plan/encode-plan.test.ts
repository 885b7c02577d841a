import { describe, expect, it } from "vitest";
import { describeShortfall } from "../../../common/shortfall.ts";
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
const methods = ({ video, audio, shortfall }: Mp4Plan) => [
  video.method,
  "heightLines" in video ? video.heightLines : undefined,
  audio?.method,
  shortfall && describeShortfall(shortfall),
];
const mp4 = (sources: readonly MediaFile[], limits = TIERS.free) => methods(planEncode("mp4", sources, limits));

describe("planEncode for MP4", () => {
  it.each([
    ["copies H.264 and AAC", [file({ video: h264, audio: aac })], ["copy", undefined, "copy", undefined]],
    [
      "copies picture and sound from two files",
      [file({ video: h264 }), file({ audio: aac })],
      ["copy", undefined, "copy", undefined],
    ],
    [
      "encodes only the sound when only its codec is not AAC",
      [file({ video: h264, audio: { ...aac, codec: "opus" } })],
      ["copy", undefined, "encode", undefined],
    ],
    [
      "encodes another video codec at its own height",
      [file({ video: { ...h264, codec: "vp9", heightLines: 360 }, audio: aac })],
      ["encode", 360, "copy", undefined],
    ],
    [
      "reduces a tall picture to the height of the tier",
      [file({ video: { ...h264, heightLines: 1_080 }, audio: aac })],
      ["encode", 480, "copy", undefined],
    ],
    [
      "encodes 10-bit pictures, which old phones do not play",
      [file({ video: { ...h264, pixelFormat: "yuv420p10le" } })],
      ["encode", 480, undefined, undefined],
    ],
    [
      "rounds an odd height down to an even one",
      [file({ video: { ...h264, codec: "vp9", heightLines: 359 } })],
      ["encode", 358, undefined, undefined],
    ],
    [
      "plans a still picture for a source without video",
      [file({ audio: aac })],
      ["still", undefined, "copy", undefined],
    ],
    [
      "reduces the height to fit the size limit, with a note",
      [file({ video: { ...h264, durationSeconds: 1_150 }, audio: aac, sizeBytes: 80 * BYTES_PER_MB })],
      ["encode", 240, "copy", "240p to fit 50 MB"],
    ],
  ])("%s", (_, sources, expected) => {
    expect(mp4(sources)).toEqual(expected);
  });

  it.each<[string, Partial<VideoStream>, number, string]>([
    ["deinterlaces a picture", { firstField: "tff" }, 60, "encode 480"],
    ["copies a picture that would take too long to deinterlace", { firstField: "tff" }, 1_000, "copy undefined"],
    ["encodes a picture in another shape than its pixels say", { shownRatio: 4 / 3 }, 60, "encode 480"],
    ["encodes a picture that changes its size", { changesSize: true }, 60, "encode 480"],
    ["encodes a picture with a high dynamic range in 8 bits", { isHdr: true }, 60, "encode 480"],
    ["encodes a portrait with its width", { widthPixels: 1_080, heightLines: 1_920 }, 60, "encode 480"],
    ["copies a portrait that is as wide", { widthPixels: 480, heightLines: 854 }, 60, "copy undefined"],
  ])("%s", (_, about, durationSeconds, expected) => {
    const isLong = durationSeconds > 60;
    // Only the sizes of Pro take so long.
    const size = isLong ? { widthPixels: 1_920, heightLines: 1_080 } : {};
    const video = { ...h264, ...size, ...about, durationSeconds };
    const source = file({ video, audio: { ...aac, durationSeconds }, durationSeconds });
    const [method, lines] = mp4([source], isLong ? TIERS.pro : TIERS.free);
    expect(`${method} ${lines}`).toBe(expected);
  });

  it("plans bit rates that fit the size limit", () => {
    for (const durationSeconds of [60, 600, 1_199]) {
      const plan = planEncode(
        "mp4",
        [file({ video: { ...h264, codec: "vp9", durationSeconds }, audio: { ...aac, durationSeconds } })],
        TIERS.free,
      );
      const kbps =
        (plan.video.method === "encode" ? (plan.video.maxBitrateKbps ?? Infinity) : 0) + (plan.audio?.bitrateKbps ?? 0);
      expect((kbps * 1_000 * durationSeconds) / 8).toBeLessThan(TIERS.free.maxFileBytes);
    }
  });

  it("throws too_large with both sizes when the lowest quality does not fit", () => {
    const limits = { ...TIERS.free, maxFileBytes: BYTES_PER_MB };
    expect(() => mp4([file({ video: h264, audio: aac })], limits)).toThrow(
      expect.objectContaining({
        code: "too_large",
        message: "This video would take 2 MB at the lowest quality; your plan allows 1 MB. Pro takes up to 500 MB.",
      }),
    );
  });

  it("throws too_long when the probed duration exceeds the limit", () => {
    expect(() => mp4([file({ video: { ...h264, durationSeconds: 10_800 } })])).toThrow(
      expect.objectContaining({ code: "too_long" }),
    );
  });

  it("throws unavailable for sources without any stream", () => {
    expect(() => mp4([file({})])).toThrow(expect.objectContaining({ code: "unavailable" }));
  });
});

describe("planEncode for MP3", () => {
  it("uses the tier's bit rate and the duration of the audio stream", () => {
    expect(planEncode("mp3", [file({ video: h264, audio: { ...aac, durationSeconds: 58 } })], TIERS.pro)).toMatchObject(
      { bitrateKbps: 320, durationSeconds: 58 },
    );
  });

  it("throws unavailable for a source without sound", () => {
    expect(() => planEncode("mp3", [file({ video: h264 })], TIERS.free)).toThrow(
      "This video has no sound to make an MP3 from.",
    );
  });
});

describe("spans that are left out", () => {
  const spans = [{ startSeconds: 10, endSeconds: 25 }];
  const plan = (about: Partial<VideoStream> = {}, limits = TIERS.pro) => {
    const seconds = about.durationSeconds ?? 60;
    const source = {
      durationSeconds: seconds,
      video: { ...h264, ...about },
      audio: { ...aac, durationSeconds: seconds },
    };
    return planEncode("mp4", [file(source)], limits, undefined, { spans });
  };

  it("make picture and sound be encoded, however long that takes", () => {
    expect(methods(plan())).toEqual(["encode", 480, "encode", undefined]);
    expect(plan({ durationSeconds: 7_000, heightLines: 1_080 }).video.method).toBe("encode");
    expect(plan()).toMatchObject({ durationSeconds: 45, part: { startSeconds: 0, endSeconds: 60 }, cuts: spans });
  });

  it("do not lift the limit of length", () => {
    expect(() => plan({ durationSeconds: TIERS.free.maxDurationSeconds + 10 }, TIERS.free)).toThrow(
      expect.objectContaining({ code: "too_long" }),
    );
  });

  it("change nothing outside of a part", () => {
    const part = { startSeconds: 30, endSeconds: 40 };
    const planned = planEncode("mp3", [file({ audio: aac })], TIERS.free, part, { spans });
    expect(planned).toMatchObject({ durationSeconds: 10, part });
    expect(planned.cuts).toBeUndefined();
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

  it("passes a title as one argument, whatever characters it has", () => {
    const title = `-i /etc/passwd "quoted" $(id) -y`;
    expect(encode("mp4", title)).toContain(`title=${title}`);
  });

  it("puts the protocol whitelist before the input", () => {
    const args = encode("mp4", "t");
    const input = args.indexOf("-i");
    const whitelist = args.indexOf("-protocol_whitelist");
    expect(whitelist).toBeGreaterThanOrEqual(0);
    expect(whitelist).toBeLessThan(input);
    expect(args[whitelist + 1]).toBe("file,pipe");
  });
});
