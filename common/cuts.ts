/** Which finished files can be cut again without their link. */
import type { Job } from "./job.ts";

/**
 * A transcript is text, and an archive has many files. Where sponsored segments were cut out, the times of the file are not
 * those of the video, which every part is named by. A tape is of no video.
 */
export function isCuttable({ format, choices, tape }: Pick<Job, "format" | "choices" | "tape">): boolean {
  return !tape && format !== "transcript" && choices?.chapterFiles !== true && choices?.sponsored !== "cut";
}
