/**
 * Makes MP3s as a conversion does, and compares each with that of one plain ffmpeg from the same source: its length in
 * samples, and its error in each window of 1,152 samples, so that a seam, a gap, a lost end or a repeated part is found.
 */
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { TIERS, type TierLimits } from "../../../../common/tiers.ts";
import { SAMPLES_PER_AAC_FRAME } from "../../../pipeline/aac/aac-frames.ts";
import { makeMp3, makeMp3WhileFetching } from "../../../pipeline/encode/stream-mp3.ts";
import { GrowingFile } from "../../../pipeline/fetch/growing-file.ts";
import { GRID_FRAMES, LOOK_AHEAD_FRAMES, SEARCH_FRAMES } from "../../../pipeline/mp3/joined-frames.ts";
import { SAMPLES_PER_FRAME } from "../../../pipeline/mp3/mp3-frame.ts";
import { MIN_PIECE_SECONDS } from "../../../pipeline/mp3/parallel-encode.ts";
import type { Pipeline } from "../../../pipeline/pipeline.ts";
import { planEncode } from "../../../pipeline/plan/encode-plan.ts";
import { inspectMedia } from "../../../pipeline/probe/media-file.ts";
import { CoreShare } from "../../../pipeline/process/core-share.ts";
import { verifyResult } from "../../../pipeline/verify/verify.ts";
import { repositoryDataDir } from "../../repository.ts";
import { openTestPipeline, type TestPipeline } from "../test-pipeline.ts";
import { testRendition } from "../test-rendition.ts";
import { KeptFiles } from "./kept-files.ts";
import { SoundComparison, type Comparison, type MadeSound } from "./sound-comparison.ts";
import { SOURCE_RATE_HZ, SoundSources, type Container } from "./sound-sources.ts";

const never = new AbortController().signal;

export interface Way {
  /** Cores by the pipeline's settings; the machine may have another number. */
  readonly coreCount?: number;
  /** Conversions that run beside this one. */
  readonly otherCount?: number;
  /** They end when a tenth of the sound is encoded. */
  readonly othersEnd?: boolean;
  /** The source is complete before the encode starts. */
  readonly isComplete?: boolean;
  readonly limits?: TierLimits;
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

/** Works in a folder of its own. */
export class Mp3Maker implements AsyncDisposable {
  readonly pipeline: Pipeline;
  readonly folder: string;
  readonly kept: KeptFiles;
  readonly #sources: SoundSources;
  readonly #comparison: SoundComparison;
  readonly #own: TestPipeline;
  #madeCount = 0;

  private constructor(own: TestPipeline, kept: KeptFiles, comparison: SoundComparison) {
    this.pipeline = own.pipeline;
    this.folder = own.folder;
    this.kept = kept;
    this.#sources = new SoundSources(own.pipeline.tools.ffmpegPath, own.folder, kept);
    this.#comparison = comparison;
    this.#own = own;
  }

  static async open(): Promise<Mp3Maker> {
    const own = await openTestPipeline();
    const { ffmpegPath } = own.pipeline.tools;
    const kept = await KeptFiles.open(repositoryDataDir(), ffmpegPath);
    return new Mp3Maker(own, kept, await SoundComparison.open(ffmpegPath));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#comparison[Symbol.asyncDispose]();
    await this.#own[Symbol.asyncDispose]();
  }

  /**
   * Makes and verifies an MP3 as a conversion does: while the source is fetched, else from the complete file.
   * @returns its path
   */
  async make(
    sourcePath: string,
    siteSeconds: number | undefined,
    { coreCount = 2, otherCount = 0, othersEnd = false, isComplete = false, limits = TIERS.free }: Way = {},
  ): Promise<string> {
    const cores = new CoreShare(coreCount);
    using running = new DisposableStack();
    running.use(cores.enter());
    const others = running.use(new DisposableStack());
    for (let count = 0; count < otherCount; count += 1) others.use(cores.enter());
    const own = { ...this.pipeline, cores };
    this.#madeCount += 1;
    const outputPath = join(this.folder, `made-${this.#madeCount}.mp3`);
    const work = {
      limits,
      tags: { title: "Made" },
      coverPath: Promise.resolve(undefined),
      outputPath,
      onFraction: (fraction: number) => {
        if (othersEnd && fraction >= 0.1) others.dispose();
      },
    };
    if (!isComplete) {
      await using file = await growingCopyOf(sourcePath, `${outputPath}.source`);
      const growing = [{ file, rendition: testRendition({ hasVideo: false }) }];
      const plan = await makeMp3WhileFetching({
        pipeline: own,
        signal: never,
        ...work,
        growing,
        siteSeconds,
        onStart: () => undefined,
      });
      if (plan) {
        await verifyResult({ pipeline: own, signal: never }, outputPath, plan, limits);
        return outputPath;
      }
    }
    const source = await inspectMedia({ pipeline: own, signal: never }, sourcePath);
    const plan = planEncode("mp3", [source], limits);
    if (plan.format !== "mp3") throw new TypeError("not an MP3's plan");
    await makeMp3({ pipeline: own, signal: never, ...work, plan, source });
    await verifyResult({ pipeline: own, signal: never }, outputPath, plan, limits);
    return outputPath;
  }

  /**
   * Makes MP3s of clips, one after the other.
   * @param ways of which each has the length of its clip in samples
   * @returns what is wrong with them, and where; empty when nothing is wrong
   */
  async faultsOf(container: Container, ways: readonly (Way & { readonly sampleCount: number })[]): Promise<string[]> {
    const made: MadeSound[] = [];
    for (const { sampleCount, ...way } of ways) {
      const sourcePath = await this.#sources.of(sampleCount, container);
      made.push({
        sourcePath,
        madePath: await this.make(sourcePath, sampleCount / SOURCE_RATE_HZ, way),
        bitrateKbps: (way.limits ?? TIERS.free).mp3BitrateKbps,
        sampleRateHz: rateHzOf(container),
        leadSamples: leadSamplesOf(container),
      });
    }
    const comparisons = await this.#comparison.compare(made);
    for (const { madePath } of made) await rm(madePath);
    return comparisons.flatMap((compared, index) => faultsIn(container, ways[index]?.sampleCount ?? 0, compared));
  }
}

async function growingCopyOf(path: string, copyPath: string): Promise<GrowingFile> {
  const file = await GrowingFile.create(copyPath);
  const bytes = await readFile(path);
  file.expectedBytes = bytes.length;
  await file.write(bytes, 0);
  await file.complete();
  return file;
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

export const inSamples = (seconds: number): number => Math.round(seconds * SOURCE_RATE_HZ);

/**
 * The length at which the `count`th piece after the first begins, of a sound so short that all pieces have their
 * minimum length.
 */
export function borderSamples(count: number): number {
  const pieceFrames = GRID_FRAMES * Math.ceil((MIN_PIECE_SECONDS * SOURCE_RATE_HZ) / SAMPLES_PER_FRAME / GRID_FRAMES);
  return (count * pieceFrames + SEARCH_FRAMES + LOOK_AHEAD_FRAMES) * SAMPLES_PER_FRAME;
}
