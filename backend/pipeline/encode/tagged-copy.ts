/** Copies an MP4 and adds our tags to its index. No tool is started, and the media is not read but only copied. */
import { open, rm } from "node:fs/promises";
import { MAX_INDEX_BYTES, shiftIndex } from "../mp4/boxes.ts";
import { readLayout } from "../mp4/layout.ts";
import { withTags } from "../mp4/movie-tags.ts";
import { EarlyFlush } from "./early-flush.ts";
import type { FileTags } from "./encode.ts";

/** Bytes before the index; there are only the brands of the file, and perhaps empty boxes. */
const MAX_BYTES_BEFORE = 65_536;
/** Bytes that are copied at once. */
const COPY_BYTES = 1_048_576;

export interface TaggedFront {
  /** The beginning of the copy: all until the end of the index. */
  readonly bytes: Buffer;
  /** Offset in the source of what follows its index. */
  readonly restStart: number;
}

/**
 * Reads the beginning of an MP4 and adds tags to its index.
 * @param path of a file whose index is on disk and has no tags; the media may be missing
 * @returns undefined when the index is not in front, or its positions would not fit into their fields
 */
export async function readTaggedFront(path: string, tags: FileTags): Promise<TaggedFront | undefined> {
  const layout = await readLayout(path);
  const index = layout.find(({ type }) => type === "moov" || type === "mdat");
  if (index?.type !== "moov" || index.start > MAX_BYTES_BEFORE || index.end - index.start > MAX_INDEX_BYTES)
    return undefined;
  await using file = await open(path);
  const front = Buffer.alloc(index.end);
  const { bytesRead } = await file.read(front, 0, front.length, 0);
  if (bytesRead < front.length) return undefined;
  const { link, ...others } = tags;
  const moov = front.subarray(index.start);
  const longer = withTags(moov, { ...others, comment: link });
  const shifted = shiftIndex(longer, longer.length - moov.length, index.end, Infinity);
  return shifted && { bytes: Buffer.concat([front.subarray(0, index.start), shifted]), restStart: index.end };
}

/**
 * Reads a complete file from an offset to its end. A chunk is valid until the next one is asked for.
 */
export async function* readFrom(path: string, from: number): AsyncGenerator<Buffer> {
  await using file = await open(path);
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
    await using early = new EarlyFlush(outputPath);
    await using output = await open(outputPath, "w");
    await output.writeFile(bytes);
    let count = bytes.length;
    for await (const chunk of rest) {
      signal.throwIfAborted();
      await output.writeFile(chunk);
      early.start();
      count += chunk.length;
      onBytes(count);
    }
    await early.finish();
  } catch (error) {
    await rm(outputPath, { force: true });
    throw error;
  }
}
