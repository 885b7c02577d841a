/** Plans which renditions are fetched for a format and a tier. Pure. */
import { ConversionError } from "../../../common/errors.ts";
import type { StageSeconds } from "../../../common/progress.ts";
import type { Format, TierLimits } from "../../../common/tiers.ts";
import { sourceTooLargeMessage } from "../errors/wording.ts";
import type { Rendition, VideoInfo } from "../probe/info.ts";
import type { Work } from "../progress/learned-paces.ts";
import { chooseForMp3 } from "./mp3-source.ts";
import { chooseForMp4, type Mp4Source } from "./mp4-source.ts";
import { checkDuration } from "./plan-bounds.ts";
import { plannedSeconds } from "./planned-times.ts";
import { estimateBytes } from "./rendition-sizes.ts";

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

function planMp3Fetch(info: VideoInfo, limits: TierLimits, maxSourceBytes: number): FetchPlan {
  const rendition = chooseForMp3(info, limits);
  const expectedBytes = estimateBytes(rendition, info.durationSeconds);
  if (expectedBytes !== undefined && expectedBytes > maxSourceBytes)
    throw new ConversionError("too_large", { message: sourceTooLargeMessage(expectedBytes, limits) });
  return {
    renditions: [rendition],
    expectedBytes,
    convertWork: "mp3",
    stageSeconds: plannedSeconds("mp3", info.durationSeconds, expectedBytes),
  };
}

function workOf({ isCopyable }: Mp4Source): Work | undefined {
  if (isCopyable === undefined) return undefined;
  return isCopyable ? "copy" : "encode";
}

function planMp4Fetch(info: VideoInfo, limits: TierLimits, maxSourceBytes: number): FetchPlan {
  const { source, note, isEncodedAnew } = chooseForMp4(info, limits, maxSourceBytes);
  const { renditions, sizeBytes, heightLines = limits.mp4MaxHeight, isCopyable } = source;
  // An encode is planned for unless the source is certainly only copied: progress may jump ahead, but should not crawl.
  const encodeLines = isCopyable === true ? undefined : Math.min(heightLines, limits.mp4MaxHeight);
  return {
    renditions,
    expectedBytes: sizeBytes,
    note,
    isEncodedAnew,
    convertWork: workOf(source),
    stageSeconds: plannedSeconds("mp4", info.durationSeconds, sizeBytes, encodeLines),
  };
}

/**
 * Chooses what to fetch.
 * @param maxSourceBytes largest source that is fetched to be encoded smaller
 * @throws ConversionError "too_long", "too_large" with both sizes, "unavailable" for an MP3 when there is no sound
 */
export function planFetch(info: VideoInfo, format: Format, limits: TierLimits, maxSourceBytes: number): FetchPlan {
  checkDuration(info.durationSeconds, limits);
  return format === "mp3" ? planMp3Fetch(info, limits, maxSourceBytes) : planMp4Fetch(info, limits, maxSourceBytes);
}
