/** Figures as the sentences of failures and notes say them. */
import { BYTES_PER_MB, TIERS, type TierLimits } from "../../../common/tiers.ts";

/** "20 minutes", "2 hours", "1 hour 30 minutes". */
export function describeDuration(seconds: number): string {
  const totalMinutes = Math.max(1, Math.round(seconds / 60));
  const [hours, minutes] = [Math.floor(totalMinutes / 60), totalMinutes % 60];
  const parts = [];
  if (hours > 0) parts.push(`${hours} hour${hours === 1 ? "" : "s"}`);
  if (minutes > 0) parts.push(`${minutes} minute${minutes === 1 ? "" : "s"}`);
  return parts.join(" ");
}

/** "50 MB"; decimal, as the tiers count. Rounded up, so that what does not fit never reads as if it did. */
export function describeSize(bytes: number): string {
  return `${Math.ceil(bytes / BYTES_PER_MB)} MB`;
}

/** Names the limit and, where Pro has a wider one, that. */
export function tooLongMessage(limits: TierLimits): string {
  const longer = `Longer than ${describeDuration(limits.maxDurationSeconds)}`;
  return limits.maxDurationSeconds < TIERS.pro.maxDurationSeconds
    ? `${longer}. Pro takes up to ${describeDuration(TIERS.pro.maxDurationSeconds)}.`
    : `${longer}, the longest that can be converted.`;
}

/** `neededBytes` is the least the video could be made to take. */
export function tooLargeMessage(neededBytes: number, limits: TierLimits): string {
  return `This video would take ${describeSize(neededBytes)} at the lowest quality; your plan allows ${describeSize(limits.maxFileBytes)}.${proTakes(neededBytes, limits)}`;
}

/** Of what would have to be fetched first, however small the result. */
export function sourceTooLargeMessage(sourceBytes: number, limits: TierLimits): string {
  return `This video is ${describeSize(sourceBytes)} at its source, too much to fetch for a file of at most ${describeSize(limits.maxFileBytes)}.${proTakes(sourceBytes, limits)}`;
}

/** What Pro would allow, said only where it would surely help. */
function proTakes(bytes: number, limits: TierLimits): string {
  const { maxFileBytes } = TIERS.pro;
  return limits.maxFileBytes < maxFileBytes && bytes <= maxFileBytes ? ` Pro takes up to ${describeSize(maxFileBytes)}.` : "";
}

export const NO_SOUND = "This video has no sound to make an MP3 from.";

/** Of pages and files that have not been found to be a video yet. */
export const TOO_LARGE_TO_OPEN = "What this link leads to is too large to open.";
