/** Counts how much of the sound the lanes have encoded, each frame of an overlap once. */
import type { FrameRun } from "./frame-run.ts";
import { WARM_UP_FRAMES } from "./joined-frames.ts";
import type { PieceGrid } from "./piece-grid.ts";

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
  add(piece: number, { frameCount }: FrameRun): void {
    const pieceStart = this.#grid.startOf(piece);
    const pieceEnd = this.#grid.startOf(piece + 1);
    const from = this.#encodedTo[piece] ?? Math.max(0, pieceStart - WARM_UP_FRAMES);
    const to = from + frameCount;
    this.#encodedTo[piece] = to;
    this.#frames += Math.max(0, Math.min(to, pieceEnd) - Math.max(from, pieceStart));
  }
}
