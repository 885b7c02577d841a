/** Makes the MP4 from fetched files, or from files that are still being fetched. */
import { chaptersOfResult } from "../probe/chapters.ts";
import { ConversionError } from "../../../common/errors.ts";
import type { FinalBytes } from "../../../common/final-bytes.ts";
import { moveFile, RefusedFile, removeFile } from "../../tool-files/tool-files.ts";
import type { EarlyCopy } from "../conversion.ts";
import { canBeCopiedEarly, earlyCopyOf } from "./early-copy.ts";
import type { GrowingRendition } from "../fetch/rendition-download.ts";
import { coverFor, pictureInTime, type Cover } from "./cover.ts";
import { planEncode, type EncodePlan, type JoinedVideo, type Mp4Plan } from "../plan/encode-plan.ts";
import { MAX_H264_LEVEL, runEncode, type Encode } from "./encode.ts";
import { estimateIndexBytes } from "./index-size.ts";
import { joinPicture } from "./joined-picture.ts";
import { mergeFragmented, type Merge, type MergeSource } from "./merge-fragmented.ts";
import { pipeName } from "../process/ffmpeg.ts";
import { inShownRatio, inspectMedia, type MediaFile } from "../probe/media-file.ts";
import { awaitHead, isIndexedAsWhole, isIndexInFront, isMp4 } from "./mp4-head.ts";
import { hasFilledFreeSpace, hasMp4Brand, isWholeWithIndexInFront, readMovieSeconds } from "../mp4/layout.ts";
import type { Work } from "../pipeline.ts";
import type { FileWork, StreamedSource } from "./file-work.ts";
import { feedFrom } from "./growing-feed.ts";
import { checkWhole, isSameDuration } from "../verify/verify.ts";
import { finishInPlace, readFrom, readTaggedFront, writeTaggedCopy, type TaggedFront } from "./tagged-copy.ts";

/** Containers that a decoder can read from a pipe. Of MP4 only those with the index in front. */
const STREAMABLE = /^(?:mov,|mpegts|matroska)/;
/** Containers whose beginning states the length of the whole file. */
const HAS_DURATION = /^matroska/;
/**
 * Share of the allowed size. A source whose estimated size is above it may turn out too large to be copied, and then
 * has to be encoded.
 */
export const SAFE_SIZE_SHARE = 0.9;
/** The same of a size that the first segments suggest: a video may begin with a resting picture. */
export const SAFE_GUESS_SHARE = 0.5;

/** Share of the largest file that a joined picture may take beside its sound; the rest is for the container. */
const JOINED_SHARE = 0.97;

export interface Mp4Work extends FileWork {
  /** Absent: none. */
  readonly subtitles?: Encode["subtitles"];
}

/** Whether only tags have to be added to a source that has the wanted streams: no chapters, and no subtitles. */
function needsOnlyTags({ tags, subtitles }: Mp4Work, plan: Mp4Plan): boolean {
  return !plan.part && !subtitles && chaptersOfResult(tags.chapters, plan).length === 0;
}

/**
 * Whether the only source already has the wanted streams of an MP4: none has to be removed, changed or added.
 * @param sources of an MP4, at least the index must be on disk
 */
async function isWantedMp4({ video, audio }: Mp4Plan, sources: readonly MediaFile[]): Promise<boolean> {
  const [source, ...others] = sources;
  if (!source || others.length > 0 || video.method !== "copy" || (audio && audio.method !== "copy")) return false;
  const hasPlannedStreams = source.streamCount === (audio ? 2 : 1);
  if (!isMp4(source) || !hasPlannedStreams || (video.stream.level ?? 0) > MAX_H264_LEVEL) return false;
  // The rest of a growing file is checked when it is there.
  return (await hasMp4Brand(source.path)) && !(await hasFilledFreeSpace(source.path));
}

/** Whether a source is complete, has its index in front, and nothing in its free space. */
async function isCleanAndWhole(path: string): Promise<boolean> {
  return (await isWholeWithIndexInFront(path)) && !(await hasFilledFreeSpace(path));
}

/** @returns false when the source cannot be copied with its index, and nothing was written */
async function copyWithTags(
  { path, sizeBytes }: MediaFile,
  { tags, outputPath, onFraction, signal }: Mp4Work,
  cover: Cover | undefined,
): Promise<boolean> {
  const front = (await isCleanAndWhole(path)) ? await readTaggedFront(path, tags, cover) : undefined;
  if (!front) return false;
  const onBytes = (count: number): void => onFraction(Math.min(1, count / sizeBytes));
  await writeTaggedCopy(front, readFrom(path, front.restStart), outputPath, signal, onBytes);
  onFraction(1);
  return true;
}

