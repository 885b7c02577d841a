import { basename } from "node:path";
import { removeFile, writeFile } from "../../tool-files/tool-files.ts";
import type { Work } from "../pipeline.ts";
import { inspectMedia, JOIN_GUARD, type MediaFile } from "../probe/media-file.ts";
import { runFfmpeg } from "../process/ffmpeg.ts";

export interface ConcatenatedFile {
  /** In one folder with the others. */
  readonly path: string;
  /** After which the next one begins. Absent: as the file has it. */
  readonly seconds?: number;
}

/**
 * Puts files one behind the other, whose streams are of the same kinds in the same order, and removes them.
 * @param streams as ffmpeg selects them
 * @param joinedPath beside the files
 * @returns a Matroska file
 */
export async function concatenate(
  work: Work,
  files: readonly ConcatenatedFile[],
  streams: readonly string[],
  joinedPath: string,
): Promise<MediaFile> {
  const listPath = `${joinedPath}.list`;
  const lines = files.map(({ path, seconds }) => [
    `file '${basename(path)}'\n`,
    seconds === undefined ? "" : `duration ${seconds.toFixed(6)}\n`,
  ]);
  await writeFile(listPath, lines.flat().join(""));
  const copied = [...streams.flatMap((stream) => ["-map", stream]), "-c", "copy"];
  const args = [...JOIN_GUARD, "-f", "concat", "-i", `file:${listPath}`, ...copied, "-f", "matroska", joinedPath];
  await runFfmpeg(work, args, joinedPath);
  await Promise.all([...files.map(({ path }) => path), listPath].map(removeFile));
  return inspectMedia(work, joinedPath);
}
