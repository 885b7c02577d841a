import { expect, it } from "vitest";
import type { Mp4Plan } from "../plan/encode-plan.ts";
import type { MediaFile, VideoStream } from "../probe/media-file.ts";
import { estimateIndexBytes } from "./index-size.ts";

const MINUTES = 60;

function estimateFor(
  about: { durationSeconds: number; sizeBytes: number; sampleRateHz?: number } & Pick<
    VideoStream,
    "frameCount" | "framesPerSecond"
  >,
): number | undefined {
  const { durationSeconds, sizeBytes, sampleRateHz = 44_100, frameCount, framesPerSecond } = about;
  const video: VideoStream = {
    index: 0,
    codec: "h264",
    pixelFormat: "yuv420p",
    widthPixels: 1_280,
    heightLines: 720,
    frameCount,
    framesPerSecond,
  };
  const audio = { index: 1, codec: "aac", channelCount: 2, sampleRateHz };
  const plan: Mp4Plan = {
    format: "mp4",
    durationSeconds,
    video: { source: 0, stream: video, method: "copy" },
    audio: { source: 0, stream: audio, method: "copy", bitrateKbps: 128, channelCount: 2 },
  };
  const source: MediaFile = { path: "", container: "mov,mp4,m4a,3gp,3g2,mj2", sizeBytes, hasAttachedPicture: false };
  return estimateIndexBytes(plan, [source]);
}

it("estimates more bytes than the index of an ordinary video needs", () => {
  const hour = { durationSeconds: 60 * MINUTES, sizeBytes: 400_000_000, framesPerSecond: 30 };
  expect(estimateFor(hour)).toBeGreaterThan(60 * MINUTES * 30 * 16);
  expect(estimateFor({ ...hour, framesPerSecond: 120 })).toBeGreaterThan(60 * MINUTES * 120 * 16);
  expect(estimateFor({ durationSeconds: 1, sizeBytes: 5_000, frameCount: 25 })).toBeGreaterThan(16_384);
});

it.each([
  { name: "millions of frames in a minute", frameCount: 20_000_000, durationSeconds: MINUTES, sizeBytes: 1_000_000 },
  { name: "thousands of frames a second", framesPerSecond: 90_000, durationSeconds: MINUTES, sizeBytes: 50_000_000 },
  {
    name: "an impossible sample rate",
    framesPerSecond: 25,
    sampleRateHz: 2_000_000_000,
    durationSeconds: MINUTES,
    sizeBytes: 50_000_000,
  },
  {
    name: "less media than index",
    frameCount: 800_000,
    durationSeconds: 120 * MINUTES,
    sizeBytes: 2_000_000,
  },
])("gives no estimate for $name", (about) => {
  expect(estimateFor(about)).toBeUndefined();
});
