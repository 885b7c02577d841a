/** Makes the MP3 from a fetched file, or from a file that is still being fetched. */
import { pipeline as pump } from "node:stream/promises";
import { Readable, type Writable } from "node:stream";
import { ConversionError } from "../../../common/errors.ts";
import type { TierLimits } from "../../../common/tiers.ts";
import type { GrowingRendition } from "../fetch/download.ts";
import { planEncode, type Mp3Plan } from "../plan/encode-plan.ts";
import { channelArgs, encodeArgs, type Encode } from "./encode.ts";
import { pipeName, runFfmpeg } from "../process/ffmpeg.ts";
import type { GrowingFile } from "../fetch/growing-file.ts";
import { id3Tag } from "./id3-tag.ts";
import { INPUT_GUARD, inspectSound, type MediaFile } from "../probe/media-file.ts";
import { awaitHead, isIndexedAsWhole, isIndexInFront } from "./mp4-head.ts";
import { NotPlainAac, SAMPLES_PER_AAC_FRAME } from "../aac/aac-frames.ts";
import { copyMp3 } from "../mp3/copy-mp3.ts";
import { encodeMp3, type Mp3Encode } from "../mp3/parallel-encode.ts";
import { findPlainAac } from "../aac/find-plain-aac.ts";
import type { PlainAac } from "../aac/plain-aac.ts";
import { readMp3 } from "../verify/read-mp3.ts";
import { SourceBytes } from "../aac/source-bytes.ts";
import type { Pipeline } from "../pipeline.ts";
import { isLonger } from "../verify/verify.ts";

/** Containers that a decoder can read from a pipe. Of MP4 only those with the index in front. */
const STREAMABLE = /^(?:mov,|mpegts|matroska|mp3|ogg|aac|flac)/;

/** What the beginning of a source says about it. */
export interface SoundHead extends MediaFile {
  /** Present where no tool is needed to take the sound out of its container. */
  readonly plainAac?: PlainAac;
}

async function findPlainHead(file: GrowingFile, signal: AbortSignal): Promise<SoundHead | undefined> {
  await using bytes = await SourceBytes.open(file.path, signal, file);
  const plainAac = await findPlainAac(bytes);
  if (!plainAac) return undefined;
  const { container, streamIndex, sampleRateHz, channelCount, sampleCount } = plainAac;
  const length = sampleCount === undefined ? {} : { durationSeconds: sampleCount / sampleRateHz };
  return {
    path: file.path,
    container,
    sizeBytes: file.wholeBytes,
    ...length,
    audio: { index: streamIndex, codec: "aac", profile: "LC", channelCount, sampleRateHz, ...length },
    hasAttachedPicture: false,
    plainAac,
  };
}

/**
 * Inspects the beginning of a source.
 * @returns undefined when it does not say enough, or the source cannot be read from a pipe
 * @throws ConversionError
 * @throws `signal.reason` when aborted
 */
export async function inspectHead(
  pipeline: Pipeline,
  file: GrowingFile,
  signal: AbortSignal,
): Promise<SoundHead | undefined> {
  const plain = await findPlainHead(file, signal);
  if (plain) return plain;
  await awaitHead(file);
  try {
    const head = await inspectSound(pipeline, file.path, signal);
    const isReadable = STREAMABLE.test(head.container) && (!MP4.test(head.container) || (await isIndexInFront(file)));
    return head.audio && isReadable ? head : undefined;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ConversionError && error.code === "unavailable") return undefined;
    throw error;
  }
}

/** Containers whose beginning states the length of the whole file; of MP4 only those with a single index. */
const HAS_DURATION = /^(?:mov,|matroska|flac)/;

/** @returns length of the sound by the source's own index */
async function indexedSeconds(head: SoundHead, file: GrowingFile): Promise<number | undefined> {
  if (
    !HAS_DURATION.test(head.container) ||
    (MP4.test(head.container) && !head.plainAac && !(await isIndexedAsWhole(file)))
  )
    return undefined;
  return head.audio?.durationSeconds ?? head.durationSeconds;
}

/**
 * Expected length of the whole source: by its manifest, else by its index, else by the site.
 * @returns undefined when it is unknown, or the index is shorter than the site says; then the whole file decides
 */
async function promisedSeconds(
  head: SoundHead,
  { file, durationSeconds: manifestSeconds }: GrowingRendition,
  siteSeconds: number | undefined,
): Promise<number | undefined> {
  if (manifestSeconds !== undefined) return manifestSeconds;
  const seconds = await indexedSeconds(head, file);
  if (seconds === undefined || siteSeconds === undefined) return seconds ?? siteSeconds;
  return isLonger(siteSeconds, seconds) ? undefined : seconds;
}

