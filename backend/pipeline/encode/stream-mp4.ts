/** Makes the MP4 of what was fetched, or while it is still being fetched: what comes is written on, or encoded, at once. */
import { rename, rm } from "node:fs/promises";
import { ConversionError } from "../../../common/errors.ts";
import type { TierLimits } from "../../../common/tiers.ts";
import type { GrowingRendition } from "../fetch/download.ts";
import { planEncode, type EncodePlan, type Mp4Plan } from "../plan/encode-plan.ts";
import { HIGHEST_LEVEL, runEncode, type Encode } from "./encode.ts";
import { pipeName } from "../process/ffmpeg.ts";
import { inspectMedia, type MediaFile } from "../probe/media-file.ts";
import { awaitHead, isIndexedAsWhole, isIndexInFront } from "./mp4-head.ts";
import { isBareMp4, isWholeWithIndexInFront, readMovieSeconds } from "../mp4/layout.ts";
import type { Pipeline } from "../pipeline.ts";
import { feedFrom } from "./stream-mp3.ts";
import { checkWhole, isLonger } from "../verify/verify.ts";

/** Containers that a decoder can read from a pipe. Of MP4 only those with the index in front. */
const STREAMABLE = /^(?:mov,|mpegts|matroska)/;
/** Whose beginning says how long the whole is. */
const HAS_DURATION = /^matroska/;
/** Of the size that is allowed. What is estimated at more may be larger or not, and may have to be encoded anew or not. */
export const SURELY_FITS = 0.9;

export interface Mp4Work {
  readonly limits: TierLimits;
  readonly tags: Encode["tags"];
  readonly outputPath: string;
  /** 0 to 1. */
  readonly onFraction: (fraction: number) => void;
}

/** Whether all that is wanted is what the one source has: nothing to be taken out, changed or put together. Its index has to be there. */
async function isSourceItself({ video, audio }: Mp4Plan, sources: readonly MediaFile[]): Promise<boolean> {
  const [source, ...others] = sources;
  if (!source || others.length > 0 || video.method !== "copy" || (audio && audio.method !== "copy")) return false;
  if (!source.container.startsWith("mov,") || source.streamCount !== (audio ? 2 : 1) || (video.stream.level ?? 0) > HIGHEST_LEVEL) return false;
  return await isBareMp4(source.path);
}

/** A source that is what is wanted becomes the result, if it is whole and plays from its first bytes on. False: it is not. */
async function handOut(path: string, { outputPath, onFraction }: Mp4Work): Promise<boolean> {
  if (!(await isWholeWithIndexInFront(path))) return false;
  await rename(path, outputPath);
  onFraction(1);
  return true;
}

/** Writes `outputPath`; a source that is what is wanted becomes it. Throws as {@link runEncode} does. */
export async function makeMp4(pipeline: Pipeline, work: Mp4Work & { plan: Mp4Plan; sources: readonly MediaFile[]; coverPath: string | undefined }, signal: AbortSignal): Promise<void> {
  const { plan, sources, limits, tags, coverPath, outputPath, onFraction } = work;
  const [source] = sources;
  if (source && (await isSourceItself(plan, sources)) && (await handOut(source.path, work))) return;
  await runEncode(pipeline, { plan, sources, tags, coverPath, outputPath, maxFileBytes: limits.maxFileBytes }, onFraction, signal);
}

export interface EarlyMp4Work extends Mp4Work {
  readonly growing: readonly GrowingRendition[];
  readonly siteSeconds: number | undefined;
  /** Called when it is known what is to be done with so many bytes. */
  readonly foreseen: (plan: EncodePlan, sizeBytes: number) => void;
  readonly begun: () => void;
}

interface Head {
  readonly media: MediaFile;
  readonly isSizeKnown: boolean;
}

/** What a rendition is, as its beginning says. Undefined: that is not to be told, or it cannot be read as it comes. */
async function readHead(pipeline: Pipeline, { file, rendition, durationSeconds: promisedSeconds }: GrowingRendition, siteSeconds: number | undefined, signal: AbortSignal): Promise<Head | undefined> {
  await awaitHead(file);
  let media: MediaFile;
  try {
    media = await inspectMedia(pipeline, file.path, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ConversionError && error.code === "unavailable") return undefined;
    throw error;
  }
  const isMp4 = media.container.startsWith("mov,");
  if (!STREAMABLE.test(media.container) || (isMp4 && !(await isIndexInFront(file)))) return undefined;
  const isIndexed = isMp4 && (await isIndexedAsWhole(file));
  const durationSeconds = isIndexed || HAS_DURATION.test(media.container) ? media.durationSeconds : (promisedSeconds ?? siteSeconds);
  const sizeBytes = file.expectedBytes ?? rendition.sizeBytes ?? ((rendition.bitrateKbps ?? NaN) * 1_000 * (durationSeconds ?? NaN)) / 8;
  if (durationSeconds === undefined || !Number.isFinite(sizeBytes)) return undefined;
  const { video, audio } = media;
  const lasting = isIndexed
    ? {}
    : // What the beginning of a stream seems to last is not what the whole does.
      { ...(video ? { video: { ...video, durationSeconds } } : {}), ...(audio ? { audio: { ...audio, durationSeconds } } : {}) };
  return { media: { ...media, durationSeconds, sizeBytes, ...lasting }, isSizeKnown: file.expectedBytes !== undefined };
}

