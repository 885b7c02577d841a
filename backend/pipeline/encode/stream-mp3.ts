/** Makes the MP3 from a fetched file, or from a file that is still being fetched. */
import { sizeOf } from "../../tool-files/tool-files.ts";
import { ConversionError } from "../../../common/errors.ts";
import type { TierLimits } from "../../../common/tiers.ts";
import { chaptersOfResult } from "../probe/chapters.ts";
import { NotPlainAac, SAMPLES_PER_AAC_FRAME } from "../aac/aac-frames.ts";
import { findPlainAac } from "../aac/find-plain-aac.ts";
import type { PlainAac } from "../aac/plain-aac.ts";
import { NotPlainOpus, OPUS_RATE_HZ, type PlainOpus } from "../opus/plain-opus.ts";
import type { OpusGroup } from "../opus/opus-group.ts";
import { findWebmOpus } from "../opus/webm-opus.ts";
import { SourceBytes } from "../aac/source-bytes.ts";
import type { GrowingFile } from "../fetch/growing-file.ts";
import { copyMp3 } from "../mp3/copy-mp3.ts";
import { SAMPLES_PER_FRAME } from "../mp3/mp3-frame.ts";
import { encodeMp3, type Mp3Encode } from "../mp3/parallel-encode.ts";
import { readChainLinks } from "../joined/chain-links.ts";
import type { Work } from "../pipeline.ts";
import { planEncode, type Mp3Plan } from "../plan/encode-plan.ts";
import { maxSecondsFor } from "../plan/plan-bounds.ts";
import { INPUT_GUARD, inspectSound, type MediaFile } from "../probe/media-file.ts";
import { readMp3FrameCount } from "../probe/mp3-frame-count.ts";
import { pipeName, runFfmpeg } from "../process/ffmpeg.ts";
import { readMp3 } from "../verify/read-mp3.ts";
import { isLonger, isSameDuration } from "../verify/verify.ts";
import { cutArgs, seekArgs } from "../part/seeks.ts";
import { channelArgs, encodeArgs, seeksOf, silencesFor, type Encode } from "./encode.ts";
import { cutFilters } from "./cut-filters.ts";
import type { FileWork, StreamedSource } from "./file-work.ts";
import { feedFrom } from "./growing-feed.ts";
import { id3Tag, overwriteTag } from "./id3-tag.ts";
import { isIndexedAsWhole, isMp4 } from "./mp4-head.ts";
import { inspectHead, promisedSeconds, type SoundHead } from "./sound-head.ts";

export interface Mp3Work extends FileWork {
  readonly plan: Mp3Plan;
  readonly source: SoundHead;
  /** The source's file while it is still fetched; absent when the source is complete. */
  readonly growing?: GrowingFile;
  readonly coverPath: Promise<string | undefined>;
  readonly onWritten?: Mp3Encode["onWritten"];
}

/**
 * Writes `outputPath` on as many cores as this conversion may use.
 * @throws what {@link runFfmpeg} and {@link encodeMp3} throw
 */
export async function makeMp3(work: Mp3Work): Promise<void> {
  const { pipeline, plan, source, growing } = work;
  if (!growing && !plan.part && mayBeCopied(source, plan.bitrateKbps) && (await copyFrames(work)))
    return work.onFraction(1);
  const known: PlainSound = { aac: source.plainAac, opus: source.plainOpus };
  const plain = growing || plan.part ? known : await findPlainWhole(work);
  // Asked again and again: other conversions begin and end beside this one.
  const encoderCount = (): number => pipeline.cores?.coresEach ?? 1;
  if (encoderCount() === 1 && !plain.aac && !plain.opus) await encodeWithFfmpeg(work);
  else await encodeInLanes(work, encoderCount, plain);
}

/** Whether the source looks as if its frames can be copied; copying checks every frame. */
function mayBeCopied({ container, audio }: MediaFile, bitrateKbps: number): boolean {
  return container === "mp3" && audio?.codec === "mp3" && Math.abs((audio.bitrateKbps ?? 0) - bitrateKbps) < 1;
}

async function tagOf({ plan, tags, coverPath }: Mp3Work): Promise<Buffer> {
  const chapters = chaptersOfResult(tags.chapters, plan);
  return id3Tag({ ...tags, chapters, coverPath: await coverPath });
}

/** @returns false when the source has to be encoded after all */
async function copyFrames(work: Mp3Work): Promise<boolean> {
  const { plan, source, outputPath, signal } = work;
  const { bitrateKbps, sampleRateHz } = plan;
  const tag = await tagOf(work);
  if (!(await copyMp3({ sourcePath: source.path, outputPath, bitrateKbps, tag }, signal))) return false;
  // Players believe the header frame. That of a file that was cut off states the length of its whole.
  const statedSeconds = (((await readMp3FrameCount(outputPath)) ?? 0) * SAMPLES_PER_FRAME) / sampleRateHz;
  const copiedSeconds = (((await sizeOf(outputPath)) - tag.length) * 8) / (bitrateKbps * 1_000);
  return !isLonger(statedSeconds, copiedSeconds);
}

