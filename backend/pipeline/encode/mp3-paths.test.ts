/**
 * Tests every way to make an MP3, at its limits. Which way is taken depends on the container, the length, the free
 * cores and on whether the source is still being fetched. The tables cover:
 * - every container with 0.1, 0.3, 1, 6, 10 and 20 s (two and three pieces), while fetched, on two cores;
 * - every container as a complete file, on two cores;
 * - lengths at which another piece begins (one sample and one frame more and less, of AAC where that is read), for the
 *   five ways to read sound (AAC by an index, AAC from a transport stream, Opus from a WebM, decoded WebM, decoded
 *   MP3), on two cores;
 * - 1, 2, 3, 4 and 8 cores, with and without other conversions, with up to 30 s, for AAC and Opus that lanes get
 *   undecoded and for decoded sound;
 * - mono, silence, sound of a single frame, a source with the wanted bit rate, and sources without sound.
 * Each result is compared with that of one plain ffmpeg from the same source: its length in samples, and its error in
 * each window of 1,152 samples, so that a seam, a gap, a lost end or a repeated part is found.
 */
import { execFile } from "node:child_process";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { TIERS, type TierLimits } from "../../../common/tiers.ts";
import { repositoryDataDir } from "../../dev/repository.ts";
import { KeptFiles } from "../../dev/testing/sound/kept-files.ts";
import { SoundComparison, type Comparison, type MadeSound } from "../../dev/testing/sound/sound-comparison.ts";
import { CONTAINERS, SOURCE_RATE_HZ, SoundSources, type Container } from "../../dev/testing/sound/sound-sources.ts";
import { openTestPipeline } from "../../dev/testing/test-pipeline.ts";
import { testRendition } from "../../dev/testing/test-rendition.ts";
import { CoreShare } from "../process/core-share.ts";
import { planEncode } from "../plan/encode-plan.ts";
import { GrowingFile } from "../fetch/growing-file.ts";
import { inspectMedia } from "../probe/media-file.ts";
import { SAMPLES_PER_AAC_FRAME } from "../aac/aac-frames.ts";
import { GRID_FRAMES, LOOK_AHEAD_FRAMES, SEARCH_FRAMES } from "../mp3/joined-frames.ts";
import { SAMPLES_PER_FRAME } from "../mp3/mp3-frame.ts";
import { MIN_PIECE_SECONDS } from "../mp3/parallel-encode.ts";
import type { Pipeline } from "../pipeline.ts";
import { makeMp3, makeMp3WhileFetching } from "./stream-mp3.ts";
import { verifyResult } from "../verify/verify.ts";

const run = promisify(execFile);
const never = new AbortController().signal;
let folder: string;
let pipeline: Pipeline;
let kept: KeptFiles;
let sources: SoundSources;
let comparison: SoundComparison;
beforeAll(async () => {
  const own = await openTestPipeline();
  ({ pipeline, folder } = own);
  kept = await KeptFiles.open(repositoryDataDir(), pipeline.tools.ffmpegPath);
  sources = new SoundSources(pipeline.tools.ffmpegPath, folder, kept);
  comparison = await SoundComparison.open(pipeline.tools.ffmpegPath);
  return async () => {
    await comparison[Symbol.asyncDispose]();
    await own.close();
  };
});

interface Way {
  /** Cores by the pipeline's settings; the machine may have another number. */
  readonly coreCount?: number;
  /** Conversions that run beside this one. */
  readonly otherCount?: number;
  /** The source is complete before the encode starts. */
  readonly isComplete?: boolean;
  readonly limits?: TierLimits;
}

async function growingCopyOf(path: string, name: string): Promise<GrowingFile> {
  const file = await GrowingFile.create(join(folder, name));
  const bytes = await readFile(path);
  file.expectedBytes = bytes.length;
  await file.write(bytes, 0);
  await file.complete();
  return file;
}

let madeCount = 0;

/**
 * Makes and verifies an MP3 as a conversion does: while the source is fetched, else from the complete file.
 * @returns its path
 */
