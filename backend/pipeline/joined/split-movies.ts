/**
 * Splits an MP4 in which several begin, as a list gives it that names an initialisation section for each of its pieces.
 * ffmpeg takes the first index for all of them.
 */
import { dirname } from "node:path";
import { ConversionError } from "../../../common/errors.ts";
import { openFile, readAt, removeFile, sizeOf } from "../../tool-files/tool-files.ts";
import { TOO_MANY_PIECES } from "../errors/wording.ts";
import type { ByteRange } from "../mp4/byte-ranges.ts";
import { boxesBetween } from "../mp4/outer-boxes.ts";
import type { Work } from "../pipeline.ts";
import { checkFreeSpace } from "../process/free-space.ts";
import { copyLink } from "./copy-link.ts";

/** Several tools are started for each. */
const MAX_MOVIES = 500;
/** A segment has five or fewer, and a playlist 10,000 segments. */
const MAX_BOXES = 50_000;

/** @returns where each begins and ends; a single one also for another kind of file */
async function findMovies(path: string): Promise<readonly ByteRange[]> {
  await using file = await openFile(path);
  const { size } = await file.stat();
  const starts: number[] = [];
  const read = (position: number, count: number): Promise<Buffer> => readAt(file, position, count);
  for await (const { type, start } of boxesBetween(read, 0, size, MAX_BOXES)) if (type === "ftyp") starts.push(start);
  return starts.map((start, index) => ({ start, end: starts[index + 1] ?? size }));
}

/**
 * @param path of a complete file
 * @returns the path of each, in their order; `path` alone when there is one, or the file is of another kind
 * @throws ConversionError "too_large" for more than {@link MAX_MOVIES}, "storage" when the disk has no space for them
 */
export async function splitMovies(work: Work, path: string): Promise<readonly string[]> {
  const movies = await findMovies(path);
  if (movies.length <= 1) return [path];
  if (movies.length > MAX_MOVIES)
    throw new ConversionError("too_large", { ...TOO_MANY_PIECES, detail: `an MP4 of ${movies.length}` });
  await checkFreeSpace(dirname(path), work.pipeline.limits.minFreeDiskBytes + (await sizeOf(path)));
  const paths: string[] = [];
  for (const [number, range] of movies.entries()) {
    const moviePath = `${path}.movie${number}`;
    await copyLink(path, range, moviePath);
    paths.push(moviePath);
  }
  await removeFile(path);
  return paths;
}
