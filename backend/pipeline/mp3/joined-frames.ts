/** Puts the pieces that several encoders made of one sound together again, in order and without a seam. */
import { ConversionError } from "../../../common/errors.ts";
import { FrameRun, FrameWindow } from "./frame-run.ts";
import type { Frame } from "./mp3-frame.ts";
import { bridgeAt, spliceAt, type Splice } from "./splice.ts";

/** Pieces begin and end at multiples of it, where frames of AAC do so too. */
export const GRID_FRAMES = 8;
/**
 * Frames that an encoder is given ahead of those that are used of it: by then its filters and its idea of the
 * loudness are the same as if it had heard everything before.
 */
export const WARM_UP_FRAMES = 2 * GRID_FRAMES;
/** Frames after a boundary within which the change to the next piece is made. */
export const SEARCH_FRAMES = 3 * GRID_FRAMES;
/** Decoder and encoder look ahead by less than this before they give a frame away. */
export const LOOK_AHEAD_FRAMES = GRID_FRAMES;

export class JoinedFrames {
  readonly #boundaryOf: (piece: number) => number;
  /** By piece; positions are those in the whole. */
  readonly #pieces = new Map<number, FrameWindow>();
  #current = 0;
  /** Position in the whole of the next frame to be given out. */
  #next = 0;
  #wantsBridge = false;

  /** `boundaryOf` says at which frame a piece begins, apart from what overlaps. */
  constructor(boundaryOf: (piece: number) => number) {
    this.#boundaryOf = boundaryOf;
  }

  /** Where the encoder of a piece begins. */
  #startOf(piece: number): number {
    return Math.max(0, this.#boundaryOf(piece) - WARM_UP_FRAMES);
  }

  /** Takes more of a piece; returns what is final by now, in order. */
  add(piece: number, run: FrameRun): FrameRun[] {
    const window = this.#pieces.get(piece) ?? new FrameWindow(this.#startOf(piece));
    this.#pieces.set(piece, window);
    window.push(run);
    return this.#goOn();
  }

  /** The piece that is being given out. */
  get currentPiece(): number {
    return this.#current;
  }

  /** The piece that can only be gone over to by a bridge; it is to be given before more can be final. */
  get wantsBridgeTo(): number | undefined {
    return this.#wantsBridge ? this.#current + 1 : undefined;
  }

  /**
   * Takes the frames of a bridge, beginning where the piece that was wanted does; returns what is final by now.
   * Throws ConversionError "internal" when even they do not lead over.
   */
  bridge(frames: readonly Frame[]): FrameRun[] {
    this.#wantsBridge = false;
    const final: FrameRun[] = [];
    if (!this.#change(final, frames)) throw new ConversionError("internal", { detail: `piece ${this.#current + 1} cannot be joined` });
    return [...final, ...this.#goOn()];
  }

  /** What is left once every encoder has ended. `lastPiece` is the one that goes to the end. */
  end(lastPiece: number): FrameRun[] {
    const final: FrameRun[] = [];
    if (this.#current !== lastPiece) throw new ConversionError("internal", { detail: `piece ${this.#current} of ${lastPiece} was the last to be joined` });
    this.#giveOut(final, true);
    return final;
  }

  #goOn(): FrameRun[] {
    const final: FrameRun[] = [];
    do this.#giveOut(final, false);
    while (this.#change(final));
    return final;
  }

  /** What lies before the next boundary's overlap can no longer change. */
  #giveOut(final: FrameRun[], isEnd: boolean): void {
    const piece = this.#pieces.get(this.#current);
    if (!piece) return;
    const until = isEnd ? piece.end : Math.min(piece.end, this.#startOf(this.#current + 1));
    if (until <= this.#next) return;
    // What the piece before it has given out already.
    piece.takeBefore(this.#next);
    // Kept to the end of a piece they would be the whole file, where there is only one encoder.
    final.push(...piece.takeBefore(until));
    this.#next = until;
  }

  #change(final: FrameRun[], bridge?: readonly Frame[]): boolean {
    const [piece, following] = [this.#pieces.get(this.#current), this.#pieces.get(this.#current + 1)];
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

  #findSplice(before: readonly Frame[], after: readonly Frame[], bridge: readonly Frame[] | undefined): Splice | undefined {
    const [from, to] = [WARM_UP_FRAMES, WARM_UP_FRAMES + SEARCH_FRAMES];
    if (bridge) return bridgeAt(before, after, bridge, from, to);
    const splice = spliceAt(before, after, from, to);
    // Nowhere does the next piece draw on as little of what lies before as the one before it.
    this.#wantsBridge = !splice;
    return splice;
  }
}