/** @returns a function that writes a growing file into a tool's standard input */
export function feedFrom(file: GrowingFile): (stdin: Writable) => Promise<void> {
  return async (stdin) => {
    try {
      await pump(Readable.from(file.follow(), { objectMode: false, highWaterMark: 1_048_576 }), stdin);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // The decoder has read enough, or has failed and reports that itself.
      if (code !== "EPIPE" && code !== "ERR_STREAM_PREMATURE_CLOSE" && code !== "ERR_STREAM_DESTROYED") throw error;
    }
  };
}

export interface Mp3Work {
  readonly plan: Mp3Plan;
  readonly limits: TierLimits;
  readonly source: SoundHead;
  /** The source's file while it is still fetched; absent when the source is complete. */
  readonly growing?: GrowingFile;
  readonly tags: Encode["tags"];
  readonly coverPath: Promise<string | undefined>;
  readonly outputPath: string;
  /** 0 to 1. */
  readonly onFraction: (fraction: number) => void;
  readonly onWritten?: Mp3Encode["onWritten"];
}

/**
 * A source that is longer than promised is read only so far. This is more than the tolerance of verification, so that
 * the result is recognised as too long.
 */
function mostSecondsOf(promised: number): number {
  return promised + Math.max(5, promised * 0.03);
}

/**
 * Writes `outputPath` on as many cores as this conversion may use.
 * @throws what {@link runFfmpeg} and {@link encodeMp3} throw
 */
export async function makeMp3(pipeline: Pipeline, work: Mp3Work, signal: AbortSignal): Promise<void> {
  const { plan, source, growing, tags, outputPath, limits } = work;
  const onSeconds = (seconds: number): void => work.onFraction(Math.min(1, seconds / plan.durationSeconds));
  if (!growing && mayBeCopied(source, plan.bitrateKbps)) {
    const coverPath = await work.coverPath;
    const tag = await id3Tag({ ...tags, coverPath });
    if (await copyMp3({ sourcePath: source.path, outputPath, bitrateKbps: plan.bitrateKbps, tag }, signal))
      return work.onFraction(1);
  }
  const plainAac = source.plainAac ?? (growing ? undefined : await findPlainWhole(source, plan, signal));
  const encoderCount = pipeline.cores?.coresEach ?? 1;
  if (encoderCount === 1 && !plainAac) {
    const coverPath = await work.coverPath;
    const encode: Encode = { plan, sources: [source], tags, coverPath, outputPath, maxFileBytes: limits.maxFileBytes };
    const inputs = growing ? [{ name: pipeName(0), feed: feedFrom(growing) }] : [];
    await runFfmpeg(
      pipeline,
      encodeArgs(encode, pipeline.limits.maxPixels, inputs),
      outputPath,
      signal,
      onSeconds,
      inputs.map(({ feed }) => feed),
    );
    return;
  }
  const tag = work.coverPath.then((coverPath) => id3Tag({ ...tags, coverPath }));
  // Awaited where it is written; the encode may fail before that.
  tag.catch(() => undefined);
  const aacPrimingSamples = plainAac?.primingSamples ?? (await findAacPriming(pipeline, work, signal));
  const mostSeconds = mostSecondsOf(plan.durationSeconds);
  const encode = (about: Pick<Mp3Encode, "aacPrimingSamples" | "sampleCount" | "readAac">): Promise<unknown> =>
    encodeMp3(
      pipeline,
      {
        sampleRateHz: plan.sampleRateHz,
        channelCount: plan.channelCount,
        bitrateKbps: plan.bitrateKbps,
        encoderCount,
        expectedSeconds: plan.durationSeconds,
        mostSeconds,
        inputArgs: [
          ...INPUT_GUARD,
          "-t",
          String(mostSeconds),
          "-vn",
          "-i",
          growing ? "pipe:0" : `file:${source.path}`,
          "-map",
          // The sound found without a tool is the first one; ffprobe may number its stream differently.
          plainAac ? "0:a:0" : `0:${plan.audio.stream.index}`,
          ...(plan.audio.stream.channelCount > 2 ? channelArgs(plan.audio.stream, plan.channelCount) : []),
        ],
        feed: growing && feedFrom(growing),
        ...about,
        tag,
        outputPath,
        onSeconds,
        onWritten: work.onWritten,
      },
      signal,
    );
  if (aacPrimingSamples === undefined) return void (await encode({}));
  try {
    const seconds = MP4.test(source.container) ? source.audio?.durationSeconds : undefined;
    const sampleCount =
      plainAac?.sampleCount ?? (seconds === undefined ? undefined : Math.round(seconds * plan.sampleRateHz));
    const readAac = plainAac && ((bounded: AbortSignal) => readPlain(plainAac, source.path, growing, bounded));
    await encode({ aacPrimingSamples, sampleCount, readAac });
  } catch (error) {
    if (!(error instanceof NotPlainAac)) throw error;
    await encode({});
  }
}