async function make(
  sourcePath: string,
  siteSeconds: number | undefined,
  { coreCount = 2, otherCount = 0, isComplete = false, limits = TIERS.free }: Way = {},
): Promise<string> {
  const cores = new CoreShare(coreCount);
  using running = new DisposableStack();
  for (let count = 0; count <= otherCount; count += 1) running.use(cores.enter());
  const own = { ...pipeline, cores };
  madeCount += 1;
  const outputPath = join(folder, `made-${madeCount}.mp3`);
  const work = {
    limits,
    tags: { title: "Made" },
    coverPath: Promise.resolve(undefined),
    outputPath,
    onFraction: () => undefined,
  };
  if (!isComplete) {
    await using file = await growingCopyOf(sourcePath, `growing-${madeCount}`);
    const growing = [{ file, rendition: testRendition({ hasVideo: false }) }];
    const plan = await makeMp3WhileFetching(own, { ...work, growing, siteSeconds, onStart: () => undefined }, never);
    if (plan) {
      await verifyResult(own, outputPath, plan, limits, never);
      return outputPath;
    }
  }
  const source = await inspectMedia(own, sourcePath, never);
  const plan = planEncode("mp3", [source], limits);
  if (plan.format !== "mp3") throw new TypeError("not an MP3's plan");
  await makeMp3(own, { ...work, plan, source }, never);
  await verifyResult(own, outputPath, plan, limits, never);
  return outputPath;
}

/** Only their index states where the sound ends; a plain ffmpeg keeps the rest of the last AAC frame. */
const INDEXED: ReadonlySet<Container> = new Set(["m4a", "mp4 with picture", "mp4 with picture, index last"]);
/** Containers whose priming samples a plain ffmpeg keeps. */
const FRAGMENTED: ReadonlySet<Container> = new Set(["fragmented mp4", "dash"]);
const leadSamplesOf = (container: Container): number => (FRAGMENTED.has(container) ? SAMPLES_PER_AAC_FRAME : 0);
/** Opus has no other rate. */
const rateHzOf = (container: Container): number => (container === "webm opus" ? 48_000 : SOURCE_RATE_HZ);
/** A decoder and an encoder add less than this at the end of the sound. */
const MAX_TAIL_SAMPLES = 2 * SAMPLES_PER_FRAME;

/** Allowed ratio of errors after a splice, see {@link SoundComparison}. */
const MAX_ERROR_RATIO = 4;

/**
 * Makes MP3s of clips of so many samples, one after the other.
 * @returns what is wrong with them, and where; empty when nothing is wrong
 */
async function faultsOf(container: Container, sampleCounts: readonly number[], way: Way = {}): Promise<string[]> {
  const sampleRateHz = rateHzOf(container);
  const leadSamples = leadSamplesOf(container);
  const bitrateKbps = (way.limits ?? TIERS.free).mp3BitrateKbps;
  const made: MadeSound[] = [];
  for (const sampleCount of sampleCounts) {
    const sourcePath = await sources.of(sampleCount, container);
    const madePath = await make(sourcePath, sampleCount / SOURCE_RATE_HZ, way);
    made.push({ sourcePath, madePath, bitrateKbps, sampleRateHz, leadSamples });
  }
  const comparisons = await comparison.compare(made);
  for (const { madePath } of made) await rm(madePath);
  return comparisons.flatMap((compared, index) => faultsIn(container, sampleCounts[index] ?? 0, compared));
}

function faultsIn(
  container: Container,
  sampleCount: number,
  { madeLength, plainLength, worstRatio, worstSeconds }: Comparison,
): string[] {
  const soundLength = Math.ceil((sampleCount * rateHzOf(container)) / SOURCE_RATE_HZ);
  const expectedLength = INDEXED.has(container) ? soundLength : plainLength - leadSamplesOf(container);
  const minLength = Math.max(expectedLength, soundLength);
  // From a pipe ffmpeg cannot know how much of an MP3's last frame is sound.
  const maxLength = container === "mp3" ? soundLength + MAX_TAIL_SAMPLES : expectedLength;
  const about = `${container} of ${sampleCount} samples`;
  return [
    ...(madeLength < minLength || madeLength > maxLength
      ? [`${about}: ${madeLength} samples were made, ${minLength} to ${maxLength} were expected`]
      : []),
    ...(worstRatio > MAX_ERROR_RATIO
      ? [`${about}: at ${worstSeconds} s the error is ${worstRatio} times that of one encoder`]
      : []),
  ];
}

const inSamples = (seconds: number): number => Math.round(seconds * SOURCE_RATE_HZ);

