/**
 * Copies an MP4 with our tags and the cover in its index instead of its own metadata. No tool is started, and the media is
 * not read but only copied. Where there is enough free space behind the index, the fetched file itself becomes the result.
 */
import { createFile, moveFile, openFile, openToChange, readFile, removeFile } from "../../tool-files/tool-files.ts";
import type { GrowingFile } from "../fetch/growing-file.ts";
import { spareSpace } from "../fetch/spare-space.ts";
import { writeAt } from "../mp3/write-at.ts";
import { BOX_HEADER_BYTES, FREE_BOXES, MAX_INDEX_BYTES, shiftIndex, type Box } from "../mp4/boxes.ts";
import { readLayout } from "../mp4/layout.ts";
import { withTags } from "../mp4/movie-tags.ts";
import { withPlainParts } from "../mp4/plain-index.ts";
import type { Cover } from "./cover.ts";
import { BackgroundFlush } from "./background-flush.ts";
import type { FileTags } from "./encode.ts";
import { MAX_COVER_BYTES } from "./picture.ts";

/** Bytes before the index; there are only the brands of the file, and perhaps empty boxes. */
const MAX_BYTES_BEFORE = 65_536;
/** Bytes that are copied at once. */
const COPY_BYTES = 1_048_576;

export interface TaggedFront {
  /** The beginning of the copy: all until the end of the index, and of the free space behind it. */
  readonly bytes: Buffer;
  /** Offset in the source of what follows its index and that space. The same as in the copy where the tags fit there. */
  readonly restStart: number;
}

/**
 * Reads the beginning of an MP4, and puts tags and cover into its index instead of other metadata.
 * @param path of a file whose index is on disk; the media may be missing
 * @returns undefined when the index is not in front or unusual, or its positions would not fit into their fields
 */
export async function readTaggedFront(path: string, tags: FileTags, cover?: Cover): Promise<TaggedFront | undefined> {
  const layout = await readLayout(path);
  const position = layout.findIndex(({ type }) => type === "moov" || type === "mdat");
  const index = layout[position];
  if (index?.type !== "moov" || index.start > MAX_BYTES_BEFORE || index.end - index.start > MAX_INDEX_BYTES)
    return undefined;
  await using file = await openFile(path);
  const front = Buffer.alloc(index.end);
  const { bytesRead } = await file.read(front, 0, front.length, 0);
  if (bytesRead < front.length) return undefined;
  const { link, ...others } = tags;
  const plain = withPlainParts(front.subarray(index.start));
  const tagged =
    plain &&
    withTags(plain, { ...others, comment: link, cover: cover && (await readFile(cover.path, MAX_COVER_BYTES)) });
  if (!tagged) return undefined;
  const restStart = endOfFreeSpace(layout.slice(position));
  const spareBytes = restStart - index.start - tagged.length;
  const fits = spareBytes === 0 || spareBytes >= BOX_HEADER_BYTES;
  const space = spareSpace(fits ? spareBytes : 0);
  const shiftBytes = index.start + tagged.length + space.length - restStart;
  const shifted = shiftIndex(tagged, shiftBytes, restStart, Infinity);
  return shifted && { bytes: Buffer.concat([front.subarray(0, index.start), shifted, space]), restStart };
}

/** @param boxes an index and what follows it @returns the end of the index, and of the free space directly behind it */
function endOfFreeSpace([index, ...others]: readonly Box[]): number {
  let end = index?.end ?? 0;
  for (const box of others) {
    if (!FREE_BOXES.has(box.type)) break;
    ({ end } = box);
  }
  return end;
}

/**
 * Reads a complete file from an offset to its end. A chunk is valid until the next one is asked for.
 */
export async function* readFrom(path: string, from: number): AsyncGenerator<Buffer> {
  await using file = await openFile(path);
  const buffer = Buffer.alloc(COPY_BYTES);
  for (let position = from; ;) {
    const { bytesRead } = await file.read(buffer, 0, buffer.length, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

/**
 * Writes `outputPath`, which is removed again when that fails.
 * @param rest the bytes of the source from `restStart` on
 * @param onBytes called with the number of bytes written
 * @throws the error of `rest`; `signal.reason` when aborted
 */
export async function writeTaggedCopy(
  { bytes }: TaggedFront,
  rest: AsyncIterable<Buffer>,
  outputPath: string,
  signal: AbortSignal,
  onBytes: (count: number) => void = () => undefined,
): Promise<void> {
  try {
    await using flush = new BackgroundFlush(outputPath);
    await using output = await createFile(outputPath);
    await output.writeFile(bytes);
    let count = bytes.length;
    for await (const chunk of rest) {
      signal.throwIfAborted();
      await output.writeFile(chunk);
      flush.start();
      count += chunk.length;
      onBytes(count);
    }
    await flush.finish();
  } catch (error) {
    await removeFile(outputPath);
    throw error;
  }
}

/**
 * Makes a file that is still being fetched the result: writes the beginning, moves the file to `outputPath`, and waits for
 * its end. Reading the file by its old path is over then.
 * @param front as long as what it replaces
 * @param onBytes called with the number of bytes of the result that are there
 * @throws the error of the file's writer; `signal.reason` when aborted
 */
export async function finishInPlace(
  { bytes }: TaggedFront,
  file: GrowingFile,
  outputPath: string,
  signal: AbortSignal,
  onBytes: (count: number) => void,
): Promise<void> {
  await file.atLeast(bytes.length);
  await using output = await openToChange(file.path);
  await writeAt(output, bytes, 0);
  await moveFile(file.path, outputPath);
  try {
    await using flush = new BackgroundFlush(outputPath);
    for (let there = 0, next = await file.atLeast(1); next > there; next = await file.atLeast(there + 1)) {
      signal.throwIfAborted();
      there = next;
      flush.start();
      onBytes(there);
    }
    await flush.finish();
  } catch (error) {
    await removeFile(outputPath);
    throw error;
  }
}
