/** Names of finished files. */
import type { Part } from "../../../common/choices.ts";
import { downloadName } from "../../../common/download-name.ts";
import { endingOf } from "../../../common/file-types.ts";
import type { Job } from "../../../common/job.ts";
import { formatTime } from "../../../common/times.ts";

/** A finished job; only the kind of an original sound is stored. */
type FinishedJob = Pick<Job, "title" | "format" | "fileKind" | "subtitleLanguage" | "choices" | "durationSeconds">;

/**
 * @param durationSeconds of what follows the start: the end of the video may come before that of the part
 * @returns such as " (1.02-3.05)"
 */
function partSuffix({ startSeconds, endSeconds }: Part, durationSeconds = Infinity): string {
  const seconds = [startSeconds, Math.min(endSeconds, startSeconds + durationSeconds)];
  // Windows allows no colons.
  return ` (${seconds.map((second) => formatTime(Math.round(second)).replaceAll(":", ".")).join("-")})`;
}

/** @returns a name as {@link downloadName} makes it, of the title that the visitor has chosen or the video has */
export function fileNameOf(job: FinishedJob): string {
  const { part, tags, sponsored } = job.choices ?? {};
  const language = job.subtitleLanguage === undefined ? "" : ` (${job.subtitleLanguage})`;
  // What was cut out of the middle does not move the end.
  const durationSeconds = sponsored === "cut" ? undefined : job.durationSeconds;
  const suffix = (part ? partSuffix(part, durationSeconds) : "") + language;
  return downloadName(tags?.title ?? job.title, endingOf(job), suffix);
}
