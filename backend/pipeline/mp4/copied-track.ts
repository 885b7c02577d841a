/** Collects the sample tables of a track that is copied frame by frame from a fragmented one. Pure. */
import type { Fragment, FragmentedTrack } from "./fragments.ts";
import { AUDIO_ENTRY_BYTES, VIDEO_ENTRY_BYTES } from "./track-codec.ts";
import { box } from "./write-box.ts";
import { addToRuns, rewriteDescription, u32, type Chunk, type Run, type WrittenTrack } from "./write-index.ts";

const ENTRY_BYTES = { picture: VIDEO_ENTRY_BYTES, sound: AUDIO_ENTRY_BYTES } as const;
/** The parts of an entry that playing needs. Others hold what an encoder or a site says about itself. */
const PLAIN_PARTS: ReadonlySet<string> = new Set(["avcC", "esds", "pasp", "colr", "clap", "fiel", "btrt"]);

/** Handlers as ffmpeg names them; those of sites name the site. */
const HANDLERS = { picture: ["vide", "VideoHandler"], sound: ["soun", "SoundHandler"] } as const;
/** "vmhd" has a flag that is always set; "smhd" has a balance of 0. */
const MEDIA_HEADERS = { picture: box("vmhd", u32(1, 0, 0)), sound: box("smhd", u32(0, 0)) } as const;

function handlerOf(kind: FragmentedTrack["kind"]): Buffer {
  const [type, name] = HANDLERS[kind];
  return box("hdlr", u32(0, 0), Buffer.from(type), u32(0, 0, 0), Buffer.from(`${name}\0`));
}

export class CopiedTrack {
  readonly source: FragmentedTrack;
  readonly #durations: Run[] = [];
  readonly #delays: Run[] = [];
  readonly #sizes: number[] = [];
  readonly #keys: number[] = [];
  readonly #chunks: Chunk[] = [];
  /** When the last frame ends. */
  #decodedUntil = 0;
  #firstShown = Infinity;
  #lastShown = 0;
  #leastDelay = 0;

  constructor(source: FragmentedTrack) {
    this.source = source;
  }

  get frameCount(): number {
    return this.#sizes.length;
  }

  /** @returns false when its frames are decoded before those that were there already end */
  startFragment({ decodedAt }: Fragment): boolean {
    const gap = decodedAt - this.#decodedUntil;
    const last = this.#durations.at(-1);
    if (gap < 0 || (gap > 0 && !last)) return false;
    if (gap === 0 || !last) return true;
    // The last frame is shown until the next one.
    last[0] -= 1;
    if (last[0] === 0) this.#durations.pop();
    addToRuns(this.#durations, last[1] + gap);
    this.#decodedUntil = decodedAt;
    return true;
  }

  /** Adds a frame of the fragment that was started last; they come in order. */
  addFrame({ durations, delays, sizes, areKeys }: Fragment, index: number): void {
    const [duration = 0, delay = 0, size = 0] = [durations[index], delays[index], sizes[index]];
    addToRuns(this.#durations, duration);
    addToRuns(this.#delays, delay);
    this.#sizes.push(size);
    if (areKeys[index] === true) this.#keys.push(this.#sizes.length);
    const shownAt = this.#decodedUntil + delay;
    this.#firstShown = Math.min(this.#firstShown, shownAt);
    this.#lastShown = Math.max(this.#lastShown, shownAt + duration);
    this.#leastDelay = Math.min(this.#leastDelay, delay);
    this.#decodedUntil += duration;
  }

  /** @param position in the file of the frames that were added last */
  addChunk(chunk: Chunk): void {
    this.#chunks.push(chunk);
  }

  /** @throws RangeError when the description of the source is cut off */
  finish(trackId: number): WrittenTrack {
    const { source } = this;
    const { kind, unitsPerSecond, language, shape, descriptions } = source;
    // Only later versions of the table know frames that are shown before they are decoded.
    const shift = -this.#leastDelay;
    const firstShown = source.firstShown ?? this.#firstShown;
    const isDelayed = this.#delays.some(([, delay]) => delay !== 0);
    return {
      trackId,
      unitsPerSecond,
      language,
      shape,
      handler: handlerOf(kind),
      mediaHeader: MEDIA_HEADERS[kind],
      duration: this.#decodedUntil,
      firstShown: firstShown + shift,
      played: this.#lastShown - firstShown,
      description: rewriteDescription(descriptions, ENTRY_BYTES[kind], ({ type, body }) =>
        PLAIN_PARTS.has(type) ? [box(type, body)] : [],
      ),
      durations: this.#durations,
      delays: isDelayed ? this.#delays.map(([count, delay]): Run => [count, delay + shift]) : undefined,
      sizes: this.#sizes,
      keys: this.#keys.length === this.#sizes.length ? undefined : this.#keys,
      chunks: this.#chunks,
    };
  }
}