function reportSeconds({ plan, onFraction }: Mp3Work): (seconds: number) => void {
  return (seconds) => onFraction(Math.min(1, seconds / plan.durationSeconds));
}

/** Encodes with a single ffmpeg. */
async function encodeWithFfmpeg(work: Mp3Work): Promise<void> {
  const { pipeline, plan, source, growing, tags, outputPath, limits } = work;
  const { maxFileBytes } = limits;
  const tag = await tagOf(work);
  const reservedTagBytes = tag.length;
  const encode: Encode = {
    plan,
    sources: [source],
    tags,
    // It is in the tag.
    coverPath: undefined,
    outputPath,
    maxFileBytes,
    reservedTagBytes,
  };
  const inputs = growing ? [{ name: pipeName(0), feed: feedFrom(growing) }] : [];
  const args = encodeArgs(encode, pipeline.limits.maxPixels, inputs);
  const feeds = inputs.map(({ feed }) => feed);
  await runFfmpeg(work, args, outputPath, reportSeconds(work), feeds);
  await overwriteTag(outputPath, tag);
}

/** Sound that needs no tool to be taken out of its container. */
interface PlainSound {
  readonly aac?: PlainAac | undefined;
  readonly opus?: PlainOpus | undefined;
}

/**
 * Encodes in parallel. AAC and Opus are given to the lanes undecoded where possible; otherwise a decoder runs before
 * them.
 */
async function encodeInLanes(
  work: Mp3Work,
  encoderCount: Mp3Encode["encoderCount"],
  { aac: plainAac, opus: plainOpus }: PlainSound,
): Promise<void> {
  const { plan, source, growing } = work;
  const tag = tagOf(work);
  // `encodeMp3` awaits the tag when it writes it, but may fail before that.
  tag.catch(() => undefined);
  const decoded: Mp3Encode = {
    ...laneSettings(work),
    // The sound found without a tool is the first one; ffprobe may number its stream differently.
    inputArgs: decoderArgs(work, plainAac || plainOpus ? "0:a:0" : `0:${plan.audio.stream.index}`),
    encoderCount,
    tag,
  };
  if (plainOpus) {
    const read = (bounded: AbortSignal): AsyncIterable<OpusGroup> =>
      readPlain(plainOpus, source.path, growing, bounded);
    return encodeUndecoded(work, { ...decoded, opus: { ...plainOpus, read } }, decoded);
  }
  // A part may begin and end between two frames of AAC.
  const aacPrimingSamples = plan.part ? undefined : (plainAac?.primingSamples ?? (await findAacPriming(work)));
  if (aacPrimingSamples === undefined) return void (await encodeMp3(work, decoded));
  const frameCount = plainAac?.frameCount;
  const undecoded: Mp3Encode = {
    ...decoded,
    aacPrimingSamples,
    readSampleCount: frameCount === undefined ? undefined : frameCount * SAMPLES_PER_AAC_FRAME - aacPrimingSamples,
    sampleCount: plainAac?.sampleCount ?? (await samplesByIndex(work)),
    readAac: plainAac && ((bounded) => readPlain(plainAac, source.path, growing, bounded)),
  };
  await encodeUndecoded(work, undecoded, decoded);
}

/** @returns length of the sound by an index that covers all of it */
async function samplesByIndex({ plan, source, growing }: Mp3Work): Promise<number | undefined> {
  const seconds = source.audio?.durationSeconds;
  if (seconds === undefined || !isMp4(source)) return undefined;
  // ffprobe may state the length of the first fragment only.
  if (growing && !(await isIndexedAsWhole(growing))) return undefined;
  return Math.round(seconds * plan.sampleRateHz);
}

/** Encodes sound that lanes get undecoded; when it changes after its beginning, it is decoded before the lanes. */
async function encodeUndecoded(work: Work, undecoded: Mp3Encode, decoded: Mp3Encode): Promise<void> {
  try {
    await encodeMp3(work, undecoded);
  } catch (error) {
    if (!(error instanceof NotPlainAac || error instanceof NotPlainOpus)) throw error;
    await encodeMp3(work, decoded);
  }
}

/** @returns the settings of the lanes that do not depend on the form in which they get the sound */
function laneSettings(work: Mp3Work): Omit<Mp3Encode, "inputArgs" | "encoderCount" | "tag"> {
  const { plan, growing, outputPath, onWritten } = work;
  return {
    sampleRateHz: plan.sampleRateHz,
    channelCount: plan.channelCount,
    bitrateKbps: plan.bitrateKbps,
    expectedSeconds: plan.durationSeconds,
    maxSeconds: maxSecondsFor(plan.durationSeconds),
    feed: growing && feedFrom(growing),
    outputPath,
    onSeconds: reportSeconds(work),
    onWritten,
  };
}

