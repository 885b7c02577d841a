import type { ChapterMark } from "../../../common/preview-details.ts";

/** Most characters of a job's chapters as JSON. Lists of jobs read them, and a file has its chapters in any case. */
export const MAX_CHAPTERS_LENGTH = 16_000;

/** @returns undefined for more chapters than are stored */
export function storedChapters(chapters: readonly ChapterMark[]): readonly ChapterMark[] | undefined {
  return JSON.stringify(chapters).length > MAX_CHAPTERS_LENGTH ? undefined : chapters;
}
