/** Sentences about limits, durations and sizes that visitors read. */
import { BYTES_PER_MB, TIERS, type TierLimits } from "../../../common/tiers.ts";

/** "20 minutes", "2 hours", "1 hour 30 minutes". */
export function describeDuration(seconds: number): string {
  const totalMinutes = Math.max(1, Math.round(seconds / 60));
  const hours = Math.floor(totalMinutes / 60);
  const minutes = totalMinutes % 60;
  const parts = [];
  if (hours > 0) parts.push(`${hours} hour${hours === 1 ? "" : "s"}`);
  if (minutes > 0) parts.push(`${minutes} minute${minutes === 1 ? "" : "s"}`);
  return parts.join(" ");
}

/** "50 MB", decimal like the tiers. Rounded up, so that a size above a limit never reads as equal to it. */
export function describeSize(bytes: number): string {
  return `${Math.ceil(bytes / BYTES_PER_MB)} MB`;
}

/** Names the limit, and the one of Pro if it is longer. */
export function tooLongMessage(limits: TierLimits): string {
  const longer = `Longer than ${describeDuration(limits.maxDurationSeconds)}`;
  return limits.maxDurationSeconds < TIERS.pro.maxDurationSeconds
    ? `${longer}. Pro takes up to ${describeDuration(TIERS.pro.maxDurationSeconds)}.`
    : `${longer}, the longest that can be converted.`;
}

/** @param neededBytes size of the result at the lowest quality */
export function tooLargeMessage(neededBytes: number, limits: TierLimits): string {
  const needed = `This video would take ${describeSize(neededBytes)} at the lowest quality`;
  return `${needed}; your plan allows ${describeSize(limits.maxFileBytes)}.${proSentence(neededBytes, limits)}`;
}

/** @param sourceBytes size of the source that has to be fetched, even for a small result */
export function sourceTooLargeMessage(sourceBytes: number, limits: TierLimits): string {
  const source = `This video is ${describeSize(sourceBytes)} at its source`;
  const limit = `too much to fetch for a file of at most ${describeSize(limits.maxFileBytes)}`;
  return `${source}, ${limit}.${proSentence(sourceBytes, limits)}`;
}

/** @returns a sentence on the limit of Pro, if Pro would allow the size; else "" */
function proSentence(bytes: number, limits: TierLimits): string {
  const { maxFileBytes } = TIERS.pro;
  return limits.maxFileBytes < maxFileBytes && bytes <= maxFileBytes
    ? ` Pro takes up to ${describeSize(maxFileBytes)}.`
    : "";
}

export const NO_SOUND = "This video has no sound to make an MP3 from.";

/** For pages and files before it is known that they are a video. */
export const TOO_LARGE_TO_OPEN = "What this link leads to is too large to open.";

/** The site still makes the recording of a live stream. */
export const LIVE_JUST_ENDED =
  "This live stream has just ended, and its site still prepares the recording. Retry in a few hours.";
