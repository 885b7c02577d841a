/** Which of the renditions on offer are fetched for a format and a tier. Pure. */
import { ConversionError } from "../../../common/errors.ts";
import type { StageSeconds } from "../../../common/progress.ts";
import { TIERS, type Format, type TierLimits } from "../../../common/tiers.ts";
import type { Rendition, VideoInfo } from "../probe/info.ts";
import type { Work } from "../progress/learned-paces.ts";
import { plannedSeconds } from "./planned-times.ts";
import { describeSize, NO_SOUND, sourceTooLargeMessage, tooLargeMessage, tooLongMessage } from "../errors/wording.ts";

/** The least an MP4 is made at: 240 lines at 120 kbps with sound at 64 kbps still show what happens. */
export const LOWEST_VIDEO_KBPS = 120;
export const LOWEST_AUDIO_KBPS = 64;

/** No plan has a higher one. */
const MOST_MP3_KBPS = TIERS.pro.mp3BitrateKbps;

/** Sizes stated by sites are of the tracks; the container adds up to about 2 percent. */
const CONTAINER_OVERHEAD = 1.02;

export interface FetchPlan {
  /** One with everything, or picture and sound apart, in this order. */
  readonly renditions: readonly Rendition[];
  /** All of them together; absent when the site does not say. */
  readonly expectedBytes?: number;
  readonly note?: string;
  /** The result's size is then not that of what is fetched. */
  readonly isEncodedAnew?: true;
  /** What has to be done with it. Absent where the site names no codecs; then the most is planned for. */
  readonly convertWork?: Work;
  /** Expected wall time; what is measured on the way replaces it. */
  readonly stageSeconds: StageSeconds;
}

/** Picture with its sound, from one rendition or two. */
interface Choice {
  readonly renditions: readonly Rendition[];
  readonly sizeBytes: number | undefined;
  readonly heightLines: number | undefined;
  /** Needs new boxes only; undefined when the site names no codecs. */
  readonly isCopyable: boolean | undefined;
}

/** Throws "too_long"; nothing when the duration is unknown. */
export function checkDuration(durationSeconds: number | undefined, limits: TierLimits): void {
  // Half a second of grace: sites round.
  if (durationSeconds !== undefined && durationSeconds > limits.maxDurationSeconds + 0.5)
    throw new ConversionError("too_long", { message: tooLongMessage(limits), detail: `${durationSeconds} s` });
}

/** What it comes to, stated or told from its bit rate. */
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

/** The best sound-only rendition: the original's language, then as the extractor sorts, worst to best; its plain form, if there is one. */
function bestAudio(audios: readonly Rendition[]): Rendition | undefined {
  const preferred = Math.max(...audios.map(({ languagePreference }) => languagePreference));
  const best = audios.findLast(({ languagePreference }) => languagePreference === preferred);
  if (!best || !isCompressed(best)) return best;
  const plainId = best.id.replace(/-drc$/, "");
  return audios.find(({ id, languagePreference }) => id === plainId && languagePreference === preferred) ?? best;
}

/** Sites round, and measure without the container: so much below what is asked for is as good. */
const ENOUGH_SOUND = 0.93;
/** Of a rendition with picture whose sound nobody states: so many times what is asked for have room for it. */
const ROOM_FOR_PICTURE = 2;

/** Whether an MP3 of so many kbps gains nothing from a richer source. `isAlike`: all that is offered has one codec of sound. */
function isSoundEnough({ audioBitrateKbps, bitrateKbps, hasVideo }: Rendition, kbps: number, isAlike: boolean): boolean {
  if (audioBitrateKbps !== undefined) return audioBitrateKbps >= kbps * ENOUGH_SOUND;
  if (!hasVideo) return bitrateKbps !== undefined && bitrateKbps >= kbps * ENOUGH_SOUND;
  return isAlike && (bitrateKbps ?? Infinity) >= kbps * ROOM_FOR_PICTURE;
}

/** Whether loud and quiet were brought closer together; yt-dlp marks such sound of YouTube by this ending. */
const isCompressed = ({ id }: Rendition): boolean => id.endsWith("-drc");

/** The one that costs least to fetch; of equals the lowest, then plain sound before compressed sound. */
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

