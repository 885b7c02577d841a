import type { Rendition, VideoInfo } from "../../pipeline/probe/info.ts";
import { testRendition } from "./test-rendition.ts";

/** @returns the metadata of a video with these renditions, whose ids are "0", "1" … unless they name others */
export function testInfo(durationSeconds: number | undefined, ...renditions: Partial<Rendition>[]): VideoInfo {
  return {
    title: "t",
    tags: { title: "t" },
    thumbnailUrls: [],
    isGeneric: false,
    base: {},
    renditions: renditions.map((about, index) => testRendition({ id: String(index), ...about })),
    durationSeconds,
  };
}
