/**
 * An MP4 whose index stands behind its media can be neither looked into nor decoded before its last byte has come. Here
 * its index is fetched first, and the file is put together as if it had been in front all the time.
 */
import { boxesIn, MAX_INDEX_BYTES, shiftIndex, type Box } from "../mp4/boxes.ts";

/** Where the media lies, in a file that has its index behind it. */
export interface MediaSpan {
  readonly start: number;
  readonly end: number;
}

/** Of a file by its first bytes. Undefined: the index is in front, or it is no MP4, or the media goes to the file's end. */
export function findMediaBeforeIndex(head: Buffer, totalBytes: number): MediaSpan | undefined {
  let isMp4 = false;
  for (const { type, start, end } of boxesIn(head)) {
    if (type === "ftyp") isMp4 = true;
    else if (type === "mdat") return isMp4 && end < totalBytes && totalBytes - end <= MAX_INDEX_BYTES ? { start, end } : undefined;
    else if (type !== "free" && type !== "skip" && type !== "wide") return undefined;
  }
  return undefined;
}

/** The index as it is in front of the media, from all that lies behind it. Undefined: it cannot be moved. */
export function indexForFront(tail: Buffer, media: MediaSpan): Buffer | undefined {
  let index: Box | undefined;
  for (const box of boxesIn(tail)) {
    // Pieces of media behind the index would have to stay where they are.
    if (box.type === "mdat" || box.type === "moof") return undefined;
    if (box.type === "moov") index ??= box;
  }
  if (!index || index.end > tail.length) return undefined;
  return shiftIndex(tail.subarray(index.start, index.end), index.end - index.start, media.start, media.end);
}
