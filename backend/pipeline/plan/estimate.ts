/** Estimates the result of a conversion from the metadata alone. Pure. */
import type { Estimate } from "../../../common/api.ts";
import { ConversionError } from "../../../common/errors.ts";
import { qualityFor, TIERS, type Format, type Tier } from "../../../common/tiers.ts";
import { planFetch } from "./fetch-plan.ts";
import type { VideoInfo } from "../probe/info.ts";
import { tooLargeMessage } from "../errors/wording.ts";

/**
 * @param maxSourceFactor a source may be this many times as large as the tier's largest file
 * @returns the estimate; for a conversion that would fail, with `fits` false and the reason in `note`
 */
export function estimate(info: VideoInfo, format: Format, tier: Tier, maxSourceFactor: number): Estimate {
  const limits = TIERS[tier];
  const quality = qualityFor(tier, format);
  // An MP3 has a constant bit rate, so its size follows from its length.
  const mp3Bytes =
    info.durationSeconds === undefined ? null : Math.round((info.durationSeconds * limits.mp3BitrateKbps * 1_000) / 8);
  try {
    const plan = planFetch(info, format, limits, limits.maxFileBytes * maxSourceFactor);
    if (format === "mp4")
      return {
        quality,
        sizeBytes: plan.isEncodedAnew ? null : roundOrNull(plan.expectedBytes),
        fits: true,
        note: plan.note ?? null,
      };
    const fits = mp3Bytes === null || mp3Bytes <= limits.maxFileBytes;
    return { quality, sizeBytes: mp3Bytes, fits, note: fits ? null : tooLargeMessage(mp3Bytes, limits) };
  } catch (error) {
    if (!(error instanceof ConversionError)) throw error;
    return {
      quality,
      sizeBytes: format === "mp3" && error.code !== "unavailable" ? mp3Bytes : null,
      fits: false,
      note: error.message,
    };
  }
}

function roundOrNull(bytes: number | undefined): number | null {
  return bytes === undefined ? null : Math.round(bytes);
}
