/** Chooses the renditions that are fetched for an MP4. Pure. */
import { ConversionError } from "../../../common/errors.ts";
import type { Shortfall } from "../../../common/shortfall.ts";
import type { TierLimits } from "../../../common/tiers.ts";
import { sourceTooLarge, resultTooLarge } from "../errors/wording.ts";
import type { Rendition, VideoInfo } from "../probe/info.ts";
import { bestAudio } from "./best-audio.ts";
import { LOWEST_AUDIO_KBPS, LOWEST_VIDEO_KBPS } from "./plan-bounds.ts";
import { estimateBytes, sumBytes } from "./rendition-sizes.ts";

/** Sites state the size of the tracks; the container adds up to about 2 percent. */
const CONTAINER_OVERHEAD = 1.02;

/** A possible source of an MP4: picture with its sound, from one rendition or two. */
export interface Mp4Source {
  readonly renditions: readonly Rendition[];
  readonly sizeBytes: number | undefined;
  readonly heightLines: number | undefined;
  /** Only the container changes, nothing is encoded; undefined when the site names no codecs. */
  readonly isCopyable: boolean | undefined;
}

export interface Mp4Choice {
  readonly source: Mp4Source;
  /** Set where a taller source would not fit. */
  readonly shortfall?: Shortfall;
  /** The picture is encoded, so the result has another size than the source. */
  readonly isEncodedAnew?: true;
}

/** @returns whether all codecs can stay as they are; undefined when one is unknown */
function copyability(renditions: readonly Rendition[]): boolean | undefined {
  let isKnown = true;
  for (const { hasVideo, hasAudio, videoCodec, audioCodec, shownRatio } of renditions) {
    if (hasVideo && shownRatio !== undefined) return false;
    if (hasVideo && videoCodec !== undefined && !/^(?:avc|h264)/.test(videoCodec)) return false;
    if (hasAudio && audioCodec !== undefined && !/^(?:mp4a|aac)/.test(audioCodec)) return false;
    if ((hasVideo && videoCodec === undefined) || (hasAudio && audioCodec === undefined)) isKnown = false;
  }
  return isKnown ? true : undefined;
}

/** @returns one source for each rendition with a picture; if there is none, a source with only sound */
function sourcesOf({ renditions, durationSeconds }: VideoInfo): Mp4Source[] {
  const audios = renditions.filter(({ hasVideo, hasAudio }) => hasAudio && !hasVideo);
  const copyableAudio = bestAudio(audios.filter((audio) => copyability([audio]) === true));
  const anyAudio = bestAudio(audios);
  const videos = renditions.filter(({ hasVideo }) => hasVideo);
  // A source without picture becomes an MP4 with a still picture.
  if (videos.length === 0 && anyAudio) {
    const sizeBytes = estimateBytes(anyAudio, durationSeconds);
    return [{ renditions: [anyAudio], sizeBytes, heightLines: undefined, isCopyable: false }];
  }
  const audioFor = (video: Rendition): Rendition | undefined => {
    if (video.hasAudio) return undefined;
    return copyability([video]) === true ? (copyableAudio ?? anyAudio) : anyAudio;
  };
  return videos.map((video) => {
    const audio = audioFor(video);
    const parts = audio ? [video, audio] : [video];
    return {
      renditions: parts,
      sizeBytes: sumBytes(parts, durationSeconds),
      heightLines: video.heightLines,
      isCopyable: copyability(parts),
    };
  });
}

/** The source with most lines; of equals the last, which the extractor sorts as better. */
function tallest(sources: readonly Mp4Source[]): Mp4Source | undefined {
  const most = Math.max(...sources.map(({ heightLines }) => heightLines ?? 0));
  return sources.findLast(({ heightLines }) => (heightLines ?? 0) === most);
}

function compareHeightAndSize(a: Mp4Source, b: Mp4Source): number {
  return (a.heightLines ?? 0) - (b.heightLines ?? 0) || (a.sizeBytes ?? 0) - (b.sizeBytes ?? 0);
}

/**
 * @param sources within the tier's height
 * @returns the tallest source that fits into the tier's size without encoding; undefined when there is none
 */
function chooseCopied(sources: readonly Mp4Source[], { maxFileBytes }: TierLimits): Mp4Choice | undefined {
  const fits = ({ sizeBytes }: Mp4Source): boolean =>
    sizeBytes === undefined || sizeBytes * CONTAINER_OVERHEAD <= maxFileBytes;
  const source =
    tallest(sources.filter((source) => source.isCopyable === true && fits(source))) ??
    tallest(sources.filter((source) => source.isCopyable === undefined && fits(source)));
  if (!source) return undefined;
  const unlimited = tallest(sources.filter(({ isCopyable }) => isCopyable === source.isCopyable));
  const { heightLines } = source;
  if (heightLines === undefined || (unlimited?.heightLines ?? 0) <= heightLines) return { source };
  return { source, shortfall: { reason: "file_size", heightLines, maxBytes: maxFileBytes } };
}

/** @returns the tallest source within the tier's height, else the lowest one above it */
function chooseEncoded(
  sources: readonly Mp4Source[],
  sourcesWithinHeight: readonly Mp4Source[],
  maxSourceBytes: number,
): Mp4Choice | undefined {
  const isAffordable = ({ sizeBytes }: Mp4Source): boolean => (sizeBytes ?? 0) <= maxSourceBytes;
  const source =
    tallest(sourcesWithinHeight.filter(isAffordable)) ?? sources.filter(isAffordable).toSorted(compareHeightAndSize)[0];
  return source && { source, isEncodedAnew: true };
}

/**
 * Prefers a source that is only copied to one that has to be encoded.
 * @param maxSourceBytes largest source that is fetched to be encoded smaller
 * @throws ConversionError "too_large" with both sizes
 */
export function chooseForMp4(info: VideoInfo, limits: TierLimits, maxSourceBytes: number): Mp4Choice {
  const sources = sourcesOf(info);
  const withinHeight = sources.filter(
    ({ heightLines }) => heightLines === undefined || heightLines <= limits.mp4MaxHeight,
  );
  const copied = chooseCopied(withinHeight, limits);
  if (copied) return copied;

  const leastBytes = ((info.durationSeconds ?? 0) * (LOWEST_VIDEO_KBPS + LOWEST_AUDIO_KBPS) * 1_000) / 8;
  if (leastBytes > limits.maxFileBytes) throw new ConversionError("too_large", resultTooLarge(leastBytes, limits));
  const encoded = chooseEncoded(sources, withinHeight, maxSourceBytes);
  if (encoded) return encoded;
  const smallest = Math.min(...sources.map(({ sizeBytes }) => sizeBytes ?? Infinity));
  throw new ConversionError("too_large", sourceTooLarge(smallest, limits));
}
