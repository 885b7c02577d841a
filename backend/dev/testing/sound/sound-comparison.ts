/** Compares the sound of a made file with what one plain ffmpeg makes of the same source, sample by sample. */
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const CHANNELS = 2;
/** One frame of MP3: a single wrong sample still shows in so short a stretch. */
const WINDOW_SAMPLES = 1_152;
/** Mean squared error below which nobody hears a difference: −70 dB of full scale. */
const INAUDIBLE = 1e-7;

export interface Comparison {
  /** In samples of a channel. */
  readonly plainLength: number;
  readonly madeLength: number;
  /**
   * The error of the made sound divided by that of the plain one, in the window where it is worst. 1 where the encoder
   * was given the same; up to about 2 behind a splice, where another encoder spends its bits in another way; thousands
   * where samples are missing, doubled, shifted or wrong.
   */
  readonly worstRatio: number;
  /** Where that window begins. */
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
  /** By source and settings. */
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
   * @param leadSamples of a channel, at the beginning of the plain sound: what the source's encoder put before the
   * sound, where only the made file leaves it out
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
    let [worstRatio, worstSeconds] = [0, NaN];
    for (let from = 0; from < comparedLength; from += WINDOW_SAMPLES * CHANNELS) {
      const to = Math.min(comparedLength, from + WINDOW_SAMPLES * CHANNELS);
      const truth = original.subarray(lead + from, lead + to);
      const ratio =
        meanSquaredError(truth, made.subarray(from, to)) /
        (meanSquaredError(truth, plain.subarray(lead + from, lead + to)) + INAUDIBLE);
      if (ratio > worstRatio) [worstRatio, worstSeconds] = [ratio, from / CHANNELS / sampleRateHz];
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