/**
 * Copies the streams of fragmented sources into one file.
 * @param files of the sources
 * @returns false when ffmpeg has to do it; nothing is written then
 */
async function mergeCopied(
  files: readonly MergeSource[],
  { plan, sources }: Pick<PlannedMp4Work, "plan" | "sources">,
  work: Mp4Work,
  cover: Cover | undefined,
): Promise<boolean> {
  const { limits, tags, outputPath, onFraction, signal } = work;
  const { video, audio } = plan;
  const areCopied = video.method === "copy" && (audio === undefined || audio.method === "copy");
  const hasOnePerSource = sources.length === (audio ? 2 : 1) && sources.every(({ streamCount }) => streamCount === 1);
  if (!areCopied || !hasOnePerSource || !sources.every(isMp4) || !needsOnlyTags(work, plan)) return false;
  const indexBytes = estimateIndexBytes(plan, sources);
  if (indexBytes === undefined || (video.stream.level ?? 0) > MAX_H264_LEVEL) return false;
  const sourceBytes = sources.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const merge: Merge = {
    files,
    tags,
    cover,
    outputPath,
    reservedBytes: indexBytes + (cover?.sizeBytes ?? 0),
    maxFileBytes: limits.maxFileBytes,
    onBytes: (count) => onFraction(Math.min(1, count / sourceBytes)),
  };
  return await mergeFragmented(merge, signal);
}

interface PlannedMp4Work extends Mp4Work {
  readonly plan: Mp4Plan;
  readonly sources: readonly MediaFile[];
  /** Of the video's picture; undefined: it has none. */
  readonly coverPath: string | undefined;
}

/** Of the work to make a part of which only the edges are encoded; the rest is sound and copying. */
const EDGES_SHARE = 0.6;

/** What a part is made of whose picture is in a file of its own. Disposing of it removes that file. */
interface JoinedPart extends AsyncDisposable {
  readonly plan: Mp4Plan;
  readonly sources: readonly MediaFile[];
}

/** @returns undefined when the picture has to be encoded as a whole, because its pieces do not fit together */
async function joinPart(work: PlannedMp4Work, video: JoinedVideo): Promise<JoinedPart | undefined> {
  const { plan, sources, limits, outputPath, onFraction } = work;
  const source = sources[video.source];
  const { audio, part, durationSeconds } = plan;
  if (!source || !part || (video.stream.level ?? 0) > MAX_H264_LEVEL) return undefined;
  const soundBytes = ((audio?.bitrateKbps ?? 0) * 1_000 * durationSeconds) / 8;
  const maxBytes = (limits.maxFileBytes - soundBytes) * JOINED_SHARE;
  const onEdges = (fraction: number): void => onFraction(fraction * EDGES_SHARE);
  const edges = { source, video, outputPath, durationSeconds, maxBytes, onFraction: onEdges };
  const picture = await joinPicture({ ...work, ...edges });
  if (!picture?.video) return undefined;
  const isAlone = audio?.source !== video.source;
  const position = isAlone ? video.source : sources.length;
  const placed = { ...picture, timelineSeconds: part.startSeconds };
  return {
    plan: { ...plan, video: { method: "copy", source: position, stream: picture.video } },
    sources: isAlone ? sources.with(position, placed) : [...sources, placed],
    [Symbol.asyncDispose]: () => removeFile(picture.path),
  };
}

/**
 * Writes `outputPath`; a source that already has the wanted streams is copied, with our tags and cover in its index.
 * @throws what {@link runEncode} throws
 */
export async function makeMp4(work: PlannedMp4Work): Promise<void> {
  const { plan, sources, limits, tags, subtitles, coverPath, outputPath, onFraction } = work;
  const [source] = sources;
  const cover = await coverFor(coverPath, plan, sources, limits);
  const isCopy = source && needsOnlyTags(work, plan) && (await isWantedMp4(plan, sources));
  if (isCopy && (await copyWithTags(source, work, cover))) return;
  if (await mergeCopied(sources, work, work, cover)) return;
  const common = { tags, subtitles, coverPath, cover, outputPath, maxFileBytes: limits.maxFileBytes };
  await using joined = plan.video.method === "join" ? await joinPart(work, plan.video) : undefined;
  const from = joined ? EDGES_SHARE : 0;
  await runEncode(work, { ...common, plan: joined?.plan ?? plan, sources: joined?.sources ?? sources }, (fraction) =>
    onFraction(from + fraction * (1 - from)),
  );
}

export interface StreamedMp4Work extends Mp4Work, StreamedSource {
  /** Resolves with undefined when the video has no picture. */
  readonly coverPath: Promise<string | undefined>;
  /** Called where the result is written from its first byte to its last one. */
  readonly onWritten?: (final: FinalBytes) => void;
  /** Called where it is not, but a copy of it can be. */
  readonly onEarlyCopy?: (copy: EarlyCopy) => void;
}

