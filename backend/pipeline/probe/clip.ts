/** Clips: parts of a video that have links of their own. The extractor gives the formats of the whole video. Pure. */
import { Part, type ConversionChoices } from "../../../common/choices.ts";

/** As yt-dlp prints them. It gives the length of the clip as that of the video. */
interface ClipFields {
  readonly section_start?: number | undefined;
  readonly section_end?: number | undefined;
}

/** @returns the clip on the time line of the whole video; undefined for a link that is no clip */
export function clipOf({ section_start: startSeconds, section_end: endSeconds }: ClipFields): Part | undefined {
  return Part.safeParse({ startSeconds, endSeconds }).data;
}

interface StatedRate {
  readonly sizeBytes?: number | undefined;
  readonly bitrateKbps?: number | undefined;
}

/**
 * YouTube computes the mean bit rate of a format from its size and length, so these give the length back.
 * @param renditions with exact sizes only: yt-dlp estimates the others from the length of the clip
 * @returns length of the whole video; undefined when no rendition states both
 */
export function secondsOfWhole(renditions: readonly StatedRate[], { endSeconds }: Part): number | undefined {
  const lengths = renditions.flatMap(({ sizeBytes, bitrateKbps }) =>
    sizeBytes === undefined || bitrateKbps === undefined ? [] : (sizeBytes * 8) / (bitrateKbps * 1_000),
  );
  return lengths.length === 0 ? undefined : Math.max(endSeconds, ...lengths.map((length) => Math.round(length)));
}

/** @returns the id of the video that a clip at YouTube is of, as the addresses of its pictures have it */
export function videoIdOfClip(pictureUrls: readonly string[]): string | undefined {
  return pictureUrls.map((url) => /\/vi(?:_webp)?\/([\w-]{11})\//.exec(url)?.[1]).find((id) => id !== undefined);
}

/** @returns the part that is converted; undefined for the whole video, of which chapters have files */
export function wantedPart(
  { clip }: { readonly clip?: Part | undefined },
  { part, chapterFiles }: ConversionChoices,
): Part | undefined {
  return part ?? (chapterFiles ? undefined : clip);
}
