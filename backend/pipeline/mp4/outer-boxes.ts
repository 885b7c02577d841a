/** Reads the boxes of an MP4 that is on disk, remote, or still being fetched. */
import { boxesIn, type Box } from "./boxes.ts";

/** @returns the bytes from `position` on; fewer than `count` only where the file ends */
export type ReadAt = (position: number, count: number) => Promise<Buffer>;

/** Box header with a size of eight bytes. */
const MAX_HEADER_BYTES = 16;

/**
 * Yields the boxes between two offsets of a file, each after one read. Offsets are those in the file. Ends at the first
 * header that is cut off or not valid, and after `maxBoxes`.
 */
export async function* boxesBetween(
  read: ReadAt,
  from: number,
  to: number,
  maxBoxes: number,
): AsyncGenerator<Box, undefined> {
  let start = from;
  for (let count = 0; count < maxBoxes && start < to; count += 1) {
    const [box] = boxesIn(await read(start, Math.min(MAX_HEADER_BYTES, to - start)));
    if (!box) return;
    const end = box.end === Infinity ? to : start + box.end;
    yield { type: box.type, start, contentStart: start + box.contentStart, end };
    start = end;
  }
}

/**
 * Yields all boxes from an offset to the end of the file, also while it grows.
 * @throws RangeError when there are more than `maxBoxes`, a header is cut off, not valid or
 *   without a size, or the file does not end where its last box does
 */
export async function* allBoxes(read: ReadAt, from: number, maxBoxes: number): AsyncGenerator<Box, undefined> {
  let end = from;
  for await (const box of boxesBetween(read, from, Infinity, maxBoxes)) {
    // Zeros in place of a header would also be a box up to the end of the file.
    if (box.end === Infinity) throw new RangeError("a box does not state its size");
    yield box;
    ({ end } = box);
  }
  // The byte before the end is the last one of the file, else the size of the last box is wrong.
  if (end > from && (await read(end - 1, 2)).length !== 1)
    throw new RangeError("the file has too many boxes, or does not end where its last box does");
}

/** @throws RangeError when the content is longer than `maxBytes`, or cut off */
export async function readContent(read: ReadAt, { type, contentStart, end }: Box, maxBytes: number): Promise<Buffer> {
  const count = end - contentStart;
  const content = count > maxBytes ? undefined : await read(contentStart, count);
  if (content?.length !== count) throw new RangeError(`"${type}" is too long or cut off`);
  return content;
}
