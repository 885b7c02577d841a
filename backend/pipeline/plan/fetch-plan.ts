/** Chooses which renditions are fetched for a format and a tier. Pure. */
import { ConversionError } from "../../../common/errors.ts";
import type { StageSeconds } from "../../../common/progress.ts";
import { TIERS, type Format, type TierLimits } from "../../../common/tiers.ts";
import type { Rendition, VideoInfo } from "../probe/info.ts";
import type { Work } from "../progress/learned-paces.ts";
import { checkDuration, LOWEST_AUDIO_KBPS, LOWEST_VIDEO_KBPS } from "./plan-bounds.ts";
import { plannedSeconds } from "./planned-times.ts";
import { describeSize, NO_SOUND, sourceTooLargeMessage, tooLargeMessage } from "../errors/wording.ts";

/** The highest bit rate of all tiers. */
const MAX_MP3_KBPS = TIERS.pro.mp3BitrateKbps;

/** Sites state the size of the tracks; the container adds up to about 2 percent. */
const CONTAINER_OVERHEAD = 1.02;

export interface FetchPlan {
  /** One rendition with everything, or one with the picture and one with the sound, in this order. */
  readonly renditions: readonly Rendition[];
  /** Size of all of them together; absent when the site does not state it. */
  readonly expectedBytes?: number;
  readonly note?: string;
  /** The picture is encoded, so the result has another size than what is fetched. */
  readonly isEncodedAnew?: true;
  /**
   * What has to be done with the fetched files. Absent where the site names no codecs; then an encode is planned for.
   */
  readonly convertWork?: Work;
  /** Expected wall time, until it is replaced by measurements. */
  readonly stageSeconds: StageSeconds;
}

/** A possible source of an MP4: picture with its sound, from one rendition or two. */
interface Choice {
  readonly renditions: readonly Rendition[];
  readonly sizeBytes: number | undefined;
  readonly heightLines: number | undefined;
  /** Only the container changes, nothing is encoded; undefined when the site names no codecs. */
  readonly isCopyable: boolean | undefined;
}

/** @returns size as the site states it, else computed from the bit rate; undefined when both are unknown */
export function estimateBytes(rendition: Rendition, durationSeconds: number | undefined): number | undefined {
  if (rendition.sizeBytes !== undefined) return rendition.sizeBytes;
  if (rendition.bitrateKbps === undefined || durationSeconds === undefined) return undefined;
  return (rendition.bitrateKbps * 1_000 * durationSeconds) / 8;
}

function sumBytes(renditions: readonly Rendition[], durationSeconds: number | undefined): number | undefined {
  let sum = 0;
  for (const rendition of renditions) {
    const bytes = estimateBytes(rendition, durationSeconds);
    if (bytes === undefined) return undefined;
    sum += bytes;
  }
  return sum;
}

function copyability(renditions: readonly Rendition[]): boolean | undefined {
  let isKnown = true;
  for (const { hasVideo, hasAudio, videoCodec, audioCodec } of renditions) {
    if (hasVideo && videoCodec !== undefined && !/^(?:avc|h264)/.test(videoCodec)) return false;
    if (hasAudio && audioCodec !== undefined && !/^(?:mp4a|aac)/.test(audioCodec)) return false;
    if ((hasVideo && videoCodec === undefined) || (hasAudio && audioCodec === undefined)) isKnown = false;
  }
  return isKnown ? true : undefined;
}

/**
 * The best sound-only rendition: the original language first, then the extractor's order, which is worst to best. Of
 * sound with a compressed loudness range the uncompressed form is taken, if there is one.
 */
function bestAudio(audios: readonly Rendition[]): Rendition | undefined {
  const preferred = Math.max(...audios.map(({ languagePreference }) => languagePreference));
  const best = audios.findLast(({ languagePreference }) => languagePreference === preferred);
  if (!best || !isCompressed(best)) return best;
  const plainId = best.id.replace(/-drc$/, "");
  return audios.find(({ id, languagePreference }) => id === plainId && languagePreference === preferred) ?? best;
}

/** Sites round bit rates and leave out the container, so a source this much below the wanted rate is good enough. */
const ENOUGH_SOUND = 0.93;
/** When only the bit rate of picture and sound together is known, this multiple of the wanted rate is enough. */
const ROOM_FOR_PICTURE = 2;

