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
/** Each is read by itself. Two hours of segments with a box for each frame have about as many. */
const MAX_BOXES = 1_000_000;

/** @returns where each begins and ends; none in another kind of file */
async function findMovies(path: string, signal: AbortSignal): Promise<readonly ByteRange[]> {
  await using file = await openFile(path);
  const { size } = await file.stat();
  const starts: number[] = [];
  const read = (position: number, count: number): Promise<Buffer> => readAt(file, position, count);
  let count = 0;
  for await (const { type, start } of boxesBetween(read, 0, size, MAX_BOXES)) {
    signal.throwIfAborted();
    if (type === "ftyp") starts.push(start);
    count += 1;
  }
  if (count >= MAX_BOXES)
    throw new ConversionError("too_large", { ...TOO_MANY_PIECES, detail: `an MP4 of ${count} boxes` });
  return starts.map((start, index) => ({ start, end: starts[index + 1] ?? size }));
}

/**
 * @param path of a complete file
 * @returns the path of each, in their order; `path` alone when there is one, or the file is of another kind
 * @throws ConversionError "too_large" for more than {@link MAX_MOVIES}, "storage" when the disk has no space for
 *   them; `signal.reason` when aborted
 */
export async function splitMovies(work: Work, path: string): Promise<readonly string[]> {
  const { signal } = work;
  const movies = await findMovies(path, signal);
  if (movies.length <= 1) return [path];
  if (movies.length > MAX_MOVIES)
    throw new ConversionError("too_large", { ...TOO_MANY_PIECES, detail: `an MP4 of ${movies.length}` });
  await checkFreeSpace(dirname(path), work.pipeline.limits.minFreeDiskBytes + (await sizeOf(path)));
  const paths: string[] = [];
  for (const [number, range] of movies.entries()) {
    signal.throwIfAborted();
    const moviePath = `${path}.movie${number}`;
    await copyLink(path, range, moviePath);
    paths.push(moviePath);
  }
  await removeFile(path);
  return paths;
}
