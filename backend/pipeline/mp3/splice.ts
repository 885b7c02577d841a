/**
 * Joins two MP3 streams of the same sound at a frame, so that a decoder does not notice.
 *
 * The main data of a Layer III frame may begin in the frames before it (the bit reservoir), so cutting between two
 * frames is not enough: those bytes have to be copied, too. They fit into the reservoir bytes of the frame that is
 * replaced, if that frame has at least as many. Pure.
 */
import { BITRATES_KBPS, mainDataBytes, type Frame } from "./mp3-frame.ts";

/** The side information counts reservoir bytes in 9 bits. */
const MAX_RESERVOIR_BYTES = 511;

/** @returns the last `count` bytes of main data before frame `position`; undefined when the frames hold fewer */
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

/** @returns a copy of the frames in which `end` replaces the last bytes of main data */
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
  /** Frames of the first stream; the last of them carry the reservoir bytes of the second stream's first frame. */
  readonly before: Frame[];
  /** Position from which the second stream follows. */
  readonly position: number;
  /** How many bytes `before` has more than those frames had in the first stream: -1, 0 or 1. */
  readonly addedBytes: number;
}

/** How many bytes the first stream has to get more, or less, for a join at a position. */
export type WantedBytes = (position: number) => number;

const AS_IT_IS: WantedBytes = () => 0;
/** Third byte of a frame's header. */
const PADDING_BIT = 0x02;

/** Whether a frame can have one byte of padding more or less; `count` may be 0. */
function canAdd(count: number, { bytes }: Frame): boolean {
  const isPadded = (bytes.readUInt8(2) & PADDING_BIT) !== 0;
  return count === 0 || (Math.abs(count) === 1 && isPadded === count < 0);
}

/** Adds or removes the padding of the last frame; the end of its main data must be free then. */
function withAdded(frames: readonly Frame[], count: number): Frame[] {
  const last = frames.at(-1);
  if (!last || count === 0) return [...frames];
  const bytes = Buffer.alloc(last.bytes.length + count);
  last.bytes.copy(bytes);
  bytes.writeUInt8(bytes.readUInt8(2) ^ PADDING_BIT, 2);
  return [...frames.slice(0, -1), { ...last, bytes, sizeBytes: bytes.length }];
}

/**
 * Joins two streams that hold the same frames of the sound at the same positions.
 * @returns the join at the first possible position from `from` to before `to`; undefined when none is possible
 */
export function spliceAt(
  first: readonly Frame[],
  second: readonly Frame[],
  from: number,
  to: number,
  wantedBytes = AS_IT_IS,
): Splice | undefined {
  for (let position = from; position < to; position += 1) {
    const before = first[position - 1];
    const last = first[position];
    const next = second[position];
    if (!before || !last || !next) return undefined;
    const addedBytes = wantedBytes(position);
    if (!canAdd(addedBytes, before)) continue;
    const freeBytes = last.reservoirBytes + addedBytes;
    if (next.reservoirBytes > freeBytes || next.reservoirBytes > MAX_RESERVOIR_BYTES) continue;
    const reservoir = mainDataBefore(second, position, next.reservoirBytes);
    if (!reservoir || !mainDataBefore(first, position, next.reservoirBytes)) continue;
    return {
      before: withMainDataEnd(withAdded(first.slice(0, position), addedBytes), reservoir),
      position,
      addedBytes,
    };
  }
  return undefined;
}

/**
 * @returns bit rate of a bridge: one step lower, so that each of its frames leaves room for reservoir bytes
 * @throws RangeError for the lowest bit rate
 */
export function bridgeBitrateKbps(bitrateKbps: number): number {
  const lower = BITRATES_KBPS.findLast((kbps) => kbps < bitrateKbps && kbps > 0);
  if (lower === undefined) throw new RangeError(`no bit rate is below ${bitrateKbps} kbps`);
  return lower;
}

