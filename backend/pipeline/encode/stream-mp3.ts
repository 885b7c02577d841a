/** Makes the MP3 while its source is still being fetched, so that the slower of the two is all there is to wait for. */
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
import { NotPlainAac, SAMPLES_PER_AAC_FRAME } from "../mp3/aac-frames.ts";
import { copyMp3 } from "../mp3/copy-mp3.ts";
import { encodeMp3, type Mp3Encode } from "../mp3/parallel-encode.ts";
import { findPlainAac, type PlainAac } from "../mp3/plain-aac.ts";
import { readMp3 } from "../verify/read-mp3.ts";
import { SourceBytes } from "../mp3/source-bytes.ts";
import type { Pipeline } from "../pipeline.ts";
import { isLonger } from "../verify/verify.ts";

/** Containers that begin with all that a decoder has to know. Of MP4 only those with the index in front. */
const STREAMABLE = /^(?:mov,|mpegts|matroska|mp3|ogg|aac|flac)/;

/** A source known by its beginning. */
export interface SoundHead extends MediaFile {
  /** Present where the sound needs no tool to be taken out. */
  readonly plainAac?: PlainAac;
}

async function findPlainHead(file: GrowingFile, signal: AbortSignal): Promise<SoundHead | undefined> {
  await using bytes = await SourceBytes.open(file.path, signal, file);
  const plainAac = await findPlainAac(bytes);
  if (!plainAac) return undefined;
  const { container, streamIndex, sampleRateHz, channelCount, sampleCount } = plainAac;
  const length = sampleCount === undefined ? {} : { durationSeconds: sampleCount / sampleRateHz };
  return { path: file.path, container, sizeBytes: file.wholeBytes, ...length, audio: { index: streamIndex, codec: "aac", profile: "LC", channelCount, sampleRateHz, ...length }, hasAttachedPicture: false, plainAac };
}

/** What a source is by its beginning. Undefined: that is not to be told, or it cannot be read as it comes. */
export async function inspectHead(pipeline: Pipeline, file: GrowingFile, signal: AbortSignal): Promise<SoundHead | undefined> {
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

/** Whose beginning says how long the whole is; of MP4 only where the index in front is all there is. */
const HAS_DURATION = /^(?:mov,|matroska|flac)/;

/** What the source itself says of its sound's length. */
async function indexedSeconds(head: SoundHead, file: GrowingFile): Promise<number | undefined> {
  if (!HAS_DURATION.test(head.container) || (MP4.test(head.container) && !head.plainAac && !(await isIndexedAsWhole(file)))) return undefined;
  return head.audio?.durationSeconds ?? head.durationSeconds;
}

/** The length the whole source will have, from who knows best. Undefined: nobody does, or it is shorter than the site says, which is judged when all is there. */
async function promisedSeconds(head: SoundHead, { file, durationSeconds: manifestSeconds }: GrowingRendition, siteSeconds: number | undefined): Promise<number | undefined> {
  if (manifestSeconds !== undefined) return manifestSeconds;
  const seconds = await indexedSeconds(head, file);
  if (seconds === undefined || siteSeconds === undefined) return seconds ?? siteSeconds;
  return isLonger(siteSeconds, seconds) ? undefined : seconds;
}

/** Writes a growing file into a tool. */
export function feedFrom(file: GrowingFile): (stdin: Writable) => Promise<void> {
  return async (stdin) => {
    try {
      await pump(Readable.from(file.follow(), { objectMode: false, highWaterMark: 1_048_576 }), stdin);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // The decoder has all it wants, or has given up and says why.
      if (code !== "EPIPE" && code !== "ERR_STREAM_PREMATURE_CLOSE" && code !== "ERR_STREAM_DESTROYED") throw error;
    }
  };
}

export interface Mp3Work {
  readonly plan: Mp3Plan;
  readonly limits: TierLimits;
  readonly source: SoundHead;
  /** Absent: the source is there as a whole. */
  readonly growing?: GrowingFile;
  readonly tags: Encode["tags"];
  readonly coverPath: Promise<string | undefined>;
  readonly outputPath: string;
  /** 0 to 1. */
  readonly onFraction: (fraction: number) => void;
  readonly onWritten?: Mp3Encode["onWritten"];
}

/** A source that is longer than was promised is not followed for ever; but further than lengths may differ, so that it is seen to be longer. */
function mostSecondsOf(promised: number): number {
  return promised + Math.max(5, promised * 0.03);
}

/** Writes `outputPath`, on as many cores as there are for it. Throws as {@link runFfmpeg} does. */
export async function makeMp3(pipeline: Pipeline, work: Mp3Work, signal: AbortSignal): Promise<void> {
  const { plan, source, growing, tags, outputPath, limits } = work;
  const onSeconds = (seconds: number): void => work.onFraction(Math.min(1, seconds / plan.durationSeconds));
  if (!growing && mayBeCopied(source, plan.bitrateKbps)) {
    const coverPath = await work.coverPath;
    const tag = await id3Tag({ ...tags, ...(coverPath === undefined ? {} : { coverPath }) });
    if (await copyMp3({ sourcePath: source.path, outputPath, bitrateKbps: plan.bitrateKbps, tag }, signal)) return work.onFraction(1);
  }
  const plainAac = source.plainAac ?? (growing ? undefined : await findPlainWhole(source, plan, signal));
  const encoderCount = pipeline.cores?.coresEach ?? 1;
  if (encoderCount === 1 && !plainAac) {
    const coverPath = await work.coverPath;
    const encode: Encode = { plan, sources: [source], tags, coverPath, outputPath, maxFileBytes: limits.maxFileBytes };
    const inputs = growing ? [{ name: pipeName(0), feed: feedFrom(growing) }] : [];
    await runFfmpeg(pipeline, encodeArgs(encode, pipeline.limits.maxPixels, inputs), outputPath, signal, onSeconds, inputs.map(({ feed }) => feed));
    return;
  }
  const tag = work.coverPath.then((coverPath) => id3Tag({ ...tags, ...(coverPath === undefined ? {} : { coverPath }) }));
  // Awaited where it is written; the source may fail before.
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
          // What was found without a tool is the first sound, whichever stream a tool takes it for.
          plainAac ? "0:a:0" : `0:${plan.audio.stream.index}`,
          ...(plan.audio.stream.channelCount > 2 ? channelArgs(plan.audio.stream, plan.channelCount) : []),
        ],
        ...(growing ? { feed: feedFrom(growing) } : {}),
        ...about,
        tag,
        outputPath,
        onSeconds,
        ...(work.onWritten ? { onWritten: work.onWritten } : {}),
      },
      signal,
    );
  if (aacPrimingSamples === undefined) return void (await encode({}));
  try {
    const seconds = MP4.test(source.container) ? source.audio?.durationSeconds : undefined;
    const sampleCount = plainAac?.sampleCount ?? (seconds === undefined ? undefined : Math.round(seconds * plan.sampleRateHz));
    const readAac = plainAac && ((bounded: AbortSignal) => readPlain(plainAac, source.path, growing, bounded));
    await encode({ aacPrimingSamples, ...(sampleCount === undefined ? {} : { sampleCount }), ...(readAac ? { readAac } : {}) });
  } catch (error) {
    if (!(error instanceof NotPlainAac)) throw error;
    await encode({});
  }
}

