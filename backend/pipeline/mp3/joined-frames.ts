/** Joins the pieces that several encoders made of one sound, in order and without a seam. */
import { ConversionError } from "../../../common/errors.ts";
import { FrameGroup, FrameWindow } from "./frame-group.ts";
import type { FrameSizes } from "./frame-sizes.ts";
import type { Frame } from "./mp3-frame.ts";
import { bridgeAt, spliceAt, type Splice, type WantedBytes } from "./splice.ts";

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

/** The file that is wanted: as many bytes as a single encoder would make of this many frames. */
export interface JoinAim {
  readonly frameCount: number;
  readonly sizes: FrameSizes;
}

/**
 * Joins pieces so that the file gets the wanted size. Each lane pads other frames, because it has begun elsewhere in the
 * sound, so the last frame before a join may get a byte of padding more or less.
 */
class SizeKeeper {
  readonly #aim: JoinAim;
  /** By piece: frames that its lane had made before, less those of the sound before it. */
  readonly #laneOffsets = new Map<number, number>();
  /** Where the current piece begins to be used, and the bytes of all frames before that. */
  #from = { position: 0, bytes: 0 };

  constructor(aim: JoinAim) {
    this.#aim = aim;
  }

  begin(piece: number, laneOffset: number): void {
    this.#laneOffsets.set(piece, laneOffset);
  }

  /** @returns how many bytes are missing if the next piece follows at a position */
  missingAt(piece: number, position: number): number {
    const { frameCount, sizes } = this.#aim;
    const rest = this.#bytesOf(piece + 1, position, frameCount);
    return sizes.bytesOf(frameCount) - rest - this.#bytesBefore(piece, position);
  }

  joined(piece: number, position: number, addedBytes: number): void {
    this.#from = { position, bytes: this.#bytesBefore(piece, position) + addedBytes };
    this.#laneOffsets.delete(piece);
  }

  #bytesBefore(piece: number, position: number): number {
    return this.#from.bytes + this.#bytesOf(piece, this.#from.position, position);
  }

  #bytesOf(piece: number, from: number, to: number): number {
    const offset = this.#laneOffsets.get(piece) ?? 0;
    return this.#aim.sizes.bytesOf(to + offset) - this.#aim.sizes.bytesOf(from + offset);
  }
}

export class JoinedFrames {
  readonly #boundaryOf: (piece: number) => number;
  readonly #aim: JoinAim | undefined;
  readonly #keeper: SizeKeeper | undefined;
  /** By piece; positions count from the beginning of the sound. */
  readonly #pieces = new Map<number, FrameWindow>();
  #current = 0;
  /** Position in the sound of the next frame that becomes final. */
  #next = 0;
  #wantsBridge = false;

  /**
   * @param boundaryOf frame of the sound at which a piece begins, apart from the overlap
   * @param aim absent where the number of frames is not known beforehand
   */
  constructor(boundaryOf: (piece: number) => number, aim?: JoinAim) {
    this.#boundaryOf = boundaryOf;
    this.#aim = aim;
    this.#keeper = aim && new SizeKeeper(aim);
  }

  /** Frame at which the encoder of a piece begins, with its warm-up. */
  #startOf(piece: number): number {
    return Math.max(0, this.#boundaryOf(piece) - WARM_UP_FRAMES);
  }

  /**
   * Adds the next frames of a piece.
   * @param laneFrame frames that the piece's encoder has made before these
   * @returns the frames that are final by now, in order
   */
  add(piece: number, group: FrameGroup, laneFrame: number): FrameGroup[] {
    const start = this.#startOf(piece);
    const window = this.#pieces.get(piece) ?? new FrameWindow(start);
    if (!this.#pieces.has(piece)) this.#keeper?.begin(piece, laneFrame - start);
    this.#pieces.set(piece, window);
    window.push(group);
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
  bridge(frames: readonly Frame[]): FrameGroup[] {
    this.#wantsBridge = false;
    const final: FrameGroup[] = [];
    if (!this.#joinNext(final, frames))
      throw new ConversionError("internal", { detail: `piece ${this.#current + 1} cannot be joined` });
    return [...final, ...this.#takeFinal()];
  }

  /**
   * Call it when every encoder has ended.
   * @returns the remaining frames
   * @throws ConversionError "internal" when a piece before the last one was never joined
   */
  end(lastPiece: number): FrameGroup[] {
    const final: FrameGroup[] = [];
    if (this.#current !== lastPiece)
      throw new ConversionError("internal", {
        detail: `piece ${this.#current} of ${lastPiece} was the last to be joined`,
      });
    this.#takePiece(final, true);
    return final;
  }

  #takeFinal(): FrameGroup[] {
    const final: FrameGroup[] = [];
    do this.#takePiece(final, false);
    while (this.#joinNext(final));
    return final;
  }

  /** Frames before the overlap with the next piece are final. */
  #takePiece(final: FrameGroup[], isEnd: boolean): void {
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

  #joinNext(final: FrameGroup[], bridge?: readonly Frame[]): boolean {
    const piece = this.#pieces.get(this.#current);
    const following = this.#pieces.get(this.#current + 1);
    if (!piece || !following || this.#wantsBridge) return false;
    const start = this.#startOf(this.#current + 1);
    const end = start + WARM_UP_FRAMES + SEARCH_FRAMES;
    if (this.#next < start || piece.end < end || following.end < end) return false;
    const splice = this.#findSplice(start, piece.frames(start, end), following.frames(start, end), bridge);
    if (!splice) return false;
    final.push(FrameGroup.of(splice.before));
    this.#keeper?.joined(this.#current, start + splice.position, splice.addedBytes);
    this.#pieces.delete(this.#current);
    this.#current += 1;
    this.#next = start + splice.position;
    return true;
  }

  /** @param start frame of the sound at which `before` and `after` begin */
  #findSplice(
    start: number,
    before: readonly Frame[],
    after: readonly Frame[],
    bridge: readonly Frame[] | undefined,
  ): Splice | undefined {
    const from = WARM_UP_FRAMES;
    const to = WARM_UP_FRAMES + SEARCH_FRAMES;
    const keeper = this.#keeper;
    const missing: WantedBytes | undefined =
      keeper && ((position) => keeper.missingAt(this.#current, start + position));
    const splice = spliceAt(before, after, from, to, missing);
    if (splice) return splice;
    // A later join can make up for a byte; at the last one a bridge is worth its encode.
    const anySize = missing && (bridge || !this.#isLastJoin) ? spliceAt(before, after, from, to) : undefined;
    if (!bridge) {
      // At every position the next piece draws on more reservoir bytes than the piece before it leaves room for.
      this.#wantsBridge = !anySize;
      return anySize;
    }
    return bridgeAt(before, after, bridge, from, to, missing) ?? anySize ?? bridgeAt(before, after, bridge, from, to);
  }

  /** Whether the sound ends before the piece after the next one would begin. */
  get #isLastJoin(): boolean {
    const { frameCount } = this.#aim ?? { frameCount: Infinity };
    return this.#boundaryOf(this.#current + 2) + SEARCH_FRAMES + LOOK_AHEAD_FRAMES >= frameCount - 1;
  }
}