/** Positions of a bridge, and how many reservoir bytes each of its frames may use. */
interface Span {
  readonly from: number;
  readonly to: number;
  readonly free: readonly number[];
}

/** @returns the shortest span of a bridge that begins at `from`; undefined when no span fits before `to` */
function spanFrom(
  first: readonly Frame[],
  second: readonly Frame[],
  bridge: readonly Frame[],
  from: number,
  to: number,
  wantedBytes: WantedBytes,
): Span | undefined {
  const free: number[] = [];
  let left = first[from]?.reservoirBytes ?? 0;
  for (let position = from; position < to - 1; position += 1) {
    const slot = first[position];
    const frame = bridge[position];
    const next = second[position + 1];
    if (!slot || !frame || !next) return undefined;
    const begins = Math.min(left, MAX_RESERVOIR_BYTES);
    free.push(begins);
    left = begins + slot.bytes.length - slot.mainDataOffset - mainDataBytes(frame);
    if (left < 0) return undefined;
    const addedBytes = wantedBytes(position + 1);
    if (canAdd(addedBytes, slot) && next.reservoirBytes <= left + addedBytes) return { from, to: position + 1, free };
  }
  return undefined;
}

/** @returns `frame` written in the place and size of `slot`, with `free` bytes of its main data in the frames before */
function inPlaceOf(slot: Frame, frame: Frame, free: number, data: Buffer): Frame {
  const bytes = Buffer.alloc(slot.bytes.length);
  slot.bytes.copy(bytes, 0, 0, 4);
  // The channel mode belongs to the side information of `frame`.
  bytes[3] = ((bytes[3] ?? 0) & 0x0f) | ((frame.bytes[3] ?? 0) & 0xf0);
  const sideBytes = frame.isMono ? 17 : 32;
  const sideOffset = slot.mainDataOffset - (slot.isMono ? 17 : 32);
  frame.bytes.copy(bytes, sideOffset, frame.mainDataOffset - sideBytes, frame.mainDataOffset);
  bytes.writeUInt16BE((bytes.readUInt16BE(sideOffset) & 0x7f) | (free << 7), sideOffset);
  data.subarray(free).copy(bytes, slot.mainDataOffset);
  return { ...slot, bytes, reservoirBytes: free };
}

/**
 * Joins two streams where {@link spliceAt} cannot. As few frames as possible are replaced by those of `bridge`, which
 * hold the same sound at a lower bit rate and without a bit reservoir. Written into frames of the usual size, they
 * leave bytes free for the reservoir of the second stream.
 * @returns undefined when the streams cannot be joined by a bridge either
 */
export function bridgeAt(
  first: readonly Frame[],
  second: readonly Frame[],
  bridge: readonly Frame[],
  from: number,
  to: number,
  wantedBytes = AS_IT_IS,
): Splice | undefined {
  let best: Span | undefined;
  for (let position = from; position < to; position += 1) {
    const span = spanFrom(first, second, bridge, position, to, wantedBytes);
    if (span && (!best || span.to - span.from < best.to - best.from)) best = span;
  }
  if (!best || bridge.some(({ reservoirBytes }) => reservoirBytes > 0)) return undefined;
  let before = first.slice(0, best.from);
  for (let position = best.from; position < best.to; position += 1) {
    const slot = first[position];
    const frame = bridge[position];
    const free = best.free[position - best.from] ?? 0;
    if (!slot || !frame) return undefined;
    const data = frame.bytes.subarray(frame.mainDataOffset, frame.mainDataOffset + mainDataBytes(frame));
    const reservoir = Buffer.alloc(free);
    data.copy(reservoir);
    before = [...withMainDataEnd(before, reservoir), inPlaceOf(slot, frame, free, data)];
  }
  const reservoir = mainDataBefore(second, best.to, second[best.to]?.reservoirBytes ?? 0);
  const addedBytes = wantedBytes(best.to);
  return (
    reservoir && { before: withMainDataEnd(withAdded(before, addedBytes), reservoir), position: best.to, addedBytes }
  );
}
