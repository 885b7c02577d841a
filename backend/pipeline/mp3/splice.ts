/**
 * Goes over from one MP3 stream to another of the same sound, frame for frame, without a decoder noticing.
 *
 * A frame of Layer III may begin with bytes that lie in the frames before it (the bit reservoir), so cutting
 * between two frames is not enough: those bytes have to come along. They fit exactly where the other stream
 * keeps the bytes of its own frame, if that one draws on at least as many. Pure.
 */
import type { Frame } from "./mp3-frame.ts";

/** Main data a frame can lie behind: 9 bits of side information count it. */
const MAX_RESERVOIR_BYTES = 511;

/** The last `count` bytes of main data before frame `position`, oldest first. Undefined when they are not all there. */
function mainDataBefore(frames: readonly Frame[], position: number, count: number): Buffer | undefined {
  const parts: Buffer[] = [];
  let missing = count;
  for (let index = position - 1; missing > 0; index -= 1) {
    const frame = frames[index];
    if (!frame) return undefined;
    const share = frame.bytes.subarray(frame.mainDataOffset);
    const part = share.subarray(Math.max(0, share.length - missing));
    parts.unshift(part);
    missing -= part.length;
  }
  return Buffer.concat(parts);
}

/** A copy of the frames whose last bytes of main data are replaced. */
function withMainDataEnd(frames: readonly Frame[], end: Buffer): Frame[] {
  const changed = [...frames];
  let left = end.length;
  for (let index = changed.length - 1; left > 0; index -= 1) {
    const frame = changed[index];
    if (!frame) throw new RangeError("more main data than the frames hold");
    const bytes = Buffer.from(frame.bytes);
    const room = Math.min(left, bytes.length - frame.mainDataOffset);
    end.copy(bytes, bytes.length - room, left - room, left);
    left -= room;
    changed[index] = { ...frame, bytes };
  }
  return changed;
}

export interface Splice {
  /** What is kept of the first stream; its last frames carry what the second's first one draws on. */
  readonly before: Frame[];
  /** The position in both from which the second stream goes on. */
  readonly position: number;
}

/**
 * `first` and `second` hold the same frames of the sound under the same positions.
 * The change happens at the first possible position from `from` to before `to`; undefined when there is none.
 */
export function spliceAt(first: readonly Frame[], second: readonly Frame[], from: number, to: number): Splice | undefined {
  for (let position = from; position < to; position += 1) {
    const [last, next] = [first[position], second[position]];
    if (!last || !next) return undefined;
    if (next.reservoirBytes > last.reservoirBytes || next.reservoirBytes > MAX_RESERVOIR_BYTES) continue;
    const drawn = mainDataBefore(second, position, next.reservoirBytes);
    if (!drawn || !mainDataBefore(first, position, next.reservoirBytes)) continue;
    return { before: withMainDataEnd(first.slice(0, position), drawn), position };
  }
  return undefined;
}