/**
 * Whether a source with a higher bit rate would not improve an MP3.
 * @param kbps bit rate of the MP3
 * @param isAlike all renditions on offer have the same sound codec and language
 */
function isSoundEnough(
  { audioBitrateKbps, bitrateKbps, hasVideo }: Rendition,
  kbps: number,
  isAlike: boolean,
): boolean {
  if (audioBitrateKbps !== undefined) return audioBitrateKbps >= kbps * ENOUGH_SOUND;
  if (!hasVideo) return bitrateKbps !== undefined && bitrateKbps >= kbps * ENOUGH_SOUND;
  return isAlike && (bitrateKbps ?? Infinity) >= kbps * ROOM_FOR_PICTURE;
}

/** Whether the loudness range is compressed; yt-dlp marks such sound of YouTube by this suffix. */
const isCompressed = ({ id }: Rendition): boolean => id.endsWith("-drc");

/** The rendition with the fewest bytes; of equals the one with the lowest picture, then uncompressed loudness. */
function cheapest(renditions: readonly Rendition[], durationSeconds: number | undefined): Rendition | undefined {
  const costs = (rendition: Rendition): number => estimateBytes(rendition, durationSeconds) ?? Infinity;
  const difference = (a: number, b: number): number => (a === b ? 0 : a - b);
  return renditions.toSorted(
    (a, b) =>
      difference(costs(a), costs(b)) ||
      difference(a.heightLines ?? Infinity, b.heightLines ?? Infinity) ||
      Number(isCompressed(a)) - Number(isCompressed(b)),
  )[0];
}

/** For the top bit rate it takes the best sound, for others the cheapest source that is good enough. */
function chooseForMp3(
  { renditions, durationSeconds }: VideoInfo,
  { mp3BitrateKbps }: TierLimits,
): readonly Rendition[] {
  const audible = renditions.filter(({ hasAudio }) => hasAudio);
  const isCheapestWanted = mp3BitrateKbps < MAX_MP3_KBPS;
  const alone = audible.filter(({ hasVideo }) => !hasVideo);
  const apart = bestAudio(alone);
  if (apart) {
    const original = alone.filter(({ languagePreference }) => languagePreference === apart.languagePreference);
    const enough = isCheapestWanted ? original.filter((sound) => isSoundEnough(sound, mp3BitrateKbps, false)) : [];
    return [cheapest(enough, durationSeconds) ?? apart];
  }
  const [first, ...others] = audible;
  if (!first) throw new ConversionError("unavailable", { message: NO_SOUND });
  const isAlike = others.every(
    ({ audioCodec, languagePreference }) =>
      audioCodec === first.audioCodec && languagePreference === first.languagePreference,
  );
  const enough = isCheapestWanted
    ? audible.filter((rendition) => isSoundEnough(rendition, mp3BitrateKbps, isAlike))
    : [];
  // Else the best sound. Where no bit rate of sound is stated, the best picture likely has it; where they are equal,
  // the lowest picture costs least.
  return [cheapest(enough, durationSeconds) ?? others.reduce(richer, first)];
}

function richer(best: Rendition, other: Rendition): Rendition {
  const gain = (other.audioBitrateKbps ?? 0) - (best.audioBitrateKbps ?? 0);
  if (gain !== 0) return gain > 0 ? other : best;
  const isLower = (other.heightLines ?? 0) < (best.heightLines ?? 0);
  return isLower === (other.audioBitrateKbps !== undefined) ? other : best;
}

function choicesForMp4({ renditions, durationSeconds }: VideoInfo): Choice[] {
  const audios = renditions.filter(({ hasVideo, hasAudio }) => hasAudio && !hasVideo);
  const copyableAudio = bestAudio(audios.filter((audio) => copyability([audio]) === true));
  const anyAudio = bestAudio(audios);
  const seen = renditions.filter(({ hasVideo }) => hasVideo);
  // A source without picture becomes an MP4 with a still picture.
  if (seen.length === 0 && anyAudio)
    return [
      {
        renditions: [anyAudio],
        sizeBytes: estimateBytes(anyAudio, durationSeconds),
        heightLines: undefined,
        isCopyable: false,
      },
    ];
  return seen.map((video) => {
    const audio = video.hasAudio ? undefined : copyability([video]) === true ? (copyableAudio ?? anyAudio) : anyAudio;
    const together = audio ? [video, audio] : [video];
    return {
      renditions: together,
      sizeBytes: sumBytes(together, durationSeconds),
      heightLines: video.heightLines,
      isCopyable: copyability(together),
    };
  });
}

