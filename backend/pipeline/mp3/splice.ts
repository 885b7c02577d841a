/**
 * Goes over from one MP3 stream to another of the same sound, frame for frame, without a decoder noticing.
 *
 * A frame of Layer III may begin with bytes that lie in the frames before it (the bit reservoir), so cutting
 * between two frames is not enough: those bytes have to come along. They fit exactly where the other stream
 * keeps the bytes of its own frame, if that one draws on at least as many. Pure.
 */
import { BITRATES_KBPS, mainDataBytes, type Frame } from "./mp3-frame.ts";

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

/**
 * The bit rate of a bridge: one step lower, so that each of its frames leaves room for what follows.
 * Throws RangeError where there is none.
 */
export function bridgeBitrateKbps(bitrateKbps: number): number {
  const lower = BITRATES_KBPS.findLast((kbps) => kbps < bitrateKbps && kbps > 0);
  if (lower === undefined) throw new RangeError(`there is no bit rate below ${bitrateKbps} kbps`);
  return lower;
}

/** How far a bridge goes, and how many bytes before each of its frames are free for it. */
interface Span {
  readonly from: number;
  readonly to: number;
  readonly free: readonly number[];
}

function spanFrom(first: readonly Frame[], second: readonly Frame[], bridge: readonly Frame[], from: number, to: number): Span | undefined {
  const free: number[] = [];
  let left = first[from]?.reservoirBytes ?? 0;
  for (let position = from; position < to - 1; position += 1) {
    const [slot, frame, next] = [first[position], bridge[position], second[position + 1]];
    if (!slot || !frame || !next) return undefined;
    const begins = Math.min(left, MAX_RESERVOIR_BYTES);
    free.push(begins);
    left = begins + slot.bytes.length - slot.mainDataOffset - mainDataBytes(frame);
    if (left < 0) return undefined;
    if (next.reservoirBytes <= left) return { from, to: position + 1, free };
  }
  return undefined;
}

/** What a frame says of itself and its main data in the place of another, drawing on `free` bytes before it. */
function inPlaceOf(slot: Frame, frame: Frame, free: number, data: Buffer): Frame {
  const bytes = Buffer.alloc(slot.bytes.length);
  slot.bytes.copy(bytes, 0, 0, 4);
  // Whether the channels are coded together is the frame's own.
  bytes[3] = ((bytes[3] ?? 0) & 0x0f) | ((frame.bytes[3] ?? 0) & 0xf0);
  const [sideBytes, sideOffset] = [frame.isMono ? 17 : 32, slot.mainDataOffset - (slot.isMono ? 17 : 32)];
  frame.bytes.copy(bytes, sideOffset, frame.mainDataOffset - sideBytes, frame.mainDataOffset);
  bytes.writeUInt16BE((bytes.readUInt16BE(sideOffset) & 0x7f) | (free << 7), sideOffset);
  data.subarray(free).copy(bytes, slot.mainDataOffset);
  return { ...slot, bytes, reservoirBytes: free };
}

/**
 * Goes over where {@link spliceAt} cannot: for as few frames as will do, those of `bridge` take the place of both.
 * They are the same sound without a bit reservoir at a lower bit rate, in frames of the usual size; what they
 * leave free is what the second stream draws on. Undefined when even so there is no way.
 */
export function bridgeAt(first: readonly Frame[], second: readonly Frame[], bridge: readonly Frame[], from: number, to: number): Splice | undefined {
  let best: Span | undefined;
  for (let position = from; position < to; position += 1) {
    const span = spanFrom(first, second, bridge, position, to);
    if (span && (!best || span.to - span.from < best.to - best.from)) best = span;
  }
  if (!best || bridge.some(({ reservoirBytes }) => reservoirBytes > 0)) return undefined;
  let before = first.slice(0, best.from);
  for (let position = best.from; position < best.to; position += 1) {
    const [slot, frame, free = 0] = [first[position], bridge[position], best.free[position - best.from]];
    if (!slot || !frame) return undefined;
    const data = frame.bytes.subarray(frame.mainDataOffset, frame.mainDataOffset + mainDataBytes(frame));
    const drawn = Buffer.alloc(free);
    data.copy(drawn);
    before = [...withMainDataEnd(before, drawn), inPlaceOf(slot, frame, free, data)];
  }
  const drawn = mainDataBefore(second, best.to, second[best.to]?.reservoirBytes ?? 0);
  return drawn && { before: withMainDataEnd(before, drawn), position: best.to };
}