interface Head {
  readonly media: MediaFile;
  /** Up to this share of the allowed size `media.sizeBytes` is believed. */
  readonly safeShare: number;
}

/** @returns the size of a whole rendition, stated or estimated, and how far it is believed; see {@link Head} */
function believedSize(
  file: GrowingRendition["file"],
  { sizeBytes, bitrateKbps }: GrowingRendition["rendition"],
  durationSeconds: number | undefined,
): { readonly sizeBytes: number | undefined; readonly safeShare: number } {
  if (file.expectedBytes !== undefined) return { sizeBytes: file.expectedBytes, safeShare: Infinity };
  const ofRate =
    bitrateKbps === undefined || durationSeconds === undefined
      ? undefined
      : (bitrateKbps * 1_000 * durationSeconds) / 8;
  const estimated = sizeBytes ?? ofRate;
  if (estimated !== undefined) return { sizeBytes: estimated, safeShare: SAFE_SIZE_SHARE };
  return { sizeBytes: file.guessedBytes, safeShare: SAFE_GUESS_SHARE };
}

/**
 * Inspects the beginning of a rendition.
 * @returns undefined when it does not state enough, or the rendition cannot be read from a pipe
 */
async function readHead(
  work: Work,
  { file, rendition, durationSeconds: promisedSeconds }: GrowingRendition,
  siteSeconds: number | undefined,
): Promise<Head | undefined> {
  const { signal } = work;
  await awaitHead(file);
  let media: MediaFile;
  try {
    media = inShownRatio(await inspectMedia(work, file.path, { isGrowing: true }), rendition);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ConversionError && error.code === "unavailable") return undefined;
    throw error;
  }
  if (media.unreadableSound !== undefined) return undefined;
  if (!STREAMABLE.test(media.container) || (isMp4(media) && !(await isIndexInFront(file)))) return undefined;
  const isIndexed = isMp4(media) && (await isIndexedAsWhole(file));
  const durationSeconds =
    isIndexed || HAS_DURATION.test(media.container) ? media.durationSeconds : (promisedSeconds ?? siteSeconds);
  const { sizeBytes, safeShare } = believedSize(file, rendition, durationSeconds);
  if (durationSeconds === undefined || sizeBytes === undefined) return undefined;
  if (isIndexed) return { media: { ...media, durationSeconds, sizeBytes }, safeShare };
  // Without an index for the whole file, ffprobe states the length of the fetched part only.
  const video = media.video && { ...media.video, durationSeconds };
  const audioSeconds = durationSeconds - (media.audio?.lateSeconds ?? 0);
  const audio = media.audio && { ...media.audio, durationSeconds: audioSeconds };
  return { media: { ...media, durationSeconds, sizeBytes, video, audio }, safeShare };
}

/** All bytes of such a copy are those of the result. */
const NOTHING = new Uint8Array();

interface PlanFromHeads {
  readonly plan: Mp4Plan;
  readonly sources: readonly MediaFile[];
  /** The only source already has the wanted streams of an MP4. */
  readonly isCopy: boolean;
}

/**
 * Plans the encode of renditions of which only the beginnings are fetched.
 * @returns undefined when it is better to wait for the whole renditions
 */
async function planFromHeads(work: StreamedMp4Work): Promise<PlanFromHeads | undefined> {
  const { growing, siteSeconds, limits, onPlanned } = work;
  const reading = growing.map((one) => readHead(work, one, siteSeconds));
  await Promise.allSettled(reading);
  const heads = (await Promise.all(reading)).filter((head) => head !== undefined);
  if (heads.length < growing.length) return undefined;
  const sources = heads.map(({ media }) => media);
  const sizeShare = sources.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) / limits.maxFileBytes;
  const isSizeUnsure = heads.some(({ safeShare }) => sizeShare > safeShare);
  const emptySources = sources.map((source) => ({ ...source, sizeBytes: 0 }));
  const planIfSmall = planEncode("mp4", emptySources, limits);
  const isCopyIfSmall = planIfSmall.format === "mp4" && planIfSmall.video.method === "copy";
  // Only the real size shows whether the video can be copied.
  if (isSizeUnsure && isCopyIfSmall) return undefined;
  const plan = planEncode("mp4", sources, limits);
  onPlanned(plan, sizeShare * limits.maxFileBytes);
  // Sound alone needs the cover picture, which may arrive later than the sound.
  if (plan.format !== "mp4" || plan.video.method === "still") return undefined;
  const [source] = sources;
  const isCopy = source !== undefined && needsOnlyTags(work, plan) && (await isWantedMp4(plan, sources));
  return { plan, sources, isCopy };
}

