import { expect, it } from "vitest";
import type { Estimate } from "../../../common/api.ts";
import type { Format, Tier } from "../../../common/tiers.ts";
import { testInfo } from "../../dev/testing/test-info.ts";
import { estimate } from "./estimate.ts";
import type { Rendition, VideoInfo } from "../probe/info.ts";

const MB = 1_000_000;

const h264 = (heightLines: number, sizeBytes: number): Partial<Rendition> => ({
  heightLines,
  sizeBytes,
  videoCodec: "avc1.64001f",
  audioCodec: "mp4a.40.2",
});

it.each<[string, VideoInfo, Format, Tier, Partial<Estimate>]>([
  [
    "the size of an MP3 by duration and bit rate",
    testInfo(600, h264(360, MB)),
    "mp3",
    "free",
    { sizeBytes: 9_600_000, fits: true, note: null },
  ],
  [
    "the size of an MP3 at the bit rate of Pro",
    testInfo(600, h264(360, MB)),
    "mp3",
    "pro",
    { sizeBytes: 24_000_000, fits: true, note: null },
  ],
  [
    "no size for an MP3 of unknown duration",
    testInfo(undefined, h264(360, MB)),
    "mp3",
    "free",
    { sizeBytes: null, fits: true, note: null },
  ],
  [
    "the size of an MP4 that is copied",
    testInfo(600, h264(480, 30 * MB)),
    "mp4",
    "free",
    { sizeBytes: 30 * MB, fits: true, note: null },
  ],
  [
    "a lower MP4 when the tallest does not fit",
    testInfo(600, h264(360, 30 * MB), h264(480, 60 * MB)),
    "mp4",
    "free",
    {
      sizeBytes: 30 * MB,
      fits: true,
      note: "360p to fit 50 MB",
      shortfall: { reason: "file_size", heightLines: 360, maxBytes: 50 * MB },
    },
  ],
  [
    "no size for an MP4 that is encoded",
    testInfo(600, { heightLines: 480, sizeBytes: 30 * MB, videoCodec: "vp9", audioCodec: "opus" }),
    "mp4",
    "free",
    { sizeBytes: null, fits: true, note: null },
  ],
  [
    "that a video is too long",
    testInfo(3_600, h264(480, 30 * MB)),
    "mp4",
    "free",
    {
      sizeBytes: null,
      fits: false,
      note: "Longer than 20 minutes. Pro takes up to 2 hours.",
      error: {
        code: "too_long",
        message: "Longer than 20 minutes. Pro takes up to 2 hours.",
        reason: { name: "longer_than_plan", maxSeconds: 1_200, proMaxSeconds: 7_200 },
      },
    },
  ],
  [
    "that a video has no sound",
    testInfo(60, { ...h264(480, MB), hasAudio: false }),
    "mp3",
    "free",
    { sizeBytes: null, fits: false, note: "This video has no sound to make an MP3 from." },
  ],
])("estimates %s", (_, info, format, tier, expected) => {
  expect(estimate(info, format, tier, 4)).toMatchObject(expected);
});

it.each<[Format, number | null]>([
  ["mp3", 8_000_000],
  ["mp4", null],
  ["wav", 88_200_000],
  ["original", MB],
])("is of what is left where sponsored spans are left out of %s", (format, sizeBytes) => {
  const info = testInfo(
    600,
    { ...h264(360, MB), sampleRateHz: 44_100 },
    { hasVideo: false, sizeBytes: MB, audioCodec: "mp4a.40.2", sampleRateHz: 44_100 },
  );
  const sponsored = [{ startSeconds: 100, endSeconds: 200 }];
  const estimateOf = (choices: object) =>
    estimate(info, format, format === "mp3" ? "free" : "pro", 4, choices, sponsored);
  expect(estimateOf({ sponsored: "cut" })).toMatchObject({ sizeBytes, fits: true });
  expect(estimateOf({ sponsored: "mark" })).toEqual(estimateOf({}));
});
