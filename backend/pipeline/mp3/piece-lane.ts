/** An encoder lane that assigns each of its frames to a piece of the sound. */
import type { EncoderLane } from "./encoder-lane.ts";
import type { FrameGroup } from "./frame-group.ts";
import type { SoundChunk } from "./lane-input.ts";
import { SAMPLES_PER_FRAME } from "./mp3-frame.ts";

/** Where a piece begins within the stream of one lane. */
interface PieceStart {
  readonly piece: number;
  /** In frames of the lane; not always whole. */
  readonly laneFrame: number;
}

type Encoder = Pick<EncoderLane, "done" | "needsInput" | "write" | "waitUntilInputNeeded" | "end">;

export class PieceLane {
  readonly #encoder: Encoder;
  /** The piece that the next output frame belongs to, and those after it. */
  readonly #starts: PieceStart[] = [];
  /** Samples of the input that the encoder does not leave out. */
  #inputSamples: number;
  #outputFrames = 0;

  /**
   * @param openEncoder starts the lane's encoder, which passes its frames to `onFrames`
   * @param onFrames called with the frames of one piece, in the order in which they were encoded; `laneFrame` counts
   *   those that the lane has made before
   * @param skippedSamples at the beginning of the input, which the encoder leaves out
   */
  constructor(
    openEncoder: (onFrames: (group: FrameGroup) => void) => Encoder,
    onFrames: (piece: number, group: FrameGroup, laneFrame: number) => void,
    skippedSamples: number,
  ) {
    this.#inputSamples = -skippedSamples;
    this.#encoder = openEncoder((group) => this.#splitByPiece(group, onFrames));
  }

  /** As {@link EncoderLane.done}. */
  get done(): Promise<void> {
    return this.#encoder.done;
  }

  get needsInput(): boolean {
    return this.#encoder.needsInput;
  }

  /** Frames that the lane was given and has not encoded yet. */
  get backlogFrames(): number {
    return this.#inputSamples / SAMPLES_PER_FRAME - this.#outputFrames;
  }

  /** Assigns all input that is written from now on to `piece`. */
  beginPiece(piece: number): void {
    this.#starts.push({ piece, laneFrame: this.#inputSamples / SAMPLES_PER_FRAME });
  }

  write({ bytes, sampleCount }: SoundChunk): void {
    this.#inputSamples += sampleCount;
    this.#encoder.write(bytes);
  }

  /** As {@link EncoderLane.waitUntilInputNeeded}. */
  waitUntilInputNeeded(): Promise<void> {
    return this.#encoder.waitUntilInputNeeded();
  }

  /** As {@link EncoderLane.end}. */
  end(): void {
    this.#encoder.end();
  }

  #splitByPiece(group: FrameGroup, onFrames: (piece: number, group: FrameGroup, laneFrame: number) => void): void {
    const groupStart = this.#outputFrames;
    this.#outputFrames += group.frameCount;
    while (this.#startOf(1) <= groupStart) this.#starts.shift();
    for (const [index, { piece, laneFrame }] of this.#starts.entries()) {
      const first = Math.max(0, Math.ceil(laneFrame) - groupStart);
      const last = Math.min(group.frameCount, Math.ceil(this.#startOf(index + 1)) - groupStart);
      if (first < last) onFrames(piece, group.slice(first, last), groupStart + first);
    }
  }

  #startOf(index: number): number {
    return this.#starts[index]?.laneFrame ?? Infinity;
  }
}
