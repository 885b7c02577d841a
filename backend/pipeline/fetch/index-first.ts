/**
 * Moves the index of an MP4 in front of its media. An MP4 whose index (`moov`) comes after its media (`mdat`) can be
 * read only when its last byte has arrived; with the index in front it can be decoded while it is fetched.
 */
import { boxesIn, firstMainBox, MAX_INDEX_BYTES, shiftIndex, type Box } from "../mp4/boxes.ts";
import type { ByteRange } from "../mp4/byte-ranges.ts";
import { spareSpace } from "./spare-space.ts";

/**
 * Finds the media of an MP4 whose index comes after it.
 * @param head first bytes of the file
 * @returns undefined for an index in front, for another format, or for media that reaches the end of the file
 */
export function findMediaBeforeIndex(head: Buffer, totalBytes: number): ByteRange | undefined {
  const box = firstMainBox(head);
  if (box?.type !== "mdat" || box.end >= totalBytes || totalBytes - box.end > MAX_INDEX_BYTES) return undefined;
  return { start: box.start, end: box.end };
}

/**
 * Rewrites the positions in an index for its place in front of the media.
 * @param tail all bytes after the media
 * @param spareBytes of free space that comes after it
 * @returns the index with that space, or undefined when it cannot be moved
 */
export function indexForFront(tail: Buffer, media: ByteRange, spareBytes = 0): Buffer | undefined {
  let index: Box | undefined;
  for (const box of boxesIn(tail)) {
    // Further media after the index would not move with it.
    if (box.type === "mdat" || box.type === "moof") return undefined;
    if (box.type === "moov") index ??= box;
  }
  if (!index || index.end > tail.length) return undefined;
  const space = spareSpace(spareBytes);
  const shiftBytes = index.end - index.start + space.length;
  const shifted = shiftIndex(tail.subarray(index.start, index.end), shiftBytes, media.start, media.end);
  return shifted && Buffer.concat([shifted, space]);
}
