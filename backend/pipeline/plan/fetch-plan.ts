/** Plans which renditions are fetched for a format and a tier. Pure. */
import type { ConversionChoices, Part } from "../../../common/choices.ts";
import { ConversionError } from "../../../common/errors.ts";
import type { StageSeconds } from "../../../common/progress.ts";
import type { Shortfall } from "../../../common/shortfall.ts";
import type { MediaFormat, TierLimits } from "../../../common/tiers.ts";
import { sourceTooLarge } from "../errors/wording.ts";
import { infoOfPart } from "../part/info-of-part.ts";
import { cutsIn, secondsOfCuts } from "../part/cuts.ts";
import { partOf } from "../part/part.ts";
import { wantedPart } from "../probe/clip.ts";
import type { Rendition, VideoInfo } from "../probe/info.ts";
import type { WorkKind } from "../progress/learned-paces.ts";
import { likelySoundBytes } from "./sound-bytes.ts";
import { chooseSound } from "./sound-source.ts";
import { chooseForMp3 } from "./mp3-source.ts";
import { chooseForMp4, type Mp4Source } from "./mp4-source.ts";
import { checkDuration } from "./plan-bounds.ts";
import { plannedSeconds } from "./planned-times.ts";
import { estimateBytes } from "./rendition-sizes.ts";

export interface FetchPlan {
  /** One rendition with everything, or one with the picture and one with the sound, in this order. */
  readonly renditions: readonly Rendition[];
  /** Cut to the end of the video. Absent: the whole video. */
  readonly part?: Part;
  /** Left out of the result, on the time line of the whole video. Absent: nothing. */
  readonly cuts?: readonly Part[];
  /** Length of the result; absent when the site does not state it. */
  readonly durationSeconds?: number;
  /** Size of all of them together, of a part where there is one; absent when the site does not state it. */
  readonly expectedBytes?: number;
  /** Size of a result that is larger than what is fetched; absent for those that are not. */
  readonly resultBytes?: number;
  readonly shortfall?: Shortfall;
  /** The picture is encoded, so the result has another size than what is fetched. */
  readonly isEncodedAnew?: true;
  /**
   * What has to be done with the fetched files. Absent where the site names no codecs; then an encode is planned for.
   */
  readonly convertWork?: WorkKind;
  /** Expected wall time, until it is replaced by measurements. */
  readonly stageSeconds: StageSeconds;
}

/** Plans to fetch one rendition with the sound. */
function planFetchOf(
  rendition: Rendition,
  format: Exclude<MediaFormat, "mp4">,
  info: VideoInfo,
  limits: TierLimits,
  maxSourceBytes: number,
): FetchPlan {
  const expectedBytes = estimateBytes(rendition, info.durationSeconds);
  if (expectedBytes !== undefined && expectedBytes > maxSourceBytes)
    throw new ConversionError("too_large", sourceTooLarge(expectedBytes, limits));
  return {
    renditions: [rendition],
    expectedBytes,
    resultBytes: unpackedBytes(rendition, format, info.durationSeconds, limits),
    convertWork: WORK[format],
    stageSeconds: plannedSeconds(format, info.durationSeconds, expectedBytes),
  };
}

/** @returns the most that a FLAC or a WAV takes; undefined for a format that is no larger than its source */
function unpackedBytes(
  rendition: Rendition,
  format: Exclude<MediaFormat, "mp4">,
  durationSeconds: number | undefined,
  { maxFileBytes }: TierLimits,
): number | undefined {
  if (format === "mp3" || format === "original") return undefined;
  return Math.min(maxFileBytes, likelySoundBytes("wav", rendition, durationSeconds) ?? maxFileBytes);
}

const WORK = { mp3: "mp3", original: "copy", flac: "lossless", wav: "lossless" } as const;

function workOf({ isCopyable }: Mp4Source): WorkKind | undefined {
  if (isCopyable === undefined) return undefined;
  return isCopyable ? "copy" : "encode";
}

function planMp4Fetch(info: VideoInfo, limits: TierLimits, maxSourceBytes: number): FetchPlan {
  const { source, shortfall, isEncodedAnew } = chooseForMp4(info, limits, maxSourceBytes);
  const { renditions, sizeBytes, heightLines = limits.mp4MaxHeight, isCopyable } = source;
  // An encode is planned for unless the source is certainly only copied: progress may jump ahead, but should not crawl.
  const encodeLines = isCopyable === true ? undefined : Math.min(heightLines, limits.mp4MaxHeight);
  return {
    renditions,
    expectedBytes: sizeBytes,
    shortfall,
    isEncodedAnew,
    convertWork: workOf(source),
    stageSeconds: plannedSeconds("mp4", info.durationSeconds, sizeBytes, encodeLines),
  };
}

