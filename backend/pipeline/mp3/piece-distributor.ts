/** Cuts the sound into overlapping pieces and gives each piece to the encoder lane that has least to do. */
import { LOOK_AHEAD_FRAMES, SEARCH_FRAMES, WARM_UP_FRAMES } from "./joined-frames.ts";
import type { LaneInput, Stretch } from "./lane-input.ts";
import { SAMPLES_PER_FRAME } from "./mp3-frame.ts";
import type { PieceGrid } from "./piece-grid.ts";
import type { PieceLane } from "./piece-lane.ts";

/** So much sound is encoded before the tag is written; its frames wait in memory, 12 MB at 320 kbps. */
const MAX_SECONDS_BEFORE_TAG = 300;

export interface PieceDistributorOptions {
  readonly input: LaneInput;
  readonly lanes: readonly PieceLane[];
  readonly grid: PieceGrid;
  readonly sampleRateHz: number;
  /** The sound behind it is left out; all is encoded when it is absent. */
  readonly maxSeconds?: number;
  readonly tagWritten: Promise<void>;
  /**
   * Called when a piece begins with what its lane is given first.
   * @param overlap the sound from the warm-up of the piece to the end of the piece before it
   */
  readonly onPieceStart: (piece: number, overlap: readonly Stretch[]) => void;
  readonly signal: AbortSignal;
}

export class PieceDistributor {
  readonly #options: PieceDistributorOptions;
  #piece = 0;
  /** The lane that gets the current piece. */
  #lane: PieceLane;
  /** Sample of the sound at which the next stretch begins; priming samples lie before 0. */
  #position: number;
  /** What the current and the next piece have in common, as far as it has been read. */
  #overlap: Stretch[] = [];

  constructor(options: PieceDistributorOptions) {
    this.#options = options;
    const [firstLane] = options.lanes;
    if (!firstLane) throw new RangeError("there is no encoder lane");
    this.#lane = firstLane;
    this.#position = -options.input.primingSamples;
  }

  /** The last piece that has begun. */
  get lastPiece(): number {
    return this.#piece;
  }

  /** How many samples of sound have been given to the lanes, of one channel and without overlaps. */
  get sampleCount(): number {
    return this.#position;
  }

  /**
   * Reads the source to its end, or to `maxSeconds`.
   * @throws NotPlainAac, what the source throws, what a lane fails with, and the signal's reason on an abort
   */
  async distribute(source: AsyncIterable<Buffer>): Promise<void> {
    const { input, sampleRateHz, maxSeconds = Infinity, tagWritten, signal } = this.#options;
    this.#lane.beginPiece(0);
    for await (const stretch of input.stretchesOf(source)) {
      signal.throwIfAborted();
      if (this.#position > maxSeconds * sampleRateHz) return;
      if (this.#position > MAX_SECONDS_BEFORE_TAG * sampleRateHz) await tagWritten;
      await this.#add(stretch);
    }
  }

  /** Writes a stretch to the current lane, and goes on with another lane wherever a piece ends in it. */
  async #add(stretch: Stretch): Promise<void> {
    const { input } = this.#options;
    let rest = stretch;
    while (rest.bytes.length > 0) {
      const pieceEnd = (this.#boundary + SEARCH_FRAMES + LOOK_AHEAD_FRAMES) * SAMPLES_PER_FRAME;
      const part = input.slice(rest, 0, pieceEnd - this.#position);
      this.#keepOverlap(part);
      const end = this.#position + part.sampleCount;
      await this.#write(part, Math.max(0, end) - Math.max(0, this.#position));
      this.#position = end;
      rest = { bytes: rest.bytes.subarray(part.bytes.length), sampleCount: rest.sampleCount - part.sampleCount };
      if (end >= pieceEnd) await this.#beginNextPiece();
    }
  }

  /** Frame of the sound at which the next piece begins, apart from the overlap. */
  get #boundary(): number {
    return this.#options.grid.startOf(this.#piece + 1);
  }

  /** Remembers the part that the next piece begins with, too. */
  #keepOverlap(part: Stretch): void {
    const overlapStart = (this.#boundary - WARM_UP_FRAMES) * SAMPLES_PER_FRAME - this.#position;
    if (overlapStart >= part.sampleCount) return;
    this.#overlap.push(this.#options.input.slice(part, Math.max(0, overlapStart)));
  }

  async #beginNextPiece(): Promise<void> {
    this.#piece += 1;
    this.#lane = await this.#chooseLane();
    this.#lane.beginPiece(this.#piece);
    const overlap = this.#overlap;
    this.#overlap = [];
    this.#options.onPieceStart(this.#piece, overlap);
    for (const part of overlap) await this.#write(part, part.sampleCount);
  }

  /** Waits until a lane needs input. Of several it takes the one with the smallest backlog. */
  async #chooseLane(): Promise<PieceLane> {
    const { lanes } = this.#options;
    await Promise.race(lanes.map((lane) => lane.waitForNeed()));
    const free = lanes.filter((lane) => lane.needsInput);
    return free.toSorted((a, b) => a.backlogFrames - b.backlogFrames)[0] ?? this.#lane;
  }

  async #write(part: Stretch, soundSamples: number): Promise<void> {
    this.#lane.write(part, soundSamples);
    // A single lane gets one endless piece, so the size of pieces does not bound what is queued.
    if (this.#options.lanes.length === 1) await this.#lane.waitForNeed();
  }
}
