import { expect, it } from "vitest";
import type { Mp4Plan } from "../plan/encode-plan.ts";
import type { MediaFile, VideoStream } from "../probe/media-file.ts";
import { roomForIndex } from "./index-room.ts";

const MINUTES = 60;

function roomFor(
  about: { durationSeconds: number; sizeBytes: number; sampleRateHz?: number } & Pick<
    VideoStream,
    "frameCount" | "framesPerSecond"
  >,
): number | undefined {
  const { durationSeconds, sizeBytes, sampleRateHz = 44_100, frameCount, framesPerSecond } = about;
  const frames = {
    ...(frameCount === undefined ? {} : { frameCount }),
    ...(framesPerSecond === undefined ? {} : { framesPerSecond }),
  };
  const video: VideoStream = {
    index: 0,
    codec: "h264",
    pixelFormat: "yuv420p",
    widthPixels: 1_280,
    heightLines: 720,
    ...frames,
  };
  const audio = { index: 1, codec: "aac", channelCount: 2, sampleRateHz };
  const plan: Mp4Plan = {
    format: "mp4",
    durationSeconds,
    video: { source: 0, stream: video, method: "copy" },
    audio: { source: 0, stream: audio, method: "copy", bitrateKbps: 128, channelCount: 2 },
  };
  const source: MediaFile = { path: "", container: "mov,mp4,m4a,3gp,3g2,mj2", sizeBytes, hasAttachedPicture: false };
  return roomForIndex(plan, [source]);
}

it("an ordinary film's index has room", () => {
  const hour = { durationSeconds: 60 * MINUTES, sizeBytes: 400_000_000, framesPerSecond: 30 };
  expect(roomFor(hour)).toBeGreaterThan(60 * MINUTES * 30 * 16);
  expect(roomFor({ ...hour, framesPerSecond: 120 })).toBeGreaterThan(60 * MINUTES * 120 * 16);
  expect(roomFor({ durationSeconds: 1, sizeBytes: 5_000, frameCount: 25 })).toBeGreaterThan(16_384);
});

it.each([
  { name: "millions of frames in a minute", frameCount: 20_000_000, durationSeconds: MINUTES, sizeBytes: 1_000_000 },
  { name: "thousands of frames a second", framesPerSecond: 90_000, durationSeconds: MINUTES, sizeBytes: 50_000_000 },
  {
    name: "sound of a rate that there is not",
    framesPerSecond: 25,
    sampleRateHz: 2_000_000_000,
    durationSeconds: MINUTES,
    sizeBytes: 50_000_000,
  },
  {
    name: "less media than the index would take",
    frameCount: 800_000,
    durationSeconds: 120 * MINUTES,
    sizeBytes: 2_000_000,
  },
])("$name: no room is left free for that", (about) => {
  expect(roomFor(about)).toBeUndefined();
});
