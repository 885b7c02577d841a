/** Joins the pieces that several encoders made of one sound, in order and without a seam. */
import { ConversionError } from "../../../common/errors.ts";
import { FrameRun, FrameWindow } from "./frame-run.ts";
import type { Frame } from "./mp3-frame.ts";
import { bridgeAt, spliceAt, type Splice } from "./splice.ts";

/** Pieces begin and end at multiples of it, where AAC frames begin, too. */
export const GRID_FRAMES = 8;
/**
 * Frames that an encoder gets before the first one that is used: after them its filters and its loudness estimate are
 * the same as if it had encoded everything before.
 */
export const WARM_UP_FRAMES = 2 * GRID_FRAMES;
/** Frames after a boundary within which the change to the next piece is made. */
export const SEARCH_FRAMES = 3 * GRID_FRAMES;
/** Decoder and encoder need fewer frames than this ahead before they output a frame. */
export const LOOK_AHEAD_FRAMES = GRID_FRAMES;

export class JoinedFrames {
  readonly #boundaryOf: (piece: number) => number;
  /** By piece; positions count from the beginning of the sound. */
  readonly #pieces = new Map<number, FrameWindow>();
  #current = 0;
  /** Position in the sound of the next frame that becomes final. */
  #next = 0;
  #wantsBridge = false;

  /** @param boundaryOf frame of the sound at which a piece begins, apart from the overlap */
  constructor(boundaryOf: (piece: number) => number) {
    this.#boundaryOf = boundaryOf;
  }

  /** Frame at which the encoder of a piece begins, with its warm-up. */
  #startOf(piece: number): number {
    return Math.max(0, this.#boundaryOf(piece) - WARM_UP_FRAMES);
  }

  /**
   * Adds the next frames of a piece.
   * @returns the frames that are final by now, in order
   */
  add(piece: number, run: FrameRun): FrameRun[] {
    const window = this.#pieces.get(piece) ?? new FrameWindow(this.#startOf(piece));
    this.#pieces.set(piece, window);
    window.push(run);
    return this.#takeFinal();
  }

  /** The piece whose frames become final next. */
  get currentPiece(): number {
    return this.#current;
  }

  /** The piece that can only be joined with a bridge; no more frames become final before {@link bridge} is called. */
  get wantsBridgeTo(): number | undefined {
    return this.#wantsBridge ? this.#current + 1 : undefined;
  }

  /**
   * Joins the next piece with a bridge.
   * @param frames the sound from the beginning of that piece's warm-up, encoded without a bit reservoir
   * @returns the frames that are final by now, in order
   * @throws ConversionError "internal" when the pieces cannot be joined even so
   */
  bridge(frames: readonly Frame[]): FrameRun[] {
    this.#wantsBridge = false;
    const final: FrameRun[] = [];
    if (!this.#joinNext(final, frames))
      throw new ConversionError("internal", { detail: `piece ${this.#current + 1} cannot be joined` });
    return [...final, ...this.#takeFinal()];
  }

  /**
   * Call it when every encoder has ended.
   * @returns the remaining frames
   * @throws ConversionError "internal" when a piece before the last one was never joined
   */
  end(lastPiece: number): FrameRun[] {
    const final: FrameRun[] = [];
    if (this.#current !== lastPiece)
      throw new ConversionError("internal", {
        detail: `piece ${this.#current} of ${lastPiece} was the last to be joined`,
      });
    this.#takePiece(final, true);
    return final;
  }

  #takeFinal(): FrameRun[] {
    const final: FrameRun[] = [];
    do this.#takePiece(final, false);
    while (this.#joinNext(final));
    return final;
  }

  /** Frames before the overlap with the next piece are final. */
  #takePiece(final: FrameRun[], isEnd: boolean): void {
    const piece = this.#pieces.get(this.#current);
    if (!piece) return;
    const until = isEnd ? piece.end : Math.min(piece.end, this.#startOf(this.#current + 1));
    if (until <= this.#next) return;
    // The piece before has supplied these already.
    piece.takeBefore(this.#next);
    // Frames leave the window at once: with a single encoder the window would hold the whole file.
    final.push(...piece.takeBefore(until));
    this.#next = until;
  }

  #joinNext(final: FrameRun[], bridge?: readonly Frame[]): boolean {
    const piece = this.#pieces.get(this.#current);
    const following = this.#pieces.get(this.#current + 1);
    if (!piece || !following || this.#wantsBridge) return false;
    const start = this.#startOf(this.#current + 1);
    const end = start + WARM_UP_FRAMES + SEARCH_FRAMES;
    if (this.#next < start || piece.end < end || following.end < end) return false;
    const splice = this.#findSplice(piece.frames(start, end), following.frames(start, end), bridge);
    if (!splice) return false;
    final.push(FrameRun.of(splice.before));
    this.#pieces.delete(this.#current);
    this.#current += 1;
    this.#next = start + splice.position;
    return true;
  }

  #findSplice(
    before: readonly Frame[],
    after: readonly Frame[],
    bridge: readonly Frame[] | undefined,
  ): Splice | undefined {
    const from = WARM_UP_FRAMES;
    const to = WARM_UP_FRAMES + SEARCH_FRAMES;
    if (bridge) return bridgeAt(before, after, bridge, from, to);
    const splice = spliceAt(before, after, from, to);
    // At every position the next piece draws on more reservoir bytes than the piece before it leaves room for.
    this.#wantsBridge = !splice;
    return splice;
  }
}