describe.concurrent.each(CONTAINERS)("an MP3 from %s", (container) => {
  it("of 0.1, 0.3, 1, 6, 10 and 20 s, while it is fetched", async () => {
    expect(await faultsOf(container, [0.1, 0.3, 1, 6, 10, 20].map(inSamples))).toEqual([]);
  });

  // The length of ADTS is estimated, and the error of the estimate grows with the length.
  it("from the complete file", async () => {
    expect(await faultsOf(container, [inSamples(container === "adts" ? 30 : 10)], { isComplete: true })).toEqual([]);
  });
});

/**
 * The length at which the `count`th piece after the first begins, of a sound so short that all pieces have their
 * minimum length.
 */
function borderSamples(count: number): number {
  const pieceFrames = GRID_FRAMES * Math.ceil((MIN_PIECE_SECONDS * SOURCE_RATE_HZ) / SAMPLES_PER_FRAME / GRID_FRAMES);
  return (count * pieceFrames + SEARCH_FRAMES + LOOK_AHEAD_FRAMES) * SAMPLES_PER_FRAME;
}

const AROUND = [-SAMPLES_PER_FRAME, -1, 0, 1, SAMPLES_PER_FRAME];
const AAC_AROUND = [...AROUND, -SAMPLES_PER_AAC_FRAME, SAMPLES_PER_AAC_FRAME];
/**
 * Pieces of Opus begin up to five frames later. A plain ffmpeg does not cut off the last 31 samples of a border's own
 * length, so these are a little longer.
 */
const OPUS_AROUND = [0, 2, 4, 5].map((frames) => frames * SAMPLES_PER_FRAME + 300);
const FRAME_AROUND = [-SAMPLES_PER_AAC_FRAME, 0, SAMPLES_PER_FRAME];

describe.concurrent("an MP3 of a length at which another piece begins", () => {
  it.each([
    ["m4a", 1, AAC_AROUND],
    ["webm opus", 1, OPUS_AROUND],
    ["webm vorbis", 1, AROUND],
    ["hls", 1, FRAME_AROUND],
    ["mp3", 1, FRAME_AROUND],
    ["m4a", 2, FRAME_AROUND],
    ["webm opus", 2, OPUS_AROUND],
    ["webm vorbis", 2, FRAME_AROUND],
  ] as const)("from %s, piece %i", async (container, piece, differences) => {
    const sampleCounts = differences.map((difference) => borderSamples(piece) + difference);
    expect(await faultsOf(container, sampleCounts)).toEqual([]);
  });
});

describe.concurrent.each(["m4a", "webm opus", "webm vorbis"] as const)("an MP3 from %s", (container) => {
  it.each([1, 2, 3, 4, 8])("as the only conversion on %i cores", async (coreCount) => {
    // The shorter ones are in the tables above for two cores.
    const shorter = coreCount === 2 ? [] : [inSamples(0.3), borderSamples(1)];
    expect(await faultsOf(container, [...shorter, inSamples(30)], { coreCount })).toEqual([]);
  });

  it.each([
    [2, 1],
    [4, 1],
    [8, 3],
  ])("on %i cores beside %i other conversions", async (coreCount, otherCount) => {
    expect(await faultsOf(container, [borderSamples(1)], { coreCount, otherCount })).toEqual([]);
  });
});

