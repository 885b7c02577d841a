/**
 * Compares the sound of a converted file, sample by sample, with the result of one plain ffmpeg command on the same
 * source.
 */
import { execFile } from "node:child_process";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { testFolder } from "../test-folder.ts";

const run = promisify(execFile);
const CHANNELS = 2;
const SAMPLES = ["-ac", String(CHANNELS), "-f", "f32le"] as const;
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

/** A converted file and how it was made. */
export interface MadeSound {
  readonly sourcePath: string;
  readonly madePath: string;
  readonly bitrateKbps: number;
  readonly sampleRateHz: number;
  /** Encoder delay of the source in samples of a channel, if only the converted file leaves it out. */
  readonly leadSamples: number;
}

/** The result of one plain ffmpeg command on a source. */
interface Reference {
  /** The MP3 lies at this path with ".mp3", its samples with ".plain", and those of the source with ".original". */
  readonly path: string;
  readonly encoded: Promise<void>;
  /** Set by the first comparison. */
  decoded?: Promise<void>;
}

function meanSquaredError(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < a.length; index += 1) sum += ((a[index] ?? 0) - (b[index] ?? 0)) ** 2;
  return sum / a.length;
}

/** Compares several files at a time, because starting ffmpeg takes longer than decoding a short sound. */
export class SoundComparison implements AsyncDisposable {
  readonly #ffmpegPath: string;
  readonly #folder: string;
  /** By source and bit rate. */
  readonly #references = new Map<string, Reference>();
  #count = 0;

  private constructor(ffmpegPath: string, folder: string) {
    this.#ffmpegPath = ffmpegPath;
    this.#folder = folder;
  }

  static async open(ffmpegPath: string): Promise<SoundComparison> {
    return new SoundComparison(ffmpegPath, await testFolder());
  }

  /** @returns the comparisons in the order of the files */
  async compare(files: readonly MadeSound[]): Promise<Comparison[]> {
    const references = this.#referencesOf(files);
    await Promise.all(references.map(({ encoded }) => encoded));
    const samplesPaths = files.map(() => join(this.#folder, `made-${(this.#count += 1)}.f32`));
    await this.#decode(files, samplesPaths, references);
    const comparisons: Comparison[] = [];
    for (const [index, file] of files.entries()) {
      const samplesPath = samplesPaths[index] ?? "";
      const { path } = references[index] ?? { path: "" };
      comparisons.push(await compareSamples(file, path, samplesPath));
      await rm(samplesPath);
    }
    return comparisons;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.allSettled([...this.#references.values()].map(({ encoded }) => encoded));
  }

  /** Encodes the references that are missing, all in one command. @returns those of all files, in their order */
  #referencesOf(files: readonly MadeSound[]): Reference[] {
    const args: string[][] = [];
    const encoding = Promise.withResolvers<void>();
    const references = files.map(({ sourcePath, bitrateKbps, sampleRateHz }) => {
      const key = `${sourcePath} ${bitrateKbps}`;
      const known = this.#references.get(key);
      if (known) return known;
      const path = join(this.#folder, `reference-${this.#references.size}`);
      const reference = { path, encoded: encoding.promise };
      this.#references.set(key, reference);
      const sound = ["-map", `${args.length}:a:0`];
      const toMp3 = ["-c:a", "libmp3lame", "-b:a", `${bitrateKbps}k`, "-ar", String(sampleRateHz), `${path}.mp3`];
      args.push([sourcePath, ...sound, ...toMp3, ...sound, ...SAMPLES, `${path}.original`]);
      return reference;
    });
    const inputs = args.flatMap(([input = ""]) => ["-i", input]);
    const outputs = args.flatMap((each) => each.slice(1));
    if (args.length > 0) this.#ffmpeg(...inputs, ...outputs).then(encoding.resolve, encoding.reject);
    return references;
  }

  /** Decodes made files, and those of their references that no comparison has decoded before, in one command. */
  async #decode(
    files: readonly MadeSound[],
    samplesPaths: readonly string[],
    references: readonly Reference[],
  ): Promise<void> {
    const fresh = references.filter(
      (reference, index) => !reference.decoded && references.indexOf(reference) === index,
    );
    const inputs = [...files.map(({ madePath }) => madePath), ...fresh.map(({ path }) => `${path}.mp3`)];
    const outputs = [...samplesPaths, ...fresh.map(({ path }) => `${path}.plain`)];
    const decoded = this.#ffmpeg(
      ...inputs.flatMap((input) => ["-i", input]),
      ...outputs.flatMap((output, index) => ["-map", `${index}:a:0`, ...SAMPLES, output]),
    );
    for (const reference of fresh) reference.decoded = decoded;
    await Promise.all([decoded, ...references.map((reference) => reference.decoded)]);
  }

  async #ffmpeg(...args: string[]): Promise<void> {
    await run(this.#ffmpegPath, ["-v", "error", "-nostdin", "-y", ...args]);
  }
}

async function readFloats(path: string): Promise<Float32Array> {
  const bytes = await readFile(path);
  return new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / Float32Array.BYTES_PER_ELEMENT);
}

/**
 * @param referencePath of {@link Reference}
 * @param samplesPath samples of the made file
 */
async function compareSamples(
  { sampleRateHz, leadSamples }: MadeSound,
  referencePath: string,
  samplesPath: string,
): Promise<Comparison> {
  const [original, plain, made] = await Promise.all([
    readFloats(`${referencePath}.original`),
    readFloats(`${referencePath}.plain`),
    readFloats(samplesPath),
  ]);
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
