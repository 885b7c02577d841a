/** Cuts the sound into overlapping pieces and gives each piece to the encoder lane with the smallest backlog. */
import { LOOK_AHEAD_FRAMES, SEARCH_FRAMES, WARM_UP_FRAMES } from "./joined-frames.ts";
import type { LaneInput, SoundChunk } from "./lane-input.ts";
import { SAMPLES_PER_FRAME } from "./mp3-frame.ts";
import type { PieceGrid } from "./piece-grid.ts";
import type { PieceLane } from "./piece-lane.ts";

/** At most this much sound is encoded before the tag is written. Its frames are buffered: 12 MB at 320 kbps. */
const MAX_SECONDS_BEFORE_TAG = 300;

/** How much sound behind its end a piece gets. */
const OVERLAP_FRAMES = SEARCH_FRAMES + LOOK_AHEAD_FRAMES;

export interface PieceDistributorOptions {
  readonly input: LaneInput;
  /** As many as encoders may run now; later there may be more of them. */
  readonly lanes: () => readonly PieceLane[];
  readonly grid: PieceGrid;
  readonly sampleRateHz: number;
  /** Sound after this position is left out; all is encoded when it is absent. */
  readonly maxSeconds?: number;
  readonly tagWritten: Promise<void>;
  /**
   * Called when a piece begins.
   * @param overlap the sound from the warm-up of the piece to the end of the piece before it
   */
  readonly onPieceStart: (piece: number, overlap: readonly SoundChunk[]) => void;
  readonly signal: AbortSignal;
}

export class PieceDistributor {
  readonly #options: PieceDistributorOptions;
  #piece = 0;
  /** The lane that gets the current piece. */
  #lane: PieceLane;
  /** Sample of the sound at which the next chunk begins; priming samples lie before 0. */
  #position: number;
  /** The sound that both the current and the next piece contain, as far as it has been read. */
  #overlap: SoundChunk[] = [];

  constructor(options: PieceDistributorOptions) {
    this.#options = options;
    const [firstLane] = options.lanes();
    if (!firstLane) throw new RangeError("at least one encoder lane is required");
    this.#lane = firstLane;
    this.#position = -options.input.primingSamples;
  }

  /** The piece that has begun last. */
  get lastPiece(): number {
    return this.#piece;
  }

  /** Samples of one channel that the lanes have been given, without overlaps and priming. */
  get sampleCount(): number {
    return this.#position;
  }

  /**
   * Distributes the source to its end, or to `maxSeconds`.
   * @throws NotPlainAac
   * @throws the error of the source or of a lane
   * @throws `signal.reason` when aborted
   */
  async distribute(source: AsyncIterable<SoundChunk>): Promise<void> {
    const { sampleRateHz, maxSeconds = Infinity, tagWritten, signal } = this.#options;
    this.#lane.beginPiece(0);
    for await (const chunk of source) {
      signal.throwIfAborted();
      if (this.#position > maxSeconds * sampleRateHz) return;
      if (this.#position > MAX_SECONDS_BEFORE_TAG * sampleRateHz) await tagWritten;
      await this.#add(chunk);
    }
  }

  /** Writes a chunk to the current lane, and continues with another lane where a piece ends within the chunk. */
  async #add(chunk: SoundChunk): Promise<void> {
    const { input } = this.#options;
    let rest = chunk;
    while (rest.bytes.length > 0) {
      // Less the overlap: what a piece gets behind its end must not make the next piece longer.
      this.#options.grid.given(Math.max(0, this.#position / SAMPLES_PER_FRAME - OVERLAP_FRAMES));
      const pieceEnd = (this.#boundary + OVERLAP_FRAMES) * SAMPLES_PER_FRAME;
      const part = input.slice(rest, 0, pieceEnd - this.#position);
      this.#keepOverlap(part);
      await this.#write(part);
      const end = this.#position + part.sampleCount;
      this.#position = end;
      rest = { bytes: rest.bytes.subarray(part.bytes.length), sampleCount: rest.sampleCount - part.sampleCount };
      if (end >= pieceEnd) await this.#beginNextPiece();
    }
  }

  /** Frame of the sound at which the next piece begins, without the overlap. */
  get #boundary(): number {
    return this.#options.grid.startOf(this.#piece + 1);
  }

  /** Keeps sound that the next piece begins with, too. */
  #keepOverlap(part: SoundChunk): void {
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
    for (const part of overlap) await this.#write(part);
  }

  /** Waits until a lane needs input. Of several it takes the one with the smallest backlog. */
  async #chooseLane(): Promise<PieceLane> {
    const lanes = this.#options.lanes();
    await Promise.race(lanes.map((lane) => lane.waitUntilInputNeeded()));
    const free = lanes.filter((lane) => lane.needsInput);
    return free.toSorted((a, b) => a.backlogFrames - b.backlogFrames)[0] ?? this.#lane;
  }

  async #write(part: SoundChunk): Promise<void> {
    this.#lane.write(part);
    // The queue of a lane is not limited by the length of a piece that has no end.
    if (!this.#options.grid.hasEnd(this.#piece)) await this.#lane.waitUntilInputNeeded();
  }
}
