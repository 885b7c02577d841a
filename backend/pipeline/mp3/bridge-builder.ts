/** Encodes bridges in the background: short groups of frames that join two pieces where their own frames do not fit. */
import type { FrameGroup } from "./frame-group.ts";
import type { JoinedFrames } from "./joined-frames.ts";
import type { SoundChunk } from "./lane-input.ts";
import type { Frame } from "./mp3-frame.ts";

export interface BridgeBuilderOptions {
  readonly joined: JoinedFrames;
  /** Encodes sound as frames without a bit reservoir. */
  readonly encode: (sound: readonly SoundChunk[]) => Promise<Frame[]>;
  /** Called with the frames that become final because a bridge was added. */
  readonly onFinal: (groups: readonly FrameGroup[]) => void;
  readonly onError: (error: unknown) => void;
}

export class BridgeBuilder {
  readonly #options: BridgeBuilderOptions;
  /** By piece: the sound around its beginning, kept until the piece is joined. */
  readonly #overlaps = new Map<number, readonly SoundChunk[]>();
  #building = Promise.resolve();
  #isBuilding = false;

  constructor(options: BridgeBuilderOptions) {
    this.#options = options;
  }

  /** Keeps the sound around the beginning of a piece, in case a bridge to it is needed. */
  keepOverlap(piece: number, overlap: readonly SoundChunk[]): void {
    this.#overlaps.set(piece, overlap);
  }

  /** Starts to build the bridge that the joined frames need, if any. Call it after frames were added to them. */
  update(): void {
    const { joined, onError } = this.#options;
    for (const piece of this.#overlaps.keys()) if (piece <= joined.currentPiece) this.#overlaps.delete(piece);
    if (this.#isBuilding || joined.wantsBridgeTo === undefined) return;
    this.#isBuilding = true;
    this.#building = this.#buildAll();
    this.#building.catch(onError);
  }

  /** Resolves when no bridge is being built; rejects with the error of the encoder or of the joining. */
  get idle(): Promise<void> {
    return this.#building;
  }

  /** Builds bridges until none is needed: after one piece is joined, the next one may need a bridge too. */
  async #buildAll(): Promise<void> {
    const { joined, encode, onFinal } = this.#options;
    for (let piece = joined.wantsBridgeTo; piece !== undefined; piece = joined.wantsBridgeTo) {
      const frames = await encode(this.#overlaps.get(piece) ?? []);
      onFinal(joined.bridge(frames));
    }
    this.#isBuilding = false;
  }
}
