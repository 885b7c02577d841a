/** Divides a sound into the pieces that several encoders share, and counts how much of them is encoded. Pure. */
import type { FrameGroup } from "./frame-group.ts";
import { WARM_UP_FRAMES } from "./joined-frames.ts";

export interface PieceSizes {
  /** @returns how many encoders may run now; with one, a piece has no end until there may be more */
  readonly encoderCount: () => number;
  /** With their warm-up, pieces begin at multiples of it. */
  readonly stepFrames: number;
  /** Approximate length of the sound. When it is unknown, every piece has the maximum length. */
  readonly expectedFrames?: number;
  readonly maxFrames: number;
  /** Shorter pieces would be hardly more than overlap. */
  readonly minFrames: number;
}

/**
 * An encoder gets this part of an equal share of the remaining sound. It is below 1, so that pieces become shorter
 * towards the end and all encoders end at about the same time.
 */
const SHARE = 2 / 3;
/** Where a piece begins that is not known yet: behind every sound. */
const NOWHERE = Number.MAX_SAFE_INTEGER / 4;

export class PieceGrid {
  readonly #sizes: PieceSizes;
  readonly #starts = [0];
  #givenFrames = 0;

  constructor(sizes: PieceSizes) {
    this.#sizes = sizes;
  }

  /** @param frames how many the encoders have been given; a piece that has no end yet will end behind them */
  given(frames: number): void {
    this.#givenFrames = frames;
  }

  /** The frame at which a piece begins, without its overlap. Once known, it does not change. */
  startOf(piece: number): number {
    while (this.#starts.length <= piece && this.#sizes.encoderCount() > 1)
      this.#starts.push(this.#nextStart(Math.max(this.#starts.at(-1) ?? 0, this.#givenFrames)));
    return this.#starts[piece] ?? NOWHERE;
  }

  hasEnd(piece: number): boolean {
    return this.startOf(piece + 1) < NOWHERE;
  }

  #nextStart(start: number): number {
    const { stepFrames, expectedFrames, maxFrames, minFrames } = this.#sizes;
    const encoderCount = this.#sizes.encoderCount();
    const remaining = (expectedFrames ?? Infinity) - start;
    // The part of a sound beyond the expected length is divided into pieces of the maximum length.
    const wanted =
      remaining > 0 ? (remaining / encoderCount) * (remaining <= encoderCount * minFrames ? 1 : SHARE) : maxFrames;
    const warmUpStart = start + Math.min(maxFrames, Math.max(minFrames, wanted)) - WARM_UP_FRAMES;
    return WARM_UP_FRAMES + stepFrames * Math.ceil(warmUpStart / stepFrames);
  }
}

/** Counts how much of the sound the lanes have encoded, each frame of an overlap once. */
export class EncodedLength {
  readonly #grid: PieceGrid;
  /** By piece: the frame of the sound up to which it is encoded. */
  readonly #encodedTo: number[] = [];
  #frames = 0;

  constructor(grid: PieceGrid) {
    this.#grid = grid;
  }

  /** Frames of the sound, including those of pieces that cannot be joined yet. */
  get frames(): number {
    return this.#frames;
  }

  /** Counts frames of a piece. A piece gets its frames in order, beginning with the warm-up. */
  add(piece: number, { frameCount }: FrameGroup): void {
    const pieceStart = this.#grid.startOf(piece);
    const pieceEnd = this.#grid.startOf(piece + 1);
    const from = this.#encodedTo[piece] ?? Math.max(0, pieceStart - WARM_UP_FRAMES);
    const to = from + frameCount;
    this.#encodedTo[piece] = to;
    this.#frames += Math.max(0, Math.min(to, pieceEnd) - Math.max(from, pieceStart));
  }
}