/** The sound of the plan, where it needs no tool to be taken out of a whole file. So the MP3 is the same as of a growing one. */
async function findPlainWhole({ path }: MediaFile, { audio: { stream }, sampleRateHz, channelCount }: Mp3Plan, signal: AbortSignal): Promise<PlainAac | undefined> {
  if (stream.codec !== "aac" || stream.profile !== "LC") return undefined;
  await using bytes = await SourceBytes.open(path, signal);
  const plain = await findPlainAac(bytes);
  return plain?.streamIndex === stream.index && plain.sampleRateHz === sampleRateHz && plain.channelCount === channelCount ? plain : undefined;
}

async function* readPlain(plainAac: PlainAac, path: string, growing: GrowingFile | undefined, signal: AbortSignal): AsyncGenerator<Buffer> {
  await using bytes = await SourceBytes.open(path, signal, growing);
  yield* plainAac.read(bytes);
}

/** By what its beginning says; every frame is looked at when it comes to it. */
function mayBeCopied({ container, audio }: MediaFile, bitrateKbps: number): boolean {
  return container === "mp3" && audio?.codec === "mp3" && Math.abs((audio.bitrateKbps ?? 0) - bitrateKbps) < 1;
}

const MP4 = /^mov,/;
/** Containers whose AAC comes out of them as it went in. */
const PLAIN_AAC = /^(?:mov,|mpegts|aac)/;

/** Undefined where the sound has to be decoded before it is shared out among encoders. */
async function findAacPriming(pipeline: Pipeline, { plan, source }: Mp3Work, signal: AbortSignal): Promise<number | undefined> {
  const { stream } = plan.audio;
  const isPlain = stream.codec === "aac" && stream.profile === "LC" && PLAIN_AAC.test(source.container);
  if (!isPlain || stream.channelCount !== plan.channelCount || stream.sampleRateHz !== plan.sampleRateHz) return undefined;
  const priming = stream.primingSamples ?? (await inspectSound(pipeline, source.path, signal)).audio?.primingSamples;
  return priming !== undefined && priming % SAMPLES_PER_AAC_FRAME === 0 ? priming : undefined;
}

/** The plan for a source that is known by its beginning only. Throws as {@link planEncode} does. */
export function planFromHead(head: MediaFile, durationSeconds: number, limits: TierLimits): Mp3Plan | undefined {
  // Copying is over in no time once all is there.
  if (!head.audio || mayBeCopied(head, limits.mp3BitrateKbps)) return undefined;
  // What the beginning of a stream seems to last is not what the whole does.
  const plan = planEncode("mp3", [{ ...head, durationSeconds, audio: { ...head.audio, durationSeconds } }], limits);
  return plan.format === "mp3" ? plan : undefined;
}

/**
 * {@link makeMp3} of a source that is still coming. Returns the plan; undefined where it has to be waited for, and where
 * more came than was promised: with the real length it is judged and made anew.
 */
export async function makeMp3Early(
  pipeline: Pipeline,
  work: Omit<Mp3Work, "plan" | "source" | "growing"> & { growing: readonly GrowingRendition[]; siteSeconds: number | undefined; begun: () => void },
  signal: AbortSignal,
): Promise<Mp3Plan | undefined> {
  const [first, ...others] = work.growing;
  if (!first || others.length > 0) return undefined;
  const source = await inspectHead(pipeline, first.file, signal);
  const durationSeconds = source && (await promisedSeconds(source, first, work.siteSeconds));
  const plan = source && durationSeconds !== undefined ? planFromHead(source, durationSeconds, work.limits) : undefined;
  if (!source || !plan) return undefined;
  work.begun();
  await makeMp3(pipeline, { ...work, plan, source, growing: first.file }, signal);
  const made = await readMp3(work.outputPath);
  return made?.durationSeconds !== undefined && isLonger(made.durationSeconds, plan.durationSeconds) ? undefined : plan;
}
