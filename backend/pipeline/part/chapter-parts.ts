/** Which part of a video each file of a chapter has. Pure. */
import { SHORTEST_PART_SECONDS } from "../../../common/choices.ts";
import type { Part } from "../../../common/choices.ts";
import type { Chapter } from "../probe/chapters.ts";

export interface ChapterPart {
  readonly title: string;
  readonly part: Part;
}

/**
 * Divides a video at its chapters, so that nothing of it is lost or there twice. A chapter that is shorter than the
 * shortest part belongs to the one before it; at the beginning, to the one after it.
 * @param chapters sorted by time
 * @param durationSeconds of the video
 * @returns the last one ends with the video; empty without chapters
 */
export function chapterParts(chapters: readonly Chapter[], durationSeconds: number): readonly ChapterPart[] {
  const isLong = ({ startSeconds }: Chapter, index: number): boolean => {
    const nextSeconds = chapters[index + 1]?.startSeconds ?? durationSeconds;
    return Math.min(nextSeconds, durationSeconds) - startSeconds >= SHORTEST_PART_SECONDS;
  };
  const long = chapters.filter(isLong);
  const kept = long.length > 0 ? long : chapters.slice(0, 1);
  return kept.map(({ title, startSeconds }, index) => ({
    title,
    part: {
      startSeconds: index === 0 ? 0 : startSeconds,
      endSeconds: kept[index + 1]?.startSeconds ?? durationSeconds,
    },
  }));
}