/** The plan for renditions that are known by their beginnings. Undefined: they are better waited for. */
async function planEarly(pipeline: Pipeline, growing: readonly GrowingRendition[], { siteSeconds, limits, foreseen }: EarlyMp4Work, signal: AbortSignal): Promise<{ plan: Mp4Plan; sources: MediaFile[]; isReady: boolean } | undefined> {
  const reading = growing.map((one) => readHead(pipeline, one, siteSeconds, signal));
  await Promise.allSettled(reading);
  const heads = (await Promise.all(reading)).filter((head) => head !== undefined);
  if (heads.length < growing.length) return undefined;
  const sources = heads.map(({ media }) => media);
  const share = sources.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) / limits.maxFileBytes;
  const isUnsure = heads.some(({ isSizeKnown }) => !isSizeKnown) && share > SURELY_FITS;
  const ifSmall = planEncode("mp4", sources.map((source) => ({ ...source, sizeBytes: 0 })), limits);
  if (isUnsure && ifSmall.format === "mp4" && ifSmall.video.method === "copy") return undefined;
  const plan = planEncode("mp4", sources, limits);
  foreseen(plan, share * limits.maxFileBytes);
  // A picture for sound alone may be slower to come than the sound.
  if (plan.format !== "mp4" || plan.video.method === "still") return undefined;
  return { plan, sources, isReady: await isSourceItself(plan, sources) };
}

/** Waits for a source that is what is wanted; its beginning has told all there is to know of it. False: it is not what it began as. */
async function takeOver({ file, durationSeconds }: GrowingRendition, source: MediaFile, work: EarlyMp4Work): Promise<boolean> {
  const sizeBytes = await file.atLeast(Infinity);
  checkWhole(source, durationSeconds ?? work.siteSeconds);
  return sizeBytes <= work.limits.maxFileBytes && (await handOut(file.path, work));
}

/**
 * Writes `outputPath` from renditions while they come. `begun` is called when it is known that this can be; one that is
 * what is wanted becomes it in the end, and there is nothing to begin. Undefined: it cannot be, or what came was not what
 * its beginning said; they are to be waited for, then.
 * Throws ConversionError and `signal.reason`.
 */
export async function makeMp4Early(
  pipeline: Pipeline,
  work: EarlyMp4Work,
  signal: AbortSignal,
): Promise<EncodePlan | undefined> {
  const { growing, limits, tags, outputPath, onFraction } = work;
  const early = await planEarly(pipeline, growing, work, signal);
  if (!early) return undefined;
  const { plan, sources, isReady } = early;
  const [first] = growing;
  const [source] = sources;
  if (isReady && first && source) return (await takeOver(first, source, work)) ? plan : undefined;
  work.begun();
  const inputs = growing.map(({ file }, position) => ({ name: pipeName(position), feed: feedFrom(file) }));
  const encode: Encode = { plan, sources, tags, coverPath: undefined, outputPath, maxFileBytes: limits.maxFileBytes };
  try {
    await runEncode(pipeline, encode, onFraction, signal, inputs);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ConversionError) || (error.code !== "internal" && error.code !== "unavailable")) throw error;
    // Perhaps it only cannot be read without going back and forth in it.
    await rm(outputPath, { force: true });
    return undefined;
  }
  const all = await Promise.all(growing.map(({ file }) => file.atLeast(Infinity)));
  const isTooLarge = plan.video.method === "copy" && all.reduce((sum, bytes) => sum + bytes, 0) > limits.maxFileBytes;
  if (isTooLarge) return undefined;
  // Of what has no index the length is only promised. With the real one it is judged and planned anew.
  const seconds = await readMovieSeconds(outputPath);
  return seconds !== undefined && isLonger(seconds, plan.durationSeconds) ? undefined : plan;
}
