/**
 * Groups of consecutive MP3 frames. Most frames are only passed on, so a group keeps their bytes in one buffer and parses a
 * frame on demand. One object for each frame would be half a million objects for two hours of sound, and expensive to
 * garbage-collect.
 */
import { FRAME_INFO_BYTES, readFrameHeader, type Frame } from "./mp3-frame.ts";

/** Header bits that all frames of a constant-rate stream share: all but padding, private bit and channel mode. */
const STREAM_BITS = 0xff_ff_fc_c0;
const PADDING_BIT = 0x200;

/** One frame or more. */
export class FrameGroup {
  readonly #bytes: Buffer;
  /** Byte offset of each frame, and of the end of the last one. */
  readonly #starts: readonly number[];
  readonly #from: number;
  readonly frameCount: number;

  constructor(bytes: Buffer, starts: readonly number[], from = 0, frameCount = starts.length - 1) {
    this.#bytes = bytes;
    this.#starts = starts;
    this.#from = from;
    this.frameCount = frameCount;
  }

  static of(frames: readonly Frame[]): FrameGroup {
    const starts = [0];
    for (const { bytes } of frames) starts.push((starts.at(-1) ?? 0) + bytes.length);
    return new FrameGroup(Buffer.concat(frames.map(({ bytes }) => bytes)), starts);
  }

  get bytes(): Buffer {
    return this.#bytes.subarray(this.#startOf(0), this.#startOf(this.frameCount));
  }

  /** A part of this group, from one frame to before another; shares its bytes. */
  slice(from: number, to = this.frameCount): FrameGroup {
    return new FrameGroup(this.#bytes, this.#starts, this.#from + from, to - from);
  }

  frame(index: number): Frame {
    const header = index < this.frameCount ? readFrameHeader(this.#bytes, this.#startOf(index)) : undefined;
    if (!header) throw new RangeError(`frame ${index} is outside a group of ${this.frameCount} frames`);
    return { ...header, bytes: this.#bytes.subarray(this.#startOf(index), this.#startOf(index + 1)) };
  }

  frames(from = 0, to = this.frameCount): Frame[] {
    return Array.from({ length: to - from }, (_, index) => this.frame(from + index));
  }

  #startOf(index: number): number {
    return this.#starts[this.#from + index] ?? NaN;
  }
}

/** Splits a stream into its frames, chunk by chunk. */
export class FrameSplitter {
  #rest: Buffer = Buffer.alloc(0);
  #streamBits = 0;
  #unpaddedBytes = 0;

  /**
   * @returns the frames that are complete by now, if any
   * @throws RangeError where the stream holds anything but frames
   */
  push(chunk: Buffer): FrameGroup | undefined {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const starts = [0];
    let offset = 0;
    while (bytes.length >= offset + FRAME_INFO_BYTES) {
      offset += this.#sizeAt(bytes, offset);
      if (offset > bytes.length) break;
      starts.push(offset);
    }
    const end = starts.at(-1) ?? 0;
    this.#rest = bytes.subarray(end);
    return end > 0 ? new FrameGroup(bytes, starts) : undefined;
  }

  #sizeAt(bytes: Buffer, offset: number): number {
    const word = bytes.readUInt32BE(offset);
    const padding = word & PADDING_BIT ? 1 : 0;
    if ((word & STREAM_BITS) >>> 0 !== this.#streamBits) {
      const header = readFrameHeader(bytes, offset);
      if (!header) throw new RangeError(`no MP3 frame begins at byte ${offset}`);
      this.#streamBits = (word & STREAM_BITS) >>> 0;
      this.#unpaddedBytes = header.sizeBytes - padding;
    }
    return this.#unpaddedBytes + padding;
  }
}

/** The frames of a stream that are not passed on yet, addressed by their positions in the stream. */
export class FrameWindow {
  /** Position of the first frame in the window. */
  #start: number;
  #end: number;
  #groups: FrameGroup[] = [];

  constructor(start: number) {
    this.#start = start;
    this.#end = start;
  }

  /** Position after the last frame of the window. */
  get end(): number {
    return this.#end;
  }

  push(group: FrameGroup): void {
    this.#groups.push(group);
    this.#end += group.frameCount;
  }

  /** Removes the frames before `position` and returns them. */
  takeBefore(position: number): FrameGroup[] {
    const taken: FrameGroup[] = [];
    for (let [group] = this.#groups; group && this.#start < position; [group] = this.#groups) {
      const count = Math.min(group.frameCount, position - this.#start);
      taken.push(group.slice(0, count));
      this.#start += count;
      if (count === group.frameCount) this.#groups.shift();
      else this.#groups[0] = group.slice(count);
    }
    return taken;
  }

  /** Parses the frames from one position to before another, as far as they are in the window. */
  frames(from: number, to: number): Frame[] {
    const frames: Frame[] = [];
    let start = this.#start;
    for (const group of this.#groups) {
      const first = Math.max(0, from - start);
      const last = Math.min(group.frameCount, to - start);
      if (first < last) frames.push(...group.frames(first, last));
      start += group.frameCount;
    }
    return frames;
  }
}
