/** Reads MP4s by our own reader and by ffprobe. */
import { join } from "node:path";
import { expect } from "vitest";
import { inspectMedia } from "../../pipeline/probe/media-file.ts";
import { readMp4 } from "../../pipeline/verify/read-mp4.ts";
import { ffmpegIn } from "./ffmpeg.ts";
import type { TestPipeline } from "./test-pipeline.ts";

const neverAborted = new AbortController().signal;
/** Length of plain.mp4. */
export const MP4_SECONDS = 2;
export const FRAME_SECONDS = 1 / 25;

/** Makes plain.mp4, with H.264 and AAC. */
export async function makePlainMp4({ folder }: TestPipeline): Promise<void> {
  const picture = ["-f", "lavfi", "-i", `testsrc2=size=128x96:rate=25:duration=${MP4_SECONDS}`];
  const sound = ["-f", "lavfi", "-i", `sine=frequency=440:sample_rate=44100:duration=${MP4_SECONDS}`];
  const h264 = ["-c:v", "libx264", "-preset", "veryfast", "-bf", "2", "-pix_fmt", "yuv420p"];
  await ffmpegIn(folder, ...picture, ...sound, ...h264, "-c:a", "aac", "-movflags", "+faststart", "plain.mp4");
}

interface ReadByBoth {
  readonly ours: unknown;
  readonly theirs: unknown;
  /** By how much the durations differ. */
  readonly apartSeconds: number;
}

/** @returns what {@link readMp4} finds in a file, and what it should find by ffprobe */
export async function readByBoth({ pipeline, folder }: TestPipeline, name: string): Promise<ReadByBoth> {
  const path = join(folder, name);
  const ours = await readMp4(path);
  const theirs = await inspectMedia({ pipeline, signal: neverAborted }, path);
  const { codec, profile, level, widthPixels, heightLines, frameCount } = theirs.video ?? {};
  const audio = theirs.audio && {
    codec: theirs.audio.codec,
    profile: theirs.audio.profile,
    endSeconds: expect.closeTo((theirs.audio.lateSeconds ?? 0) + (theirs.audio.durationSeconds ?? NaN), 1) as unknown,
  };
  return {
    ours,
    theirs: {
      sizeBytes: theirs.sizeBytes,
      durationSeconds: expect.any(Number) as unknown,
      video: { codec, profile, level, widthPixels, heightLines, frameCount },
      audio,
      isWhole: true,
    },
    apartSeconds: Math.abs((ours?.durationSeconds ?? 0) - (theirs.durationSeconds ?? 0)),
  };
}