/**
 * Copies a source that already has the wanted streams while it is fetched, or makes it the result where its beginning keeps
 * its length.
 * @returns false when the whole source is not what its beginning promised; nothing is written then
 * @throws ConversionError "network" when it is shorter than its manifest or site promised
 */
async function copyWhileFetching(
  { file, durationSeconds }: GrowingRendition,
  source: MediaFile,
  front: TaggedFront,
  work: StreamedMp4Work,
): Promise<boolean> {
  const { limits, outputPath, siteSeconds, onFraction, onWritten, signal } = work;
  const sizeOf = (sourceBytes: number): number => front.bytes.length + sourceBytes - front.restStart;
  const onBytes = (to: number): void => {
    const sizeBytes = file.expectedBytes === undefined ? undefined : sizeOf(file.expectedBytes);
    onWritten?.({ from: 0, to, standIn: NOTHING, sizeBytes });
  };
  const isInPlace = front.bytes.length === front.restStart;
  if (isInPlace) await finishInPlace(front, file, outputPath, signal, onBytes);
  else await writeTaggedCopy(front, file.follow(front.restStart), outputPath, signal, onBytes);
  let isWanted = false;
  try {
    checkWhole(source, durationSeconds ?? siteSeconds);
    const sourcePath = isInPlace ? outputPath : file.path;
    isWanted = sizeOf(await file.atLeast(Infinity)) <= limits.maxFileBytes && (await isCleanAndWhole(sourcePath));
  } finally {
    // With other tags it is still the source.
    if (!isWanted) await (isInPlace ? moveFile(outputPath, file.path) : removeFile(outputPath));
  }
  if (isWanted) onFraction(1);
  return isWanted;
}

/**
 * Writes `outputPath` from renditions while they are fetched. A source that already has the wanted
 * streams is only copied, with our tags and cover in its index; `onStart` is not called then.
 * @returns the plan; undefined when the result has to be made from the whole renditions
 * @throws ConversionError
 * @throws `signal.reason` when aborted
 */
export async function makeMp4WhileFetching(work: StreamedMp4Work): Promise<EncodePlan | undefined> {
  const { pipeline, signal, growing, limits, tags, subtitles, outputPath, onFraction } = work;
  const planned = await planFromHeads(work);
  if (!planned) return undefined;
  const { plan, sources, isCopy } = planned;
  const [first] = growing;
  const [source] = sources;
  // Meanwhile fetching goes on.
  const coverPath = await pictureInTime(work.coverPath, pipeline.limits.coverWaitMs, signal);
  const cover = await coverFor(coverPath, plan, sources, limits);
  const front = isCopy && source ? await readTaggedFront(source.path, tags, cover) : undefined;
  if (front && first && source) return (await copyWhileFetching(first, source, front, work)) ? plan : undefined;
  work.onStart();
  const { maxFileBytes } = limits;
  const encode: Encode = { plan, sources, tags, subtitles, coverPath: undefined, cover, outputPath, maxFileBytes };
  const files = growing.map(({ file }) => file);
  if (canBeCopiedEarly(encode)) work.onEarlyCopy?.(earlyCopyOf(pipeline, encode, files));
  const fetched = files.map((file) => ({ path: file.path, growth: file }));
  if (await mergeCopied(fetched, planned, work, cover))
    return (await isAsPlanned(plan, work, cover?.sizeBytes)) ? plan : undefined;
  const inputs = growing.map(({ file }, position) => ({ name: pipeName(position), feed: feedFrom(file) }));
  try {
    await runEncode(work, encode, onFraction, inputs);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof RefusedFile) throw error;
    if (!(error instanceof ConversionError) || (error.code !== "internal" && error.code !== "unavailable")) throw error;
    // Some files can be read only by seeking, which a pipe does not allow.
    await removeFile(outputPath);
    return undefined;
  }
  return (await isAsPlanned(plan, work, cover?.sizeBytes)) ? plan : undefined;
}

/** Whether the sources turned out no larger than planned, and as long; else the result is planned and made again. */
async function isAsPlanned(
  plan: Mp4Plan,
  { growing, limits, outputPath }: StreamedMp4Work,
  coverBytes = 0,
): Promise<boolean> {
  const sizes = await Promise.all(growing.map(({ file }) => file.atLeast(Infinity)));
  const sourceBytes = sizes.reduce((sum, bytes) => sum + bytes, 0);
  if (plan.video.method === "copy" && sourceBytes + coverBytes > limits.maxFileBytes) return false;
  // Without an index the length was only promised, and a file that was cut off states that of its whole.
  const seconds = await readMovieSeconds(outputPath);
  return seconds === undefined || isSameDuration(seconds, plan.durationSeconds);
}