describe.concurrent("an MP3 from a source that", () => {
  const ffmpeg = async (name: string, ...args: string[]): Promise<string> => {
    const path = join(folder, name);
    await run(pipeline.tools.ffmpegPath, ["-v", "error", "-nostdin", "-y", ...args, path]);
    return path;
  };
  const TONE = ["-f", "lavfi", "-i", "sine=frequency=300:sample_rate=44100:duration=9"];
  const PICTURE = ["-f", "lavfi", "-i", "testsrc2=size=64x48:rate=10:duration=3"];
  const NO_SOUND = { code: "unavailable", message: "This video has no sound to make an MP3 from." };

  it.each(["silence.m4a", "silence.webm", "silence.ts", "silence.mp3"])(
    "is silent keeps its length: %s",
    async (name) => {
      const sourcePath = await ffmpeg(
        name,
        "-f",
        "lavfi",
        "-i",
        "anullsrc=sample_rate=48000:channel_layout=stereo",
        "-t",
        "9",
      );
      const made = await inspectMedia(pipeline, await make(sourcePath, 9), never);
      expect(made.audio).toMatchObject({ codec: "mp3", channelCount: 2 });
      expect(Math.abs((made.durationSeconds ?? 0) - 9)).toBeLessThan(0.1);
    },
  );

  it.each(["m4a", "hls", "dash", "webm vorbis", "mp3"] as const)(
    "is shorter than a frame keeps its length: %s",
    async (container) => {
      expect(await faultsOf(container, [500])).toEqual([]);
    },
  );

  it.each([1, 2, 4])("is mono stays mono, at 320 kbps on %i cores", async (coreCount) => {
    const sourcePath = await ffmpeg(`mono-${coreCount}.m4a`, ...TONE, "-ac", "1");
    const made = await inspectMedia(pipeline, await make(sourcePath, 9, { coreCount, limits: TIERS.pro }), never);
    expect(made.audio).toMatchObject({ codec: "mp3", channelCount: 1, bitrateKbps: 320 });
    expect(made.durationSeconds).toBeCloseTo(9, 1);
  });

  it("has the wanted bit rate keeps every frame", async () => {
    const sourcePath = await ffmpeg("same.mp3", ...TONE, "-b:a", "128k", "-id3v2_version", "0");
    const [source, made] = await Promise.all([
      readFile(sourcePath),
      make(sourcePath, 9).then((path) => readFile(path)),
    ]);
    expect(made.subarray(-source.length).equals(source)).toBe(true);
  });

  /** Noise starts at 10 s, so the bit rate is higher from there on. Making it takes longer than encoding it. */
  let noise: Promise<string> | undefined;
  const NOISE = "aevalsrc='0.2*(random(0)-0.5)*gt(t\\,10)+0.1*sin(2*PI*300*t)':s=44100:d=30";
  const makeNoise = async (): Promise<string> => {
    const path = join(folder, "noise.wav");
    await kept.put(NOISE, path, async () => void (await ffmpeg("noise.wav", "-f", "lavfi", "-i", NOISE)));
    return path;
  };
  const mp3 = async (name: string, from: number, to: number, ...args: string[]) => {
    noise ??= makeNoise();
    return ffmpeg(name, "-i", await noise, "-af", `atrim=${from}:${to}`, "-ac", "2", "-q:a", "2", ...args);
  };

  it("is an MP3 without a header frame keeps the length of its frames", async () => {
    const sourcePath = await mp3("no-header.mp3", 0, 30, "-write_xing", "0");
    expect((await inspectMedia(pipeline, await make(sourcePath, undefined), never)).durationSeconds).toBeCloseTo(30, 0);
  });

  it.each([
    ["quiet.mp3", [0, 10], [10, 30]],
    ["loud.mp3", [10, 30], [0, 10]],
  ] as const)("is two joined MP3s keeps the length of both: %s first", async (name, first, second) => {
    const parts = await Promise.all(
      [mp3(`first-${name}`, first[0], first[1]), mp3(`second-${name}`, second[0], second[1])].map(async (path) =>
        readFile(await path),
      ),
    );
    const sourcePath = join(folder, name);
    await writeFile(sourcePath, Buffer.concat(parts));
    expect((await inspectMedia(pipeline, await make(sourcePath, undefined), never)).durationSeconds).toBeCloseTo(30, 0);
  });

  it("is an MP3 that is cut off is rejected with network", async () => {
    const bytes = await readFile(await mp3("whole.mp3", 0, 30));
    const sourcePath = join(folder, "cut-off.mp3");
    await writeFile(sourcePath, bytes.subarray(0, bytes.length / 2));
    await expect(make(sourcePath, undefined)).rejects.toThrow(expect.objectContaining({ code: "network" }));
  });

  it.each([1, 2, 8])("has no sound is rejected with unavailable, on %i cores", async (coreCount) => {
    const sourcePath = await ffmpeg(`picture-${coreCount}.mp4`, ...PICTURE, "-movflags", "+faststart");
    await expect(make(sourcePath, 3, { coreCount })).rejects.toThrow(expect.objectContaining(NO_SOUND));
  });

  it.each([false, true])("is empty is rejected with unavailable (complete file: %s)", async (isComplete) => {
    const sourcePath = join(folder, `empty-${isComplete}`);
    await writeFile(sourcePath, "");
    await expect(make(sourcePath, 3, { isComplete })).rejects.toThrow(expect.objectContaining({ code: "unavailable" }));
  });
});
