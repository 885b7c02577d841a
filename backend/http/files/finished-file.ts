/** Names and media types of finished files. */
import type { Part } from "../../../common/choices.ts";
import { downloadName } from "../../../common/download-name.ts";
import type { FileKind } from "../../../common/findings.ts";
import { fileKindOf, type Job } from "../../../common/job.ts";
import { formatTime } from "../../../common/times.ts";

/** Media types of all kinds of files. */
export const CONTENT_TYPES: Readonly<Record<FileKind | "zip", string>> = {
  mp3: "audio/mpeg",
  mp4: "video/mp4",
  m4a: "audio/mp4",
  // RFC 7845, section 9, and RFC 5334.
  opus: "audio/ogg",
  ogg: "audio/ogg",
  // RFC 9639, section 10.
  flac: "audio/flac",
  wav: "audio/wav",
  // None is registered for AIFF and WavPack; these are what players know.
  aiff: "audio/aiff",
  // RFC 4867, section 8.
  amr: "audio/amr",
  wv: "audio/x-wavpack",
  mka: "audio/x-matroska",
  zip: "application/zip",
  // No registered type for SubRip is known to browsers.
  srt: "text/plain; charset=utf-8",
  vtt: "text/vtt; charset=utf-8",
  txt: "text/plain; charset=utf-8",
};

/** A finished job; only the kind of an original sound is stored. */
type FinishedJob = Pick<Job, "title" | "format" | "fileKind" | "subtitleLanguage" | "choices" | "durationSeconds">;

/** What a file is when its job does not say: Matroska takes any sound, and players look into the file. */
const UNKNOWN_KIND = "mka";

/** Files of chapters are in an archive. */
function endingOf(job: FinishedJob): FileKind | "zip" {
  return job.choices?.chapterFiles === true ? "zip" : (fileKindOf(job) ?? UNKNOWN_KIND);
}

export function contentTypeOf(job: FinishedJob): string {
  return CONTENT_TYPES[endingOf(job)];
}

/** @returns such as " (1.02-3.05)"; the end of the video may come before that of the part */
function partSuffix({ startSeconds, endSeconds }: Part, durationSeconds = Infinity): string {
  const seconds = [startSeconds, Math.min(endSeconds, startSeconds + durationSeconds)];
  // Windows allows no colons.
  return ` (${seconds.map((second) => formatTime(Math.round(second)).replaceAll(":", ".")).join("-")})`;
}

/** @returns a name as {@link downloadName} makes it, of the title that the visitor has chosen or the video has */
export function fileNameOf(job: FinishedJob): string {
  const { part, tags } = job.choices ?? {};
  const language = job.subtitleLanguage === undefined ? "" : ` (${job.subtitleLanguage})`;
  const suffix = (part ? partSuffix(part, job.durationSeconds) : "") + language;
  return downloadName(tags?.title ?? job.title, endingOf(job), suffix);
}
