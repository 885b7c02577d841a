/** Divides a sound into the pieces that several encoders share. Pure. */
import { GRID_FRAMES } from "./joined-frames.ts";

export interface PieceSizes {
  readonly encoderCount: number;
  /** Approximate length of the sound; every piece is as long as possible when it is unknown. */
  readonly expectedFrames?: number;
  readonly maxFrames: number;
  /** Shorter pieces would be hardly more than overlap. */
  readonly minFrames: number;
}

/**
 * Part of an equal share of the rest that an encoder gets next. Below 1, so that pieces become smaller towards the end
 * and all encoders end at about the same time.
 */
const SHARE = 2 / 3;

export class PieceGrid {
  readonly #sizes: PieceSizes;
  readonly #starts = [0];

  constructor(sizes: PieceSizes) {
    this.#sizes = sizes;
  }

  /** The frame at which a piece begins, apart from what overlaps; a multiple of {@link GRID_FRAMES}. */
  startOf(piece: number): number {
    for (let known = this.#starts.length; known <= piece; known += 1) {
      const start = this.#starts[known - 1] ?? 0;
      this.#starts.push(start + this.#lengthAt(start));
    }
    return this.#starts[piece] ?? 0;
  }

  #lengthAt(start: number): number {
    const { encoderCount, expectedFrames, maxFrames, minFrames } = this.#sizes;
    if (encoderCount === 1) return Number.MAX_SAFE_INTEGER / 4;
    const left = (expectedFrames ?? Infinity) - start;
    // A sound longer than expected goes on in the same steps.
    const wanted = left > 0 ? (left / encoderCount) * (left <= encoderCount * minFrames ? 1 : SHARE) : maxFrames;
    return GRID_FRAMES * Math.ceil(Math.min(maxFrames, Math.max(minFrames, wanted)) / GRID_FRAMES);
  }
}
