/** Reads position, size and duration of a track's frames from its sample tables (ISO/IEC 14496-12, 8.6 and 8.7). Pure. */
import { findBox, tableLength } from "./boxes.ts";

/** @returns whether a table has as many entries as it states, and at least one */
function isExact(table: Buffer, countOffset: number, entryBytes: number): boolean {
  const count = tableLength(table, countOffset, entryBytes);
  return count > 0 && count === table.readUInt32BE(countOffset);
}

/** Yields the entries of "stts": a number of frames, and the duration of one of them in the time scale of the track. */
export function* durationRuns(durations: Buffer): Generator<{ readonly count: number; readonly units: number }> {
  for (let at = 8, end = at + 8 * tableLength(durations, 4, 8); at < end; at += 8)
    yield { count: durations.readUInt32BE(at), units: durations.readUInt32BE(at + 4) };
}

/**
 * Where the frames of a track are, by "stsz" (their sizes), "stco" or "co64" (positions of the chunks) and "stsc". It goes
 * through the chunks once, without an object for each: an index may name millions. The time that this takes depends on the
 * size of the tables, not on the counts they state.
 */
export class FramePlaces {
  /** Of the frames that have a size; where all have the same, as many as the table states. */
  readonly frameCount: number;
  /** Offset in the file of the chunk that was reached. */
  position = 0;
  /** Number of its first frame, counted from 0, and of the frame after it, which may be above `frameCount`. */
  firstFrame = 0;
  endFrame = 0;
  readonly #commonSize: number;
  readonly #sizes: Buffer;
  readonly #changes: Buffer;
  readonly #positions: Buffer;
  readonly #positionBytes: 4 | 8;
  readonly #chunkCount: number;
  readonly #changeCount: number;
  #framesPerChunk = 0;
  #chunk = 0;
  #change = 0;

  /**
   * @param tables content of "stbl"
   * @throws RangeError when one of the tables is missing, or the head of "stsz" is cut off
   */
  constructor(tables: Buffer) {
    const [sizes, changes, long] = [findBox(tables, "stsz"), findBox(tables, "stsc"), findBox(tables, "co64")];
    const positions = long ?? findBox(tables, "stco");
    if (!sizes || !changes || !positions) throw new RangeError("the index lacks a table");
    this.#sizes = sizes;
    this.#changes = changes;
    this.#positions = positions;
    this.#positionBytes = long ? 8 : 4;
    this.#commonSize = sizes.readUInt32BE(4);
    this.frameCount = this.#commonSize > 0 ? sizes.readUInt32BE(8) : tableLength(sizes, 8, 4);
    this.#chunkCount = tableLength(positions, 4, this.#positionBytes);
    this.#changeCount = tableLength(changes, 4, 12);
  }

  /** Whether each table has as many entries as it states, and at least one. */
  get isExact(): boolean {
    const areSizesExact = this.#commonSize > 0 || isExact(this.#sizes, 8, 4);
    return areSizesExact && isExact(this.#changes, 4, 12) && isExact(this.#positions, 4, this.#positionBytes);
  }

  /** Goes to the next chunk. @returns false after the last one, and at one without frames */
  nextChunk(): boolean {
    if (this.#chunk === this.#chunkCount) return false;
    // "stsc" has an entry for each chunk from which on the number of frames per chunk changes.
    const entry = 8 + this.#change * 12;
    if (this.#change < this.#changeCount && this.#changes.readUInt32BE(entry) === this.#chunk + 1) {
      this.#framesPerChunk = this.#changes.readUInt32BE(entry + 4);
      this.#change += 1;
    }
    if (this.#framesPerChunk === 0) return false;
    const at = 8 + this.#chunk * this.#positionBytes;
    const isLong = this.#positionBytes === 8;
    this.position = isLong ? Number(this.#positions.readBigUInt64BE(at)) : this.#positions.readUInt32BE(at);
    this.firstFrame = this.endFrame;
    this.endFrame += this.#framesPerChunk;
    this.#chunk += 1;
    return true;
  }

  /** Whether all entries were reached; those of "stsc" that are not in order, or for chunks that do not exist, are not. */
  get isAtEnd(): boolean {
    return this.#chunk === this.#chunkCount && this.#change === this.#changeCount;
  }

  /** @returns bytes of the frames from `first` up to `end`, which is exclusive */
  bytesOf(first: number, end: number): number {
    if (this.#commonSize > 0) return this.#commonSize * (end - first);
    let sum = 0;
    for (let at = 12 + first * 4, last = 12 + end * 4; at < last; at += 4) sum += this.#sizes.readUInt32BE(at);
    return sum;
  }
}

export interface TrackFrames {
  readonly frameCount: number;
  /** Duration of all frames, in the time scale of the track. */
  readonly units: number;
  /** Offset in the file of the first byte of media. */
  readonly from: number;
  /** Offset after the last byte of media. */
  readonly to: number;
}

/**
 * Reads all sample tables of a track.
 * @param tables content of "stbl"
 * @returns undefined when they state different numbers of frames, or one is shorter than it states
 * @throws RangeError when one is missing, or its head is cut off
 */
export function readTrackFrames(tables: Buffer): TrackFrames | undefined {
  const durations = findBox(tables, "stts");
  const places = new FramePlaces(tables);
  if (!durations || !isExact(durations, 4, 8) || !places.isExact) return undefined;
  let frameCount = 0;
  let units = 0;
  for (const run of durationRuns(durations)) {
    frameCount += run.count;
    units += run.count * run.units;
  }
  if (frameCount !== places.frameCount) return undefined;
  let from = Infinity;
  let to = 0;
  while (places.nextChunk()) {
    const { position, firstFrame, endFrame } = places;
    if (endFrame > frameCount) return undefined;
    from = Math.min(from, position);
    to = Math.max(to, position + places.bytesOf(firstFrame, endFrame));
  }
  return places.isAtEnd && places.endFrame === frameCount ? { frameCount, units, from, to } : undefined;
}
