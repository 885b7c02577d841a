/** Gives chapters to ffmpeg, as a further input that has nothing else. */
import { writeFile } from "../../tool-files/tool-files.ts";
import type { Chapter } from "../probe/chapters.ts";

/** Characters that have a meaning in the file; see "Metadata" in ffmpeg's manual of formats. */
const SPECIAL = /[=;#\\\n]/g;

/** @returns the chapters in the form that ffmpeg's "ffmetadata" reads */
function describeChapters(chapters: readonly Chapter[]): string {
  const parts = chapters.map(({ title, startSeconds, endSeconds }) =>
    [
      "[CHAPTER]",
      "TIMEBASE=1/1000",
      `START=${Math.round(startSeconds * 1_000)}`,
      `END=${Math.round(endSeconds * 1_000)}`,
      `title=${title.replaceAll(SPECIAL, "\\$&")}`,
    ].join("\n"),
  );
  return [";FFMETADATA1", ...parts, ""].join("\n");
}

/**
 * Writes the chapters beside the result.
 * @returns path of the file; undefined when there are no chapters
 */
export async function writeChapters(outputPath: string, chapters: readonly Chapter[]): Promise<string | undefined> {
  if (chapters.length === 0) return undefined;
  const path = `${outputPath}.chapters`;
  await writeFile(path, describeChapters(chapters));
  return path;
}

/** Options before the input. Those of the sources do not allow this format. */
export const CHAPTER_INPUT = ["-protocol_whitelist", "file,pipe", "-f", "ffmetadata"] as const;

/**
 * @param input number of the input; undefined: the result has no chapters
 * @returns options before the output, which drop everything else that the inputs say about themselves
 */
export function chapterMap(input: number | undefined): readonly string[] {
  if (input === undefined) return ["-map_metadata", "-1", "-map_chapters", "-1"];
  // Without a kind the first option would also drop the titles of the chapters.
  return ["-map_metadata:g", "-1", "-map_metadata:s", "-1", "-map_chapters", String(input)];
}

/**
 * Chapters as Vorbis comments. Those that ffmpeg 5.1 makes of its own chapters are up to a second late.
 * @returns options before the output
 */
export function commentArgs(chapters: readonly Chapter[]): readonly string[] {
  return chapters.flatMap(({ title, startSeconds }, index) => {
    const name = `CHAPTER${String(index).padStart(3, "0")}`;
    const hours = String(Math.floor(startSeconds / 3_600)).padStart(2, "0");
    const rest = new Date(startSeconds * 1_000).toISOString().slice("1970-01-01T00".length, -1);
    return ["-metadata", `${name}=${hours}${rest}`, "-metadata", `${name}NAME=${title}`];
  });
}
