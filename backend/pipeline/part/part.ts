/** The part of a video that is converted, on the time line of the whole video. Pure. */
import { SHORTEST_PART_SECONDS, type Part } from "../../../common/choices.ts";
import { ConversionError } from "../../../common/errors.ts";
import type { MediaFile } from "../probe/media-file.ts";

/** Sites round lengths, so less than this beside a part is no reason to cut. */
const ROUNDING_SECONDS = 0.5;

/** @returns length, to the millisecond */
export function partSeconds({ startSeconds, endSeconds }: Part): number {
  return Math.round((endSeconds - startSeconds) * 1_000) / 1_000;
}

/**
 * Cuts the end of a part to that of its video.
 * @param durationSeconds of the whole video; undefined leaves the part as it is
 * @throws ConversionError "part_outside" when less than the shortest part is left
 */
export function clipPart(part: Part, durationSeconds: number | undefined): Part {
  const { startSeconds } = part;
  const endSeconds = Math.min(part.endSeconds, durationSeconds ?? Infinity);
  if (durationSeconds !== undefined && endSeconds - startSeconds < SHORTEST_PART_SECONDS - ROUNDING_SECONDS)
    throw new ConversionError("part_outside", { detail: `${startSeconds} s of ${durationSeconds} s` });
  return { startSeconds, endSeconds };
}

/**
 * @param durationSeconds of the whole video, as far as it is known
 * @returns the part as {@link clipPart} does; undefined when it is the whole video
 * @throws what {@link clipPart} throws
 */
export function partOf(part: Part | undefined, durationSeconds: number | undefined): Part | undefined {
  if (!part) return undefined;
  const clipped = clipPart(part, durationSeconds);
  const isWhole =
    durationSeconds !== undefined && part.startSeconds === 0 && clipped.endSeconds > durationSeconds - ROUNDING_SECONDS;
  return isWhole ? undefined : clipped;
}

/** Whether only some segments were fetched. The length of such a file says nothing about that of the video. */
export function isSpan({ timelineSeconds }: Pick<MediaFile, "timelineSeconds">): boolean {
  return timelineSeconds !== undefined;
}

/**
 * Cuts a part to the end of the sources.
 * @throws what {@link clipPart} throws
 */
export function partInSources(
  part: Part | undefined,
  sources: readonly Pick<MediaFile, "timelineSeconds" | "wholeSeconds">[],
  sourceSeconds: number,
): Part | undefined {
  if (!sources.some(isSpan)) return part && clipPart(part, sourceSeconds);
  const stated = sources.flatMap(({ wholeSeconds }) => wholeSeconds ?? []);
  return part && clipPart(part, stated.length > 0 ? Math.max(...stated) : undefined);
}

/** @returns the share of a video's bytes that a part has, 0 to 1; 1 for a video of unknown length */
export function shareOf(part: Part, durationSeconds: number | undefined): number {
  return durationSeconds === undefined ? 1 : Math.min(1, partSeconds(part) / durationSeconds);
}