/** A part of which the picture is encoded, because it begins or ends between two frames of the source. */
function withCutPicture(plan: FetchPlan, durationSeconds: number | undefined, limits: TierLimits): FetchPlan {
  const heightLines = Math.max(0, ...plan.renditions.map((rendition) => rendition.heightLines ?? 0));
  const encodeLines = Math.min(heightLines || limits.mp4MaxHeight, limits.mp4MaxHeight);
  return {
    ...plan,
    isEncodedAnew: true,
    convertWork: "encode",
    stageSeconds: plannedSeconds("mp4", durationSeconds, plan.expectedBytes, encodeLines),
  };
}

/** @throws what {@link planFetch} throws */
function planPart(
  info: VideoInfo,
  part: Part,
  format: MediaFormat,
  limits: TierLimits,
  maxSourceBytes: number,
): FetchPlan {
  const cut = infoOfPart(info, part);
  const { renditions, ...plan } = planFetch(cut, format, limits, maxSourceBytes);
  const whole = renditions.flatMap((rendition) => info.renditions[cut.renditions.indexOf(rendition)] ?? []);
  const planned = { ...plan, renditions: whole, part };
  return format === "mp4" ? withCutPicture(planned, cut.durationSeconds, limits) : planned;
}

/** A result without the sponsored spans. All of the video is fetched, and limits hold for it. */
function withCuts(plan: FetchPlan, format: MediaFormat, limits: TierLimits, spans: readonly Part[]): FetchPlan {
  const cuts = cutsIn(spans, plan.part ?? { startSeconds: 0, endSeconds: plan.durationSeconds ?? Infinity });
  if (cuts.length === 0) return plan;
  const durationSeconds = plan.durationSeconds === undefined ? undefined : plan.durationSeconds - secondsOfCuts(cuts);
  const cut = { ...plan, cuts, durationSeconds };
  return format === "mp4" ? withCutPicture(cut, durationSeconds, limits) : cut;
}

/**
 * Chooses what to fetch for the choices of a visitor.
 * @param sponsored spans that are left out where the visitor wants it; a copied sound has them in any case
 * @throws ConversionError what {@link planFetch} throws; "no_chapters" when there are none to make files of
 */
export function planChoices(
  info: VideoInfo,
  format: MediaFormat,
  limits: TierLimits,
  maxSourceBytes: number,
  choices: ConversionChoices = {},
  sponsored: readonly Part[] = [],
): FetchPlan {
  const { chapterFiles, sponsored: choice } = choices;
  const plan = planFetch(info, format, limits, maxSourceBytes, wantedPart(info, choices));
  if (choice === "cut" && format !== "original") return withCuts(plan, format, limits, sponsored);
  if (!chapterFiles) return plan;
  if (!info.chapters || info.chapters.length === 0) throw new ConversionError("no_chapters");
  return format === "mp4" ? withCutPicture(plan, info.durationSeconds, limits) : plan;
}

/**
 * Chooses what to fetch.
 * @param maxSourceBytes largest source that is fetched to be encoded smaller
 * @param wantedPart limits hold for it, whatever the length of the video; absent: the whole video
 * @throws ConversionError "too_long", "too_large" with both sizes, "unavailable" for a format of sound when there is
 * none, "part_outside"
 */
export function planFetch(
  info: VideoInfo,
  format: MediaFormat,
  limits: TierLimits,
  maxSourceBytes: number,
  wantedPart?: Part,
): FetchPlan {
  const { durationSeconds } = info;
  const part = partOf(wantedPart, durationSeconds);
  if (part) return planPart(info, part, format, limits, maxSourceBytes);
  checkDuration(durationSeconds, limits);
  if (format === "mp4") return { ...planMp4Fetch(info, limits, maxSourceBytes), durationSeconds };
  const rendition = format === "mp3" ? chooseForMp3(info, limits) : chooseSound(format, info, limits, maxSourceBytes);
  return { ...planFetchOf(rendition, format, info, limits, maxSourceBytes), durationSeconds };
}
