/** Finds the fragments of an MP4 that a part needs, from its segment index ("sidx", ISO/IEC 14496-12, 8.16.3). Pure. */
import type { ByteRange } from "./byte-ranges.ts";

export interface FragmentsOfPart {
  readonly range: ByteRange;
  /** Where the first fragment of the video begins. */
  readonly firstStart: number;
  /** Length of the fragments before the range. */
  readonly skippedSeconds: number;
  readonly wholeSeconds: number;
}

/** Decoders need some frames before the part. */
const MARGIN_SECONDS = 0.3;
const REFERENCE_BYTES = 12;

/**
 * @param index content of "sidx"
 * @param indexEnd offset in the file after that box
 * @returns undefined for an index of indexes, or when no fragment is in the part
 * @throws RangeError when the index is cut off
 */
export function fragmentsOfPart(
  index: Buffer,
  indexEnd: number,
  part: { readonly startSeconds: number; readonly endSeconds: number },
): FragmentsOfPart | undefined {
  const isLong = index.readUInt8(0) === 1;
  const unitsPerSecond = index.readUInt32BE(8);
  const firstOffset = isLong ? Number(index.readBigUInt64BE(20)) : index.readUInt32BE(16);
  const countOffset = isLong ? 30 : 22;
  const count = index.readUInt16BE(countOffset);
  if (unitsPerSecond === 0 || index.length < countOffset + 2 + count * REFERENCE_BYTES) return undefined;
  const firstStart = indexEnd + firstOffset;
  let position = firstStart;
  let seconds = 0;
  let skippedSeconds = 0;
  let range: ByteRange | undefined;
  for (let entry = 0; entry < count; entry += 1) {
    const at = countOffset + 2 + entry * REFERENCE_BYTES;
    const size = index.readUInt32BE(at);
    // The first bit is set for a reference to another index.
    if (size > 0x7fff_ffff) return undefined;
    const end = seconds + index.readUInt32BE(at + 4) / unitsPerSecond;
    if (end <= part.startSeconds - MARGIN_SECONDS) skippedSeconds = end;
    else if (seconds < part.endSeconds + MARGIN_SECONDS)
      range = { start: range?.start ?? position, end: position + size };
    position += size;
    seconds = end;
  }
  return range && { range, firstStart, skippedSeconds, wholeSeconds: seconds };
}
