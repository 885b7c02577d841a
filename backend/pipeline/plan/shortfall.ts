/** Finds out whether a picture has fewer lines than the tier allows, and why. Pure. */
import type { Shortfall } from "../../../common/shortfall.ts";
import type { TierLimits } from "../../../common/tiers.ts";
import { shorterSide } from "../probe/ffprobe-output.ts";
import type { VideoInfo } from "../probe/info.ts";
import type { EncodePlan, VideoTrackPlan } from "./encode-plan.ts";

/** Sizes of one class differ: a wide picture has fewer lines than one of 16:9. */
const ENOUGH_LINES = 0.88;
/** Sites round, so a rendition is taller only if it has this much more. */
const TALLER = 1.05;

interface Size {
  readonly width: number;
  readonly height: number;
}

function sizeOf(video: Exclude<VideoTrackPlan, { method: "still" }>): Size {
  const { widthPixels: width, heightLines: height } = video.stream;
  const scale = video.method !== "encode" ? 1 : video.heightLines / shorterSide(video.stream);
  return { width: width * scale, height: height * scale };
}

/** The name of a size: the lines of the 16:9 picture that is as wide, or those of the shorter side. */
function classLines({ width, height }: Size): number {
  return Math.round(Math.max(Math.min(width, height), (Math.max(width, height) * 9) / 16));
}

/**
 * @param info what the site offered
 * @returns undefined for a picture that is as good as the tier allows, and for a result without one
 */
export function findShortfall(plan: EncodePlan, info: VideoInfo, limits: TierLimits): Shortfall | undefined {
  if (plan.format !== "mp4" || plan.video.method === "still") return undefined;
  const size = sizeOf(plan.video);
  const heightLines = classLines(size);
  if (heightLines >= limits.mp4MaxHeight * ENOUGH_LINES) return undefined;
  const taller = info.renditions
    .filter(({ hasVideo }) => hasVideo)
    .map((rendition) => rendition.heightLines ?? 0)
    .filter((lines) => lines > Math.min(size.width, size.height) * TALLER);
  if (taller.length === 0) return { reason: "site", heightLines };
  return { reason: Math.min(...taller) > limits.mp4MaxHeight ? "site_within_plan" : "codec", heightLines };
}
