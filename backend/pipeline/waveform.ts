/** Draws the sound of a finished file: how loud it is from moment to moment. */
import type { Readable } from "node:stream";
import { pipeline as pump } from "node:stream/promises";
import { join } from "node:path";
import { readFfmpeg, pipeName } from "./process/ffmpeg.ts";
import { INPUT_GUARD } from "./probe/media-file.ts";
import type { Work } from "./pipeline.ts";

/** Enough for the peaks of speech and music, and little to read. */
const SAMPLES_PER_SECOND = 4_000;
/** At the beginning, of each peak. */
const FIRST_SAMPLES = SAMPLES_PER_SECOND / 20;
/** More than a screen has room for. When there are so many, each two become one. */
export const MAX_PEAKS = 1_200;
/** Silence of 8 bits without a sign. */
const MIDDLE = 128;

/** Collects peaks of a sound of any length in the same memory. */
export class Peaks {
  readonly #peaks: number[] = [];
  #samplesEach = FIRST_SAMPLES;
  #samples = 0;
  #peak = 0;

  /** @param chunk samples of 8 bits without a sign */
  add(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length;) {
      const end = Math.min(chunk.length, at + this.#samplesEach - this.#samples);
      this.#samples += end - at;
      let peak = this.#peak;
      for (; at < end; at += 1) peak = Math.max(peak, Math.abs((chunk[at] ?? MIDDLE) - MIDDLE));
      this.#peak = peak;
      if (this.#samples === this.#samplesEach) this.#end();
    }
  }

  /** @returns heights from 0 to 100, evenly over the whole sound */
  all(): number[] {
    const rest = this.#samples > 0 ? [this.#peak] : [];
    return [...this.#peaks, ...rest].map((height) => Math.round((height / MIDDLE) * 100));
  }

  #end(): void {
    this.#peaks.push(this.#peak);
    this.#samples = 0;
    this.#peak = 0;
    if (this.#peaks.length < MAX_PEAKS) return;
    for (let at = 0; at < MAX_PEAKS / 2; at += 1)
      this.#peaks[at] = Math.max(this.#peaks[2 * at] ?? 0, this.#peaks[2 * at + 1] ?? 0);
    this.#peaks.length = MAX_PEAKS / 2;
    this.#samplesEach *= 2;
  }
}

/**
 * @param file our own: its index is in front, so that it can be read from a pipe
 * @param folder of the tool
 * @throws ConversionError, also for a file without sound; `signal.reason` when aborted
 */
export async function readPeaks(work: Work, file: Readable, folder: string): Promise<number[]> {
  const peaks = new Peaks();
  const sound = ["-map", "0:a:0", "-ac", "1", "-ar", String(SAMPLES_PER_SECOND), "-f", "u8", "pipe:1"];
  const args = [...INPUT_GUARD, "-i", pipeName(0), ...sound];
  const collect = (chunk: Buffer): Promise<void> => Promise.resolve(peaks.add(chunk));
  await readFfmpeg(work, args, join(folder, "sound"), collect, [(input) => pump(file, input)]);
  return peaks.all();
}
