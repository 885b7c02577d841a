/**
 * Free space behind the index of an MP4, for tags and a cover that are written there later. With it the fetched file can
 * become the result; without it all media has to be written a second time, further back. Pure.
 */
import { BOX_HEADER_BYTES, boxesIn, findBox, firstMainBox, shiftIndex } from "../mp4/boxes.ts";
import { box } from "../mp4/write-box.ts";

/** Of the whole file, so that a short one does not grow by much. */
const MAX_SHARE = 1 / 64;
/** More than the cover of a portrait takes, which is the largest. */
const MAX_SPARE_BYTES = 262_144;

/** @param totalBytes of the file without the space */
export function spareBytesFor(totalBytes: number): number {
  return Math.min(MAX_SPARE_BYTES, Math.floor(totalBytes * MAX_SHARE));
}

/** @returns a box that players skip, of `bytes` bytes with its header; nothing when that is too few for the header */
export function spareSpace(bytes: number): Buffer {
  return bytes < BOX_HEADER_BYTES ? Buffer.alloc(0) : box("free", Buffer.alloc(bytes - BOX_HEADER_BYTES));
}

/** @returns the end of an index that comes before the media; undefined when there is none in the first bytes of the file */
export function endOfFirstIndex(head: Buffer): number | undefined {
  const box = firstMainBox(head);
  return box?.type === "moov" ? box.end : undefined;
}

/**
 * Adapts the first bytes of an MP4 to space that is inserted behind its index.
 * @param head at least the whole index
 * @returns a changed copy as long as `head`; undefined when no space can be inserted
 */
export function shiftedForSpace(head: Buffer, spareBytes: number, totalBytes: number): Buffer | undefined {
  const index = [...boxesIn(head)].find(({ type }) => type === "moov");
  if (!index || index.end > head.length) return undefined;
  // Fragments may name positions of their own.
  if (findBox(head.subarray(index.start, index.end), "moov", "mvex")) return undefined;
  const shifted = shiftIndex(head.subarray(index.start, index.end), spareBytes, index.end, totalBytes);
  return shifted && Buffer.concat([head.subarray(0, index.start), shifted, head.subarray(index.end)]);
}
