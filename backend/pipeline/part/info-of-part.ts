/** The metadata of a part, as if it were a video of its own: plans and estimates then need not know of parts. Pure. */
import type { Part } from "../../../common/choices.ts";
import type { Rendition, VideoInfo } from "../probe/info.ts";
import { partSeconds, shareOf } from "./part.ts";

/**
 * @param durationSeconds of the whole video
 * @returns length and size of the part; everything else is that of the whole
 */
export function renditionOfPart(rendition: Rendition, part: Part, durationSeconds: number | undefined): Rendition {
  const { sizeBytes } = rendition;
  return {
    ...rendition,
    durationSeconds: partSeconds(part),
    sizeBytes: sizeBytes === undefined ? undefined : sizeBytes * shareOf(part, durationSeconds),
  };
}

/** @returns length and sizes of the part; everything else is that of the whole video */
export function infoOfPart(info: VideoInfo, part: Part): VideoInfo {
  const renditions = info.renditions.map((rendition) => renditionOfPart(rendition, part, info.durationSeconds));
  return { ...info, durationSeconds: partSeconds(part), renditions };
}
