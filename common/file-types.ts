/** Kinds and media types of finished files. */
import type { FileKind } from "./findings.ts";
import { fileKindOf, type Job } from "./job.ts";

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

/** Only the kind of an original sound is stored. */
type TypedJob = Pick<Job, "format" | "fileKind" | "choices">;

/** What a file is when its job does not say: Matroska takes any sound, and players look into the file. */
const UNKNOWN_KIND = "mka";

/** @returns what the name of the file ends with. Files of chapters are in an archive. */
export function endingOf(job: TypedJob): FileKind | "zip" {
  return job.choices?.chapterFiles === true ? "zip" : (fileKindOf(job) ?? UNKNOWN_KIND);
}

export function contentTypeOf(job: TypedJob): string {
  return CONTENT_TYPES[endingOf(job)];
}
