/** Reasons for refusing a video because of the limits of the visitor's plan, and sentences that visitors read. */
import { exactly, type Explanation } from "../../../common/errors.ts";
import { describeReason } from "../../../common/reason-sentences.ts";
import { TIERS, type TierLimits } from "../../../common/tiers.ts";

const explain = (reason: Parameters<typeof describeReason>[0]): Explanation => ({
  message: describeReason(reason),
  reason,
});

/** Names the limit, and the one of Pro if it is longer. */
export function tooLong({ maxDurationSeconds: maxSeconds }: TierLimits): Explanation {
  const { maxDurationSeconds } = TIERS.pro;
  const proMaxSeconds = maxSeconds < maxDurationSeconds ? maxDurationSeconds : null;
  return explain({ name: "longer_than_plan", maxSeconds, proMaxSeconds });
}

/** @param neededBytes size of the result at the lowest quality */
export function resultTooLarge(neededBytes: number, { maxFileBytes: maxBytes }: TierLimits): Explanation {
  return explain({ name: "result_too_large", neededBytes, maxBytes, proMaxBytes: proLimitFor(neededBytes, maxBytes) });
}

/** @param neededBytes size of a result that has no lower quality */
export function fileTooLarge(neededBytes: number, { maxFileBytes: maxBytes }: TierLimits): Explanation {
  return explain({ name: "file_too_large", neededBytes, maxBytes, proMaxBytes: proLimitFor(neededBytes, maxBytes) });
}

/** @param sourceBytes size of the source that has to be fetched, even for a small result */
export function sourceTooLarge(sourceBytes: number, { maxFileBytes: maxBytes }: TierLimits): Explanation {
  return explain({ name: "source_too_large", sourceBytes, maxBytes, proMaxBytes: proLimitFor(sourceBytes, maxBytes) });
}

/** @returns the limit of Pro, if Pro would allow the size */
function proLimitFor(sizeBytes: number, maxBytes: number): number | null {
  const { maxFileBytes } = TIERS.pro;
  return maxBytes < maxFileBytes && sizeBytes <= maxFileBytes ? maxFileBytes : null;
}

export const NO_SOUND = exactly("no_sound");

/** The part has a picture, but the sound ends before it, begins after it or was not received. */
export const NO_SOUND_IN_PART = exactly("no_sound_in_part");

export const NOTHING_IN_PART = exactly("nothing_in_part");

export const NOT_READABLE = exactly("not_readable");

/** All bytes that the server has of it are there. */
export const FILE_DAMAGED = exactly("file_damaged");

export const PICTURE_ONLY = exactly("picture_only");

/** The picture may be readable, but a video with sound must not become a silent one. */
export const SOUND_NOT_READABLE = exactly("sound_not_readable");

/** For pages and files before it is known that they are a video. */
export const TOO_LARGE_TO_OPEN = exactly("too_large_to_open");

export const TOO_MANY_PIECES = exactly("too_many_pieces");

/** An advertisement before the video lasts longer than a worker waits. */
export const LONG_ADVERTISEMENT = exactly("long_advertisement");

/** The site still makes the recording of a live stream. */
export const LIVE_JUST_ENDED = exactly("live_just_ended");

/** The encoder has used up its time. */
export const TOOK_TOO_LONG = exactly("took_too_long");
