/** Short clips for tests of sound: exact samples, no repetition, in every container that sites use. */
import { execFile } from "node:child_process";
import { mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { words } from "../../stand-ins/sample-site/clip-recipes.ts";
import type { KeptFiles } from "./kept-files.ts";

export const SOURCE_RATE_HZ = 44_100;
const CHANNELS = 2;
const run = promisify(execFile);

/** Names by container and codec. "with picture": video and sound in one file; all others have only sound. */
export const CONTAINERS = [
  "m4a",
  "mp4 with picture",
  "mp4 with picture, index last",
  "fragmented mp4",
  "hls",
  "hls with picture",
  "dash",
  "webm opus",
  "webm vorbis",
  "mpegts",
  "adts",
  "mp3",
] as const;
export type Container = (typeof CONTAINERS)[number];

/**
 * Two gliding tones per channel, bursts of noise and hard attacks: no part is like another, and the encoder's bit
 * reservoir fills and empties.
 */
function soundOf(sampleCount: number): Buffer {
  const samples = new Float32Array(sampleCount * CHANNELS);
  let noise = 1;
  for (let index = 0; index < sampleCount; index += 1) {
    const t = index / SOURCE_RATE_HZ;
    noise = (Math.imul(noise, 1_664_525) + 1_013_904_223) | 0;
    const burst = t % 2.3 > 1.9 ? (noise / 2 ** 31) * 0.03 : 0;
    const attack = t % 1.7 < 0.05 ? 0.2 : 0;
    samples[2 * index] =
      0.25 * Math.sin(2 * Math.PI * (180 + 9 * t) * t) + attack * Math.sin(2 * Math.PI * 700 * t) + burst;
    samples[2 * index + 1] =
      0.25 * Math.sin(2 * Math.PI * (260 + 7 * t) * t) + 0.1 * Math.sin(2 * Math.PI * (1_300 - 11 * t) * t) - burst;
  }
  return Buffer.from(samples.buffer);
}

const PICTURE_ARGS = words("-map 1:v -c:v libx264 -preset ultrafast -g 10 -pix_fmt yuv420p -shortest");
/** Without perceptual noise substitution: a decoder would generate other noise each time. */
const AAC_ARGS = words("-c:a aac -aac_pns 0 -b:a 128k");

const SOUND = words("-map 0:a");
const COPY = words("-c copy");
const FRAGMENTS = words("-movflags +frag_keyframe+delay_moov+default_base_moof -frag_duration 1000000");
const HLS = words("-f hls -hls_time 2 -hls_list_size 0 -hls_segment_filename segment-%d playlist");
const DASH = words("-f dash -seg_duration 2 -init_seg_name init -media_seg_name segment-$Number$ manifest.mpd");

interface Recipe {
  /** Input: the samples, or a clip in another container. */
  readonly from: Container | "samples";
  readonly args: readonly string[];
  /** ffmpeg's format name; for segments the whole output arguments. */
  readonly format: string | readonly string[];
  readonly initSegment?: string;
}

const RECIPES: Readonly<Record<Container, Recipe>> = {
  m4a: { from: "samples", args: [...SOUND, ...AAC_ARGS, "-movflags", "+faststart"], format: "mp4" },
  "mp4 with picture, index last": { from: "samples", args: [...SOUND, ...AAC_ARGS, ...PICTURE_ARGS], format: "mp4" },
  "mp4 with picture": {
    from: "mp4 with picture, index last",
    args: [...COPY, "-movflags", "+faststart"],
    format: "mp4",
  },
  "fragmented mp4": { from: "m4a", args: [...COPY, ...FRAGMENTS], format: "mp4" },
  hls: { from: "m4a", args: COPY, format: HLS },
  "hls with picture": { from: "mp4 with picture, index last", args: COPY, format: HLS },
  dash: { from: "m4a", args: COPY, format: DASH, initSegment: "init" },
  "webm opus": { from: "samples", args: [...SOUND, "-c:a", "libopus", "-b:a", "128k"], format: "webm" },
  "webm vorbis": { from: "samples", args: [...SOUND, "-c:a", "libvorbis", "-q:a", "5"], format: "webm" },
  mpegts: { from: "m4a", args: COPY, format: "mpegts" },
  adts: { from: "m4a", args: COPY, format: "adts" },
  mp3: { from: "samples", args: [...SOUND, "-c:a", "libmp3lame", "-b:a", "192k"], format: "mp3" },
};

export class SoundSources {
  readonly #ffmpegPath: string;
  readonly #folder: string;
  readonly #kept: KeptFiles;
  /** By length and container. */
  readonly #made = new Map<string, Promise<string>>();
  /** The longest that was needed: it begins with all shorter ones. */
  #samples: Buffer = Buffer.alloc(0);

  constructor(ffmpegPath: string, folder: string, kept: KeptFiles) {
    this.#ffmpegPath = ffmpegPath;
    this.#folder = folder;
    this.#kept = kept;
  }

  /** @returns path of a clip of so many samples in a container */
  of(sampleCount: number, container: Container): Promise<string> {
    return this.#once(sampleCount, container);
  }

  #once(sampleCount: number, name: Container | "samples"): Promise<string> {
    const key = `${sampleCount} ${name}`;
    let making = this.#made.get(key);
    if (!making) {
      making = this.#make(sampleCount, name, join(this.#folder, `clip ${key}`));
      this.#made.set(key, making);
    }
    return making;
  }

  async #make(sampleCount: number, name: Container | "samples", folder: string): Promise<string> {
    await mkdir(folder);
    const path = join(folder, "clip");
    if (name === "samples") await writeFile(path, this.#samplesOf(sampleCount));
    else await this.#kept.put(recipeOf(sampleCount, name), path, () => this.#encode(sampleCount, name, folder, path));
    return path;
  }

  #samplesOf(sampleCount: number): Buffer {
    const sizeBytes = sampleCount * CHANNELS * Float32Array.BYTES_PER_ELEMENT;
    if (this.#samples.length < sizeBytes) this.#samples = soundOf(sampleCount);
    return this.#samples.subarray(0, sizeBytes);
  }

  async #encode(sampleCount: number, name: Container, folder: string, path: string): Promise<void> {
    const { from, args, format, initSegment } = RECIPES[name];
    const source = await this.#once(sampleCount, from);
    const picture = ["-f", "lavfi", "-i", pictureOf(sampleCount)];
    const input =
      from === "samples"
        ? ["-f", "f32le", "-ar", String(SOURCE_RATE_HZ), "-ac", String(CHANNELS), "-i", source, ...picture]
        : ["-i", source];
    const output = typeof format === "string" ? ["-f", format, path] : format;
    await run(this.#ffmpegPath, ["-v", "error", "-nostdin", "-y", ...input, ...args, ...output], { cwd: folder });
    if (typeof format !== "string") await writeFile(path, await joinSegments(folder, initSegment));
  }
}

function pictureOf(sampleCount: number): string {
  return `testsrc2=size=64x48:rate=10:duration=${Math.max(0.1, sampleCount / SOURCE_RATE_HZ)}`;
}

/** @returns all that a clip depends on: its own recipe, those of the clips that it is made from, and the sound */
function recipeOf(sampleCount: number, name: Container | "samples"): unknown {
  if (name === "samples") return [sampleCount, SOURCE_RATE_HZ, CHANNELS, soundOf.toString()];
  const recipe = RECIPES[name];
  return [recipe, pictureOf(sampleCount), joinSegments.toString(), recipeOf(sampleCount, recipe.from)];
}

/** Joins segments as the product does while it fetches them. */
async function joinSegments(folder: string, initSegment: string | undefined): Promise<Buffer> {
  const names = (await readdir(folder))
    .filter((name) => name.startsWith("segment-"))
    .toSorted((a, b) => a.localeCompare(b, "en", { numeric: true }));
  return Buffer.concat(
    await Promise.all(
      [...(initSegment === undefined ? [] : [initSegment]), ...names].map((name) => readFile(join(folder, name))),
    ),
  );
}
