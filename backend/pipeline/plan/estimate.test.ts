import { expect, it } from "vitest";
import type { Format, Tier } from "../../../common/tiers.ts";
import { testRendition } from "../../dev/testing/test-rendition.ts";
import { estimate } from "./estimate.ts";
import type { Rendition, VideoInfo } from "../probe/info.ts";

const MB = 1_000_000;

function videoOf(durationSeconds: number | undefined, ...renditions: Partial<Rendition>[]): VideoInfo {
  return {
    title: "t",
    thumbnailUrls: [],
    isGeneric: false,
    base: {},
    renditions: renditions.map((about, index) => testRendition({ id: String(index), ...about })),
    durationSeconds,
  };
}
const h264 = (heightLines: number, sizeBytes: number): Partial<Rendition> => ({
  heightLines,
  sizeBytes,
  videoCodec: "avc1.64001f",
  audioCodec: "mp4a.40.2",
});

it.each<[string, VideoInfo, Format, Tier, { sizeBytes: number | null; fits: boolean; note: string | null }]>([
  [
    "the size of an MP3 by duration and bit rate",
    videoOf(600, h264(360, MB)),
    "mp3",
    "free",
    { sizeBytes: 9_600_000, fits: true, note: null },
  ],
  [
    "the size of an MP3 at the bit rate of Pro",
    videoOf(600, h264(360, MB)),
    "mp3",
    "pro",
    { sizeBytes: 24_000_000, fits: true, note: null },
  ],
  [
    "no size for an MP3 of unknown duration",
    videoOf(undefined, h264(360, MB)),
    "mp3",
    "free",
    { sizeBytes: null, fits: true, note: null },
  ],
  [
    "the size of an MP4 that is copied",
    videoOf(600, h264(480, 30 * MB)),
    "mp4",
    "free",
    { sizeBytes: 30 * MB, fits: true, note: null },
  ],
  [
    "a lower MP4 when the tallest does not fit",
    videoOf(600, h264(360, 30 * MB), h264(480, 60 * MB)),
    "mp4",
    "free",
    { sizeBytes: 30 * MB, fits: true, note: "360p to fit 50 MB" },
  ],
  [
    "no size for an MP4 that is encoded",
    videoOf(600, { heightLines: 480, sizeBytes: 30 * MB, videoCodec: "vp9", audioCodec: "opus" }),
    "mp4",
    "free",
    { sizeBytes: null, fits: true, note: null },
  ],
  [
    "that a video is too long",
    videoOf(3_600, h264(480, 30 * MB)),
    "mp4",
    "free",
    { sizeBytes: null, fits: false, note: "Longer than 20 minutes. Pro takes up to 2 hours." },
  ],
  [
    "that a video has no sound",
    videoOf(60, { ...h264(480, MB), hasAudio: false }),
    "mp3",
    "free",
    { sizeBytes: null, fits: false, note: "This video has no sound to make an MP3 from." },
  ],
])("estimates %s", (_, info, format, tier, expected) => {
  expect(estimate(info, format, tier, 4)).toMatchObject(expected);
});