/** At the top bit rate nothing is spared; at others the least that is as good, before the richest. */
function chooseForMp3({ renditions, durationSeconds }: VideoInfo, { mp3BitrateKbps }: TierLimits): readonly Rendition[] {
  const audible = renditions.filter(({ hasAudio }) => hasAudio);
  const isSparing = mp3BitrateKbps < MOST_MP3_KBPS;
  const alone = audible.filter(({ hasVideo }) => !hasVideo);
  const apart = bestAudio(alone);
  if (apart) {
    const original = alone.filter(({ languagePreference }) => languagePreference === apart.languagePreference);
    const enough = isSparing ? original.filter((sound) => isSoundEnough(sound, mp3BitrateKbps, false)) : [];
    return [cheapest(enough, durationSeconds) ?? apart];
  }
  const [first, ...others] = audible;
  if (!first) throw new ConversionError("unavailable", { message: NO_SOUND });
  const isAlike = others.every(({ audioCodec, languagePreference }) => audioCodec === first.audioCodec && languagePreference === first.languagePreference);
  const enough = isSparing ? audible.filter((rendition) => isSoundEnough(rendition, mp3BitrateKbps, isAlike)) : [];
  // Else the richest sound. Where nobody states it, it is likeliest that of the best picture; where it is equal, the least picture is thrown away.
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
  // Sound alone becomes a still picture with sound.
  if (seen.length === 0 && anyAudio)
    return [{ renditions: [anyAudio], sizeBytes: estimateBytes(anyAudio, durationSeconds), heightLines: undefined, isCopyable: false }];
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

/** Taller is better; then the later, which is the extractor's better. */
function tallest(choices: readonly Choice[]): Choice | undefined {
  const heightLines = Math.max(...choices.map((choice) => choice.heightLines ?? 0));
  return choices.findLast((choice) => (choice.heightLines ?? 0) === heightLines);
}

function chooseForMp4(info: VideoInfo, limits: TierLimits, maxSourceBytes: number): { choice: Choice; note?: string; isEncodedAnew?: true } {
  const all = choicesForMp4(info);
  const low = all.filter(({ heightLines }) => heightLines === undefined || heightLines <= limits.mp4MaxHeight);
  const fits = ({ sizeBytes }: Choice): boolean => sizeBytes === undefined || sizeBytes * CONTAINER_OVERHEAD <= limits.maxFileBytes;

  const copied = tallest(low.filter((choice) => choice.isCopyable === true && fits(choice)))
    ?? tallest(low.filter((choice) => choice.isCopyable === undefined && fits(choice)));
  if (copied) {
    const unlimited = tallest(low.filter((choice) => choice.isCopyable === copied.isCopyable));
    const gaveWay = unlimited && (unlimited.heightLines ?? 0) > (copied.heightLines ?? Infinity);
    return gaveWay ? { choice: copied, note: `${copied.heightLines}p to fit ${describeSize(limits.maxFileBytes)}` } : { choice: copied };
  }

  const leastBytes = ((info.durationSeconds ?? 0) * (LOWEST_VIDEO_KBPS + LOWEST_AUDIO_KBPS) * 1_000) / 8;
  if (leastBytes > limits.maxFileBytes) throw new ConversionError("too_large", { message: tooLargeMessage(leastBytes, limits) });

  // To be encoded anew: the tallest that is within the limit, else the least that is above it.
  const affordable = (choice: Choice): boolean => (choice.sizeBytes ?? 0) <= maxSourceBytes;
  const source =
    tallest(low.filter(affordable)) ??
    all.filter(affordable).toSorted((a, b) => (a.heightLines ?? 0) - (b.heightLines ?? 0) || (a.sizeBytes ?? 0) - (b.sizeBytes ?? 0))[0];
  if (source) return { choice: source, isEncodedAnew: true };
  const smallest = Math.min(...all.map(({ sizeBytes }) => sizeBytes ?? Infinity));
  throw new ConversionError("too_large", { message: sourceTooLargeMessage(smallest, limits) });
}

/**
 * Chooses what to fetch. `maxSourceBytes` bounds what may be fetched to be made smaller.
 * Throws ConversionError: "too_long", "too_large" with both sizes, "unavailable" for an MP3 of silence.
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
      ...(expectedBytes === undefined ? {} : { expectedBytes }),
      convertWork: "mp3",
      stageSeconds: plannedSeconds(format, info.durationSeconds, expectedBytes),
    };
  }
  const { choice, note, isEncodedAnew } = chooseForMp4(info, limits, maxSourceBytes);
  // Unless it surely is only copied, time to encode is allowed for: a bar that leaps ahead beats one that crawls.
  const encodeLines = choice.isCopyable !== true ? Math.min(choice.heightLines ?? limits.mp4MaxHeight, limits.mp4MaxHeight) : undefined;
  return {
    renditions: choice.renditions,
    ...(choice.sizeBytes === undefined ? {} : { expectedBytes: choice.sizeBytes }),
    ...(note === undefined ? {} : { note }),
    ...(isEncodedAnew ? { isEncodedAnew } : {}),
    ...(choice.isCopyable === undefined ? {} : { convertWork: choice.isCopyable ? "copy" : "encode" }),
    stageSeconds: plannedSeconds(format, info.durationSeconds, choice.sizeBytes, encodeLines),
  };
}
