/** Bounds that hold for both plans: what is fetched, and how it is encoded. */
import { ConversionError } from "../../../common/errors.ts";
import type { TierLimits } from "../../../common/tiers.ts";
import { tooLong } from "../errors/wording.ts";

/** The lowest quality of an MP4: 240 lines at 120 kbps with sound at 64 kbps are still watchable. */
export const LOWEST_VIDEO_KBPS = 120;
export const LOWEST_AUDIO_KBPS = 64;

/** Sites round lengths, so a video may be longer than the tier's limit by this much. */
const GRACE_SECONDS = 0.5;

/**
 * @param durationSeconds undefined passes: the length is checked again when it is known
 * @throws ConversionError "too_long"
 */
export function checkDuration(durationSeconds: number | undefined, limits: TierLimits): void {
  if (durationSeconds !== undefined && durationSeconds > limits.maxDurationSeconds + GRACE_SECONDS)
    throw new ConversionError("too_long", { ...tooLong(limits), detail: `${durationSeconds} s` });
}

/**
 * A source that is longer than planned is encoded only this far. That is more than the tolerance of verification, so
 * the result is recognised as too long.
 */
export function maxSecondsFor(plannedSeconds: number): number {
  return plannedSeconds + Math.max(5, plannedSeconds * 0.03);
}
