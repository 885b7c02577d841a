/** Finds out at which moment of the video a file begins that has only some of its segments. */
import { removeFile } from "../../tool-files/tool-files.ts";
import type { Work } from "../pipeline.ts";
import { inspectMedia, type MediaFile } from "../probe/media-file.ts";

/** What was fetched of a rendition in segments. */
export interface FetchedSpan {
  /** Length of the segments before the file, by the manifest. */
  readonly skippedSeconds: number;
  /** The beginning of the video, whose times tell those of the file. Absent: the file has it. */
  readonly beginningPath?: string;
  /** Length of the whole video, where the manifest states it. */
  readonly wholeSeconds?: number;
}

/** Manifests round the length of each segment. With a larger difference the times do not run through. */
const MAX_DIFFERENCE_SECONDS = 3;

/**
 * Takes the moment from the times in the segments, which are exact to a frame; from the manifest where each segment has
 * times of its own.
 */
export async function placeOnTimeline(
  work: Work,
  media: MediaFile,
  { skippedSeconds, beginningPath, wholeSeconds }: FetchedSpan,
): Promise<MediaFile> {
  if (beginningPath === undefined) return { ...media, timelineSeconds: 0, wholeSeconds };
  const beginning = await inspectMedia(work, beginningPath);
  await removeFile(beginningPath);
  const elapsed = (media.startSeconds ?? NaN) - (beginning.startSeconds ?? NaN);
  const isPlausible = Math.abs(elapsed - skippedSeconds) <= MAX_DIFFERENCE_SECONDS;
  return { ...media, timelineSeconds: isPlausible ? elapsed : skippedSeconds, wholeSeconds };
}