/** @returns arguments for the decoder: its input, and `stream` of it */
function decoderArgs({ plan, source, growing }: Mp3Work, stream: string): string[] {
  const input = growing ? "pipe:0" : `file:${source.path}`;
  const seeks = seeksOf(plan, [source]);
  const cuts = cutFilters(plan, seeks);
  const { audio, channelCount } = plan;
  const [seek] = seeks?.inputs ?? [];
  const silence = silencesFor(audio.stream, source.container, seek);
  const isFiltered = cuts !== undefined || silence.length > 0 || audio.stream.channelCount > 2;
  const filters = isFiltered ? channelArgs(audio.stream, channelCount, cuts, silence) : [];
  const from = seek ? seekArgs(seek) : ["-t", String(maxSecondsFor(plan.durationSeconds))];
  const to = seeks ? cutArgs(seeks, plan.durationSeconds) : [];
  return [...INPUT_GUARD, ...from, "-vn", "-i", input, "-map", stream, ...filters, ...to];
}

/**
 * Finds the planned sound in a complete file, if no tool is needed to take it out. The MP3 is then the same as from a
 * file that is still being fetched.
 */
async function findPlainWhole({ plan, source, signal }: Mp3Work): Promise<PlainSound> {
  const { audio, sampleRateHz, channelCount } = plan;
  const { stream } = audio;
  const isAac = stream.codec === "aac" && stream.profile === "LC";
  if (stream.lateSeconds !== undefined) return {};
  if (!isAac && stream.codec !== "opus") return {};
  await using bytes = await SourceBytes.open(source.path, signal);
  const isPlanned = (found: { streamIndex: number; channelCount: number }, rateHz: number): boolean =>
    found.streamIndex === stream.index && found.channelCount === channelCount && rateHz === sampleRateHz;
  const aac = isAac ? await findPlainAac(bytes) : undefined;
  const opus = isAac ? undefined : await findWebmOpus(bytes);
  return {
    aac: aac && isPlanned(aac, aac.sampleRateHz) ? aac : undefined,
    opus: opus && isPlanned(opus, OPUS_RATE_HZ) ? opus : undefined,
  };
}

async function* readPlain<T>(
  plain: { read(bytes: SourceBytes): AsyncGenerator<T> },
  path: string,
  growing: GrowingFile | undefined,
  signal: AbortSignal,
): AsyncGenerator<T> {
  await using bytes = await SourceBytes.open(path, signal, growing);
  yield* plain.read(bytes);
}

/** Containers from which ffmpeg copies AAC without a change. */
const PLAIN_AAC = /^(?:mov,|mpegts|aac)/;

/** @returns priming samples of the AAC; undefined where the sound has to be decoded before lanes get it */
async function findAacPriming(work: Mp3Work): Promise<number | undefined> {
  const { plan, source } = work;
  const { stream } = plan.audio;
  const isPlain =
    stream.codec === "aac" &&
    stream.profile === "LC" &&
    stream.lateSeconds === undefined &&
    PLAIN_AAC.test(source.container);
  if (!isPlain || stream.channelCount !== plan.channelCount || stream.sampleRateHz !== plan.sampleRateHz)
    return undefined;
  const priming = stream.primingSamples ?? (await inspectSound(work, source.path)).audio?.primingSamples;
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
  const audio = { ...head.audio, durationSeconds: durationSeconds - (head.audio.lateSeconds ?? 0) };
  const plan = planEncode("mp3", [{ ...head, durationSeconds, audio }], limits);
  return plan.format === "mp3" ? plan : undefined;
}

/** Whether a fetched source is an Ogg file with several streams one after the other. */
async function isChained({ container, path }: MediaFile, file: GrowingFile): Promise<boolean> {
  if (container !== "ogg") return false;
  await file.atLeast(Infinity);
  return (await readChainLinks(path, 1)).length > 1;
}

export type StreamedMp3Work = Omit<Mp3Work, "plan" | "source" | "growing"> & Omit<StreamedSource, "onPlanned">;

/**
 * {@link makeMp3} for a source that is still being fetched.
 * @returns the plan; undefined when the result has to be made from the complete source, for example because the source
 * turned out longer or shorter than promised
 */
export async function makeMp3WhileFetching(work: StreamedMp3Work): Promise<Mp3Plan | undefined> {
  const { signal, growing } = work;
  const [first, ...others] = growing;
  if (!first || others.length > 0) return undefined;
  const source = await inspectHead(work, first.file);
  const durationSeconds = source && (await promisedSeconds(source, first, work.siteSeconds));
  const plan = source && durationSeconds !== undefined ? planFromHead(source, durationSeconds, work.limits) : undefined;
  if (!source || !plan) return undefined;
  work.onStart();
  try {
    await makeMp3({ ...work, plan, source, growing: first.file });
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ConversionError) || !(await isChained(source, first.file))) throw error;
    return undefined;
  }
  // A later link may have another form than the first.
  if (await isChained(source, first.file)) return undefined;
  const made = await readMp3(work.outputPath);
  return made?.durationSeconds === undefined || isSameDuration(made.durationSeconds, plan.durationSeconds)
    ? plan
    : undefined;
}
