/**
 * Compares the sound of a converted file, sample by sample, with the result of one plain ffmpeg command on the same
 * source.
 */
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const CHANNELS = 2;
/** One MP3 frame: short enough that a single wrong sample raises the error measurably. */
const WINDOW_SAMPLES = 1_152;
/** Mean squared error that cannot be heard: −70 dB of full scale. */
const INAUDIBLE = 1e-7;

export interface Comparison {
  /** In samples of a channel. */
  readonly plainLength: number;
  readonly madeLength: number;
  /**
   * Error of the converted sound divided by the error of the plain one, in the worst window. 1: the encoder had the
   * same input. Up to about 2: after a splice, where another encoder distributes its bits differently. Thousands: samples
   * are missing, doubled, shifted or wrong.
   */
  readonly worstRatio: number;
  /** Start of that window. */
  readonly worstSeconds: number;
}

function meanSquaredError(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < a.length; index += 1) sum += ((a[index] ?? 0) - (b[index] ?? 0)) ** 2;
  return sum / a.length;
}

export class SoundComparison implements AsyncDisposable {
  readonly #ffmpegPath: string;
  readonly #folder: string;
  /** By source and bit rate. */
  readonly #references = new Map<string, Promise<string>>();
  #count = 0;

  private constructor(ffmpegPath: string, folder: string) {
    this.#ffmpegPath = ffmpegPath;
    this.#folder = folder;
  }

  static async open(ffmpegPath: string): Promise<SoundComparison> {
    return new SoundComparison(ffmpegPath, await mkdtemp(join(tmpdir(), "sound-")));
  }

  /**
   * @param leadSamples encoder delay of the source in samples of a channel, if only the converted file leaves it out
   */
  async compare({
    sourcePath,
    madePath,
    bitrateKbps,
    sampleRateHz,
    leadSamples = 0,
  }: {
    sourcePath: string;
    madePath: string;
    bitrateKbps: number;
    sampleRateHz: number;
    leadSamples?: number;
  }): Promise<Comparison> {
    const key = `${sourcePath} ${bitrateKbps}`;
    let making = this.#references.get(key);
    if (!making) {
      making = this.#makeReference(sourcePath, bitrateKbps, sampleRateHz);
      this.#references.set(key, making);
    }
    const reference = await making;
    this.#count += 1;
    const madeSamples = join(this.#folder, `made-${this.#count}.f32`);
    await this.#ffmpeg("-i", madePath, "-map", "0:a", "-ac", String(CHANNELS), "-f", "f32le", madeSamples);
    const [original, plain, made] = await Promise.all([
      readFloats(`${reference}.original`),
      readFloats(`${reference}.plain`),
      readFloats(madeSamples),
    ]);
    await rm(madeSamples);
    const lead = leadSamples * CHANNELS;
    const comparedLength = Math.min(plain.length - lead, made.length);
    let worstRatio = 0;
    let worstSeconds = NaN;
    for (let from = 0; from < comparedLength; from += WINDOW_SAMPLES * CHANNELS) {
      const to = Math.min(comparedLength, from + WINDOW_SAMPLES * CHANNELS);
      const truth = original.subarray(lead + from, lead + to);
      const ratio =
        meanSquaredError(truth, made.subarray(from, to)) /
        (meanSquaredError(truth, plain.subarray(lead + from, lead + to)) + INAUDIBLE);
      if (ratio <= worstRatio) continue;
      worstRatio = ratio;
      worstSeconds = from / CHANNELS / sampleRateHz;
    }
    return { plainLength: plain.length / CHANNELS, madeLength: made.length / CHANNELS, worstRatio, worstSeconds };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.allSettled(this.#references.values());
    await rm(this.#folder, { recursive: true });
  }

  async #makeReference(sourcePath: string, bitrateKbps: number, sampleRateHz: number): Promise<string> {
    const path = join(this.#folder, `reference-${this.#references.size}`);
    const samples = ["-map", "0:a:0", "-ac", String(CHANNELS), "-f", "f32le"];
    await this.#ffmpeg(
      "-i",
      sourcePath,
      "-map",
      "0:a:0",
      "-c:a",
      "libmp3lame",
      "-b:a",
      `${bitrateKbps}k`,
      "-ar",
      String(sampleRateHz),
      `${path}.mp3`,
      ...samples,
      `${path}.original`,
    );
    await this.#ffmpeg("-i", `${path}.mp3`, ...samples, `${path}.plain`);
    return path;
  }

  async #ffmpeg(...args: string[]): Promise<void> {
    await run(this.#ffmpegPath, ["-v", "error", "-nostdin", "-y", ...args]);
  }
}

async function readFloats(path: string): Promise<Float32Array> {
  const bytes = await readFile(path);
  return new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / Float32Array.BYTES_PER_ELEMENT);
}