/**
 * Finds the planned sound in a complete file, where no tool is needed to take it out. The MP3 is then the same as from
 * a file that is still fetched.
 */
async function findPlainWhole(
  { path }: MediaFile,
  { audio: { stream }, sampleRateHz, channelCount }: Mp3Plan,
  signal: AbortSignal,
): Promise<PlainAac | undefined> {
  if (stream.codec !== "aac" || stream.profile !== "LC") return undefined;
  await using bytes = await SourceBytes.open(path, signal);
  const plain = await findPlainAac(bytes);
  return plain?.streamIndex === stream.index &&
    plain.sampleRateHz === sampleRateHz &&
    plain.channelCount === channelCount
    ? plain
    : undefined;
}

async function* readPlain(
  plainAac: PlainAac,
  path: string,
  growing: GrowingFile | undefined,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  await using bytes = await SourceBytes.open(path, signal, growing);
  yield* plainAac.read(bytes);
}

/** Whether the beginning allows to copy the frames; copying checks every frame. */
function mayBeCopied({ container, audio }: MediaFile, bitrateKbps: number): boolean {
  return container === "mp3" && audio?.codec === "mp3" && Math.abs((audio.bitrateKbps ?? 0) - bitrateKbps) < 1;
}

const MP4 = /^mov,/;
/** Containers from which ffmpeg copies AAC without a change. */
const PLAIN_AAC = /^(?:mov,|mpegts|aac)/;

/** @returns priming samples of the AAC; undefined where the sound has to be decoded before lanes get it */
async function findAacPriming(
  pipeline: Pipeline,
  { plan, source }: Mp3Work,
  signal: AbortSignal,
): Promise<number | undefined> {
  const { stream } = plan.audio;
  const isPlain = stream.codec === "aac" && stream.profile === "LC" && PLAIN_AAC.test(source.container);
  if (!isPlain || stream.channelCount !== plan.channelCount || stream.sampleRateHz !== plan.sampleRateHz)
    return undefined;
  const priming = stream.primingSamples ?? (await inspectSound(pipeline, source.path, signal)).audio?.primingSamples;
  return priming !== undefined && priming % SAMPLES_PER_AAC_FRAME === 0 ? priming : undefined;
}

/**
 * Plans the encode of a source of which only the beginning is fetched.
 * @returns undefined when it has no sound, or its frames can be copied once it is complete
 * @throws what {@link planEncode} throws
 */
export function planFromHead(head: MediaFile, durationSeconds: number, limits: TierLimits): Mp3Plan | undefined {
  // Copying the complete file takes hardly any time.
  if (!head.audio || mayBeCopied(head, limits.mp3BitrateKbps)) return undefined;
  // ffprobe states the length of the fetched part only.
  const plan = planEncode("mp3", [{ ...head, durationSeconds, audio: { ...head.audio, durationSeconds } }], limits);
  return plan.format === "mp3" ? plan : undefined;
}

export type StreamedMp3Work = Omit<Mp3Work, "plan" | "source" | "growing"> & {
  readonly growing: readonly GrowingRendition[];
  /** Length of the video by its site. */
  readonly siteSeconds: number | undefined;
  /** Called when the encode starts while the source is still fetched. */
  readonly onStart: () => void;
};

/**
 * {@link makeMp3} for a source that is still being fetched.
 * @returns the plan; undefined when the result has to be made from the complete source, also because that turned out
 * longer than promised
 */
export async function makeMp3WhileFetching(
  pipeline: Pipeline,
  work: StreamedMp3Work,
  signal: AbortSignal,
): Promise<Mp3Plan | undefined> {
  const [first, ...others] = work.growing;
  if (!first || others.length > 0) return undefined;
  const source = await inspectHead(pipeline, first.file, signal);
  const durationSeconds = source && (await promisedSeconds(source, first, work.siteSeconds));
  const plan = source && durationSeconds !== undefined ? planFromHead(source, durationSeconds, work.limits) : undefined;
  if (!source || !plan) return undefined;
  work.onStart();
  await makeMp3(pipeline, { ...work, plan, source, growing: first.file }, signal);
  const made = await readMp3(work.outputPath);
  return made?.durationSeconds !== undefined && isLonger(made.durationSeconds, plan.durationSeconds) ? undefined : plan;
}
