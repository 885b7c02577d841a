/** Chooses the segments of a rendition that a part needs. Pure. */
import type { Part } from "../../../common/choices.ts";

/** A rendition in segments; `seconds` is the length of each, 0 for an initialisation section. */
export interface TimedSegments {
  readonly urls: readonly string[];
  readonly seconds?: readonly number[];
}

export interface SegmentsOfPart {
  /** The initialisation section, if there is one, and the segments that overlap with the part. */
  readonly urls: readonly string[];
  /** Length of the segments before them, by the manifest. */
  readonly skippedSeconds: number;
  /** The initialisation section and the first segment of the video. Absent where no segment is skipped. */
  readonly firstUrls?: readonly string[];
}

/** Manifests round lengths, and decoders need some sound before the part. */
const MARGIN_SECONDS = 0.2;

/** @returns undefined when the part needs all segments, or their lengths are unknown */
export function segmentsOfPart({ urls, seconds = [] }: TimedSegments, part: Part): SegmentsOfPart | undefined {
  const initCount = seconds[0] === 0 ? 1 : 0;
  const init = urls.slice(0, initCount);
  const isTimed = seconds.length === urls.length && seconds.slice(initCount).every((length) => length > 0);
  const from = part.startSeconds - MARGIN_SECONDS;
  const to = part.endSeconds + MARGIN_SECONDS;
  const chosen: string[] = [];
  let skippedSeconds = 0;
  let start = 0;
  for (let index = initCount; index < urls.length; index += 1) {
    const end = start + (seconds[index] ?? 0);
    if (end <= from) skippedSeconds = end;
    else if (start < to) chosen.push(urls[index] ?? "");
    start = end;
  }
  if (!isTimed || chosen.length === 0 || chosen.length === urls.length - initCount) return undefined;
  const firstUrls = skippedSeconds > 0 ? urls.slice(0, initCount + 1) : undefined;
  return { urls: [...init, ...chosen], skippedSeconds, firstUrls };
}
