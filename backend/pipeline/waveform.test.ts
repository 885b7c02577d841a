import { createReadStream } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ConversionError } from "../../common/errors.ts";
import { ffmpegIn, lavfi } from "../dev/testing/ffmpeg.ts";
import { ofFile } from "../dev/testing/of-file.ts";
import { openTestPipeline } from "../dev/testing/test-pipeline.ts";
import { MAX_PEAKS, Peaks, readPeaks } from "./waveform.ts";

const test = await ofFile(openTestPipeline());
const work = { pipeline: test.pipeline, signal: new AbortController().signal };
const read = (name: string) => readPeaks(work, createReadStream(join(test.folder, name)), test.folder);

const SAMPLES_PER_PEAK = 200;

/** @returns peaks of so many samples, of which the last one is loud */
function peaksOf(samples: number): number[] {
  const peaks = new Peaks();
  const chunk = new Uint8Array(4_000_000).fill(128);
  for (let left = samples - 1; left > 0; left -= chunk.length) peaks.add(chunk.subarray(0, left));
  peaks.add(Uint8Array.of(0));
  return peaks.all();
}

it.each([
  ["of one sample", 1, 1],
  ["just below the most", SAMPLES_PER_PEAK * MAX_PEAKS - 1, MAX_PEAKS],
  ["at the most, where two become one", SAMPLES_PER_PEAK * MAX_PEAKS, MAX_PEAKS / 2],
  ["just above", SAMPLES_PER_PEAK * MAX_PEAKS + 1, MAX_PEAKS / 2 + 1],
  // Twice as many samples each, six times.
  ["of twelve minutes", 12 * 60 * 4_000, 900],
])("has few peaks %s, and the last sample among them", (_, samples, count) => {
  const peaks = peaksOf(samples);
  expect(peaks).toHaveLength(count);
  expect(peaks.at(-1)).toBe(100);
  expect(peaks.slice(0, -1).every((peak) => peak === 0)).toBe(true);
});

it("shows where a sound is loud", async () => {
  const sound = "aevalsrc='if(between(t,2,3),0.8,0.1)*sin(500*2*PI*t)':d=5";
  await ffmpegIn(test.folder, ...lavfi(sound), "-b:a", "128k", "sound.mp3");
  const peaks = await read("sound.mp3");
  expect(Math.abs(peaks.length - 100)).toBeLessThanOrEqual(2);
  const loud = peaks.flatMap((peak, at) => (peak > 40 ? [at] : []));
  expect([loud[0], loud.at(-1)].map((at = 0) => Math.round(at / 10))).toEqual([4, 6]);
});

it("refuses a file without sound", async () => {
  await ffmpegIn(
    test.folder,
    ...lavfi("color=red:size=64x64:d=1"),
    "-pix_fmt",
    "yuv420p",
    "-movflags",
    "+faststart",
    "silent.mp4",
  );
  await expect(read("silent.mp4")).rejects.toThrow(ConversionError);
});
