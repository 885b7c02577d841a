import { describe, expect, it } from "vitest";
import { describeShortfall } from "../../../common/shortfall.ts";
import { BYTES_PER_MB, TIERS } from "../../../common/tiers.ts";
import { testInfo } from "../../dev/testing/test-info.ts";
import { testRendition } from "../../dev/testing/test-rendition.ts";
import { planFetch } from "./fetch-plan.ts";
import type { Rendition, VideoInfo } from "../probe/info.ts";

const rendition = (id: string, about: Partial<Rendition>): Rendition =>
  testRendition({ id, url: `https://cdn.example/${id}`, ...about });
const picture = (
  id: string,
  videoCodec: string,
  heightLines: number,
  bitrateKbps: number,
  about: Partial<Rendition> = {},
) => rendition(id, { hasAudio: false, videoCodec, heightLines, bitrateKbps, ...about });
const sound = (id: string, audioCodec: string, bitrateKbps: number, about: Partial<Rendition> = {}) =>
  rendition(id, { hasVideo: false, audioCodec, bitrateKbps, audioBitrateKbps: bitrateKbps, ...about });

/** Renditions as a large video site offers them, worst first. */
const SITE = [
  sound("249", "opus", 50),
  sound("140", "mp4a.40.2", 129),
  sound("251", "opus", 140),
  rendition("18", { videoCodec: "avc1.42001e", audioCodec: "mp4a.40.2", heightLines: 360, bitrateKbps: 450 }),
  picture("160", "avc1.4d400c", 144, 80),
  picture("133", "avc1.4d4015", 240, 150),
  picture("134", "avc1.4d401e", 360, 300),
  picture("135", "avc1.4d401f", 480, 600),
  picture("244", "vp9", 480, 400),
  picture("136", "avc1.64001f", 720, 1_200),
  picture("137", "avc1.640028", 1_080, 2_500),
  picture("248", "vp9", 1_080, 1_800),
  picture("313", "vp9", 2_160, 9_000),
];

/** Renditions as an HLS playlist offers them: the bit rate of the sound alone is not stated. */
const LADDER_WITH_SOUND = [
  rendition("240", { audioCodec: "mp4a.40.2", heightLines: 240, bitrateKbps: 470 }),
  rendition("720", { audioCodec: "mp4a.40.2", heightLines: 720, bitrateKbps: 2_250 }),
];

const video = (renditions: readonly Rendition[], durationSeconds?: number): VideoInfo =>
  testInfo(durationSeconds, ...renditions);
const chosen = (info: VideoInfo, format: "mp3" | "mp4", limits = TIERS.free) => {
  const plan = planFetch(info, format, limits, limits.maxFileBytes * 4);
  return [plan.renditions.map(({ id }) => id).join("+"), plan.shortfall && describeShortfall(plan.shortfall)];
};