/** The choice with most lines; of equals the last, which the extractor sorts as better. */
function tallest(choices: readonly Choice[]): Choice | undefined {
  const heightLines = Math.max(...choices.map((choice) => choice.heightLines ?? 0));
  return choices.findLast((choice) => (choice.heightLines ?? 0) === heightLines);
}

function chooseForMp4(
  info: VideoInfo,
  limits: TierLimits,
  maxSourceBytes: number,
): { choice: Choice; note?: string; isEncodedAnew?: true } {
  const all = choicesForMp4(info);
  const low = all.filter(({ heightLines }) => heightLines === undefined || heightLines <= limits.mp4MaxHeight);
  const fits = ({ sizeBytes }: Choice): boolean =>
    sizeBytes === undefined || sizeBytes * CONTAINER_OVERHEAD <= limits.maxFileBytes;

  const copied =
    tallest(low.filter((choice) => choice.isCopyable === true && fits(choice))) ??
    tallest(low.filter((choice) => choice.isCopyable === undefined && fits(choice)));
  if (copied) {
    const unlimited = tallest(low.filter((choice) => choice.isCopyable === copied.isCopyable));
    const isReduced = unlimited && (unlimited.heightLines ?? 0) > (copied.heightLines ?? Infinity);
    return isReduced
      ? { choice: copied, note: `${copied.heightLines}p to fit ${describeSize(limits.maxFileBytes)}` }
      : { choice: copied };
  }

  const leastBytes = ((info.durationSeconds ?? 0) * (LOWEST_VIDEO_KBPS + LOWEST_AUDIO_KBPS) * 1_000) / 8;
  if (leastBytes > limits.maxFileBytes)
    throw new ConversionError("too_large", { message: tooLargeMessage(leastBytes, limits) });

  // To be encoded: the tallest picture within the tier's height, else the lowest one above it.
  const affordable = (choice: Choice): boolean => (choice.sizeBytes ?? 0) <= maxSourceBytes;
  const source =
    tallest(low.filter(affordable)) ??
    all
      .filter(affordable)
      .toSorted((a, b) => (a.heightLines ?? 0) - (b.heightLines ?? 0) || (a.sizeBytes ?? 0) - (b.sizeBytes ?? 0))[0];
  if (source) return { choice: source, isEncodedAnew: true };
  const smallest = Math.min(...all.map(({ sizeBytes }) => sizeBytes ?? Infinity));
  throw new ConversionError("too_large", { message: sourceTooLargeMessage(smallest, limits) });
}

/**
 * Chooses what to fetch.
 * @param maxSourceBytes largest source that is fetched to be encoded smaller
 * @throws ConversionError "too_long", "too_large" with both sizes, "unavailable" for an MP3 when there is no sound
 */
export function planFetch(info: VideoInfo, format: Format, limits: TierLimits, maxSourceBytes: number): FetchPlan {
  checkDuration(info.durationSeconds, limits);
  if (format === "mp3") {
    const renditions = chooseForMp3(info, limits);
    const expectedBytes = sumBytes(renditions, info.durationSeconds);
    if (expectedBytes !== undefined && expectedBytes > maxSourceBytes)
      throw new ConversionError("too_large", { message: sourceTooLargeMessage(expectedBytes, limits) });
    return {
      renditions,
      expectedBytes,
      convertWork: "mp3",
      stageSeconds: plannedSeconds(format, info.durationSeconds, expectedBytes),
    };
  }
  const { choice, note, isEncodedAnew } = chooseForMp4(info, limits, maxSourceBytes);
  // When it is not certain that it is only copied, an encode is planned for: progress may leap ahead, but not crawl.
  const encodeLines =
    choice.isCopyable !== true ? Math.min(choice.heightLines ?? limits.mp4MaxHeight, limits.mp4MaxHeight) : undefined;
  return {
    renditions: choice.renditions,
    expectedBytes: choice.sizeBytes,
    note,
    isEncodedAnew,
    convertWork: choice.isCopyable === undefined ? undefined : choice.isCopyable ? "copy" : "encode",
    stageSeconds: plannedSeconds(format, info.durationSeconds, choice.sizeBytes, encodeLines),
  };
}