describe("planFetch", () => {
  it.each([
    ["MP3 of Pro: the best sound", SITE, 300, "mp3", TIERS.pro, "251", undefined],
    ["MP3 of the free tier: the cheapest sound with enough bit rate", SITE, 300, "mp3", TIERS.free, "140", undefined],
    [
      "MP3 from the best sound when none has enough bit rate",
      [sound("lo", "opus", 50), sound("hi", "opus", 70)],
      300,
      "mp3",
      TIERS.free,
      "hi",
      undefined,
    ],
    [
      "MP3 from a sound-only rendition before one with a picture",
      [sound("a", "mp4a", 96), rendition("v", { heightLines: 240, audioBitrateKbps: 128 })],
      300,
      "mp3",
      TIERS.free,
      "a",
      undefined,
    ],
    [
      "MP3 from the cheapest rendition when all have the same sound codec",
      LADDER_WITH_SOUND,
      300,
      "mp3",
      TIERS.free,
      "240",
      undefined,
    ],
    [
      "MP3 of Pro from the tallest picture when no bit rate of sound is stated",
      LADDER_WITH_SOUND,
      300,
      "mp3",
      TIERS.pro,
      "720",
      undefined,
    ],
    [
      "MP3 from a rendition whose total bit rate leaves enough for the sound",
      [rendition("tiny", { audioCodec: "mp4a.40.2", bitrateKbps: 150 }), ...LADDER_WITH_SOUND],
      300,
      "mp3",
      TIERS.free,
      "240",
      undefined,
    ],
    [
      "MP3 from the tallest picture when the sound codecs differ",
      [
        rendition("he", { audioCodec: "mp4a.40.5", heightLines: 240, bitrateKbps: 470 }),
        rendition("lc", { audioCodec: "mp4a.40.2", heightLines: 720, bitrateKbps: 2_250 }),
      ],
      300,
      "mp3",
      TIERS.free,
      "lc",
      undefined,
    ],
    [
      "MP3 of Pro from the lowest picture when the stated sound is equal",
      [
        rendition("hi", { heightLines: 720, audioBitrateKbps: 128 }),
        rendition("lo", { heightLines: 240, audioBitrateKbps: 128 }),
      ],
      300,
      "mp3",
      TIERS.pro,
      "lo",
      undefined,
    ],
    [
      "MP3 from uncompressed loudness before compressed loudness of equal size",
      [sound("140-drc", "mp4a.40.2", 129, { sizeBytes: 5_000 }), sound("140", "mp4a.40.2", 129, { sizeBytes: 5_000 })],
      300,
      "mp3",
      TIERS.free,
      "140",
      undefined,
    ],
    [
      "MP3 of Pro from uncompressed loudness, also when compressed loudness is listed as better",
      [sound("251", "opus", 140), sound("251-drc", "opus", 140)],
      300,
      "mp3",
      TIERS.pro,
      "251",
      undefined,
    ],
    [
      "MP3 from compressed loudness when there is nothing else",
      [sound("140-drc", "mp4a.40.2", 129)],
      300,
      "mp3",
      TIERS.pro,
      "140-drc",
      undefined,
    ],
    [
      "MP3 in the original language",
      [sound("en", "opus", 100, { languagePreference: 10 }), sound("de", "opus", 140)],
      300,
      "mp3",
      TIERS.free,
      "en",
      undefined,
    ],
    [
      "MP3 from the lowest picture of equal sound",
      [rendition("hi", { heightLines: 720 }), rendition("lo", { heightLines: 240 })],
      300,
      "mp3",
      TIERS.free,
      "lo",
      undefined,
    ],
    [
      "MP3 from the sound with the higher bit rate",
      [
        rendition("hi", { heightLines: 720, audioBitrateKbps: 128 }),
        rendition("lo", { heightLines: 240, audioBitrateKbps: 48 }),
      ],
      300,
      "mp3",
      TIERS.free,
      "hi",
      undefined,
    ],
    ["MP4 of the free tier: 480 lines, copied", SITE, 300, "mp4", TIERS.free, "135+140", undefined],
    ["MP4 of Pro: 1080 lines, copied", SITE, 300, "mp4", TIERS.pro, "137+140", undefined],
    ["MP4 that fits only at a lower height", SITE, 1_190, "mp4", TIERS.free, "133+140", "240p to fit 50 MB"],
    ["MP4 of Pro that fits only at a lower height", SITE, 7_200, "mp4", TIERS.pro, "134+140", "360p to fit 500 MB"],
    [
      "MP4 from another codec when there is no H.264",
      SITE.filter(({ videoCodec }) => videoCodec === "vp9" || !videoCodec),
      300,
      "mp4",
      TIERS.free,
      "244+251",
      undefined,
    ],
    [
      "MP4 from the lowest picture above the limit when all are too tall",
      [picture("313", "vp9", 2_160, 9_000), picture("271", "vp9", 1_440, 5_000), sound("140", "mp4a.40.2", 129)],
      60,
      "mp4",
      TIERS.free,
      "271+140",
      undefined,
    ],
    ["MP4 of a silent video", [picture("135", "avc1.4d401f", 480, 600)], 300, "mp4", TIERS.free, "135", undefined],
    ["MP4 of a source without picture", [sound("251", "opus", 140)], 300, "mp4", TIERS.free, "251", undefined],
    ["MP4 from a rendition without any metadata", [rendition("0", {})], undefined, "mp4", TIERS.free, "0", undefined],
    [
      "MP4 from known codecs before unknown ones",
      [
        rendition("known", { videoCodec: "avc1", audioCodec: "mp4a", heightLines: 360 }),
        rendition("vague", { heightLines: 480 }),
      ],
      60,
      "mp4",
      TIERS.free,
      "known",
      undefined,
    ],
  ] as const)("chooses for %s", (_, renditions, durationSeconds, format, limits, ids, note) => {
    expect(chosen(video(renditions, durationSeconds), format, limits)).toEqual([ids, note]);
  });

  it.each([
    [1_201, TIERS.free, "Longer than 20 minutes. Pro takes up to 2 hours."],
    [7_201, TIERS.pro, "Longer than 2 hours, the longest that can be converted."],
  ])("throws too_long for %d s", (durationSeconds, limits, message) => {
    expect(() => chosen(video(SITE, durationSeconds), "mp3", limits)).toThrow(
      expect.objectContaining({ code: "too_long", message }),
    );
  });

  it("accepts a video of exactly the longest duration", () => {
    expect(chosen(video(SITE, 1_200), "mp3")).toEqual(["140", undefined]);
  });

  it("throws too_large with both sizes when no quality fits", () => {
    const limits = { ...TIERS.free, maxFileBytes: 10 * BYTES_PER_MB };
    expect(() => chosen(video(SITE, 1_000), "mp4", limits)).toThrow(
      expect.objectContaining({
        code: "too_large",
        message: "This video would take 23 MB at the lowest quality; your plan allows 10 MB. Pro takes up to 500 MB.",
      }),
    );
  });

  it("throws too_large for a source above maxSourceBytes", () => {
    const huge = rendition("0", { sizeBytes: 900 * BYTES_PER_MB });
    const message = "This video is 900 MB at its source, too much to fetch for a file of at most 50 MB.";
    expect(() => chosen(video([huge], 30), "mp4")).toThrow(expect.objectContaining({ code: "too_large", message }));
    expect(() => chosen(video([huge], 30), "mp3")).toThrow(expect.objectContaining({ code: "too_large", message }));
  });

  it("throws unavailable for an MP3 of a video without sound", () => {
    expect(() => chosen(video([picture("135", "avc1.4d401f", 480, 600)], 60), "mp3")).toThrow(
      expect.objectContaining({ code: "unavailable", message: "This video has no sound to make an MP3 from." }),
    );
  });

  it("plans a positive, finite time for each stage", () => {
    for (const format of ["mp3", "mp4"] as const) {
      const { stageSeconds } = planFetch(video(SITE, 600), format, TIERS.free, 200 * BYTES_PER_MB);
      expect(Object.values(stageSeconds).every(Number.isFinite)).toBe(true);
      expect(Math.min(...Object.values(stageSeconds))).toBeGreaterThan(0);
    }
  });
});
