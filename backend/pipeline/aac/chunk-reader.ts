/** Reads the AAC frames of an MP4 from its chunks and gives each an ADTS header. */
import { NotPlainAac } from "./aac-frames.ts";
import { ADTS_HEADER_BYTES, writeAdtsHeader, type AacKind } from "./adts.ts";
import type { AacChunk } from "./mp4-chunks.ts";
import type { SourceBytes } from "./source-bytes.ts";

const WINDOW_BYTES = 1_048_576;
/** Largest AAC frame: 6,144 bits per channel. */
const MAX_FRAME_BYTES = 2 * 768 * 2;

/** The part of the file that was read last. */
class Window {
  readonly #source: SourceBytes;
  readonly #space = Buffer.allocUnsafe(WINDOW_BYTES);
  #bytes: Buffer = this.#space.subarray(0, 0);
  #start = 0;

  constructor(source: SourceBytes) {
    this.#source = source;
  }

  holds(position: number, size: number): boolean {
    return position >= this.#start && position + size <= this.#start + this.#bytes.length;
  }

  /** Reads from `position` on. @returns false when the file ends before `size` bytes */
  async moveTo(position: number, size: number): Promise<boolean> {
    this.#bytes = await this.#source.fill(this.#space, position, size);
    this.#start = position;
    return this.#bytes.length >= size;
  }

  copy(position: number, size: number, into: Buffer, offset: number): void {
    this.#bytes.copy(into, offset, position - this.#start, position - this.#start + size);
  }
}

/** Frames with ADTS headers that were not passed on yet. */
class AdtsBuffer {
  readonly #kind: AacKind;
  readonly #bytes = Buffer.allocUnsafe(WINDOW_BYTES);
  #length = 0;

  constructor(kind: AacKind) {
    this.#kind = kind;
  }

  get isEmpty(): boolean {
    return this.#length === 0;
  }

  fits(frameBytes: number): boolean {
    return this.#length + frameBytes + ADTS_HEADER_BYTES <= this.#bytes.length;
  }

  append(window: Window, position: number, frameBytes: number): void {
    writeAdtsHeader(this.#bytes, this.#length, this.#kind, frameBytes);
    window.copy(position, frameBytes, this.#bytes, this.#length + ADTS_HEADER_BYTES);
    this.#length += frameBytes + ADTS_HEADER_BYTES;
  }

  /** Empties the buffer. @returns a copy, because the buffer is used again */
  take(): Buffer {
    const frames = Buffer.from(this.#bytes.subarray(0, this.#length));
    this.#length = 0;
    return frames;
  }
}

/**
 * Yields all frames as ADTS. Reads in large steps: the bytes between two chunks are mostly few, so reading them costs
 * less than a second read. Ends early when the file ends early.
 * @throws NotPlainAac for a frame of an impossible size, and what `chunks` throws
 */
export async function* readChunks(
  bytes: SourceBytes,
  chunks: Iterable<AacChunk> | AsyncIterable<AacChunk>,
  kind: AacKind,
): AsyncGenerator<Buffer> {
  const window = new Window(bytes);
  const output = new AdtsBuffer(kind);
  for await (const { position: start, frameCount, sizeOf } of chunks) {
    let position = start;
    for (let frame = 0; frame < frameCount; frame += 1) {
      const size = sizeOf(frame);
      if (size === 0 || size > MAX_FRAME_BYTES) throw new NotPlainAac(`a frame has ${size} bytes`);
      if (!window.holds(position, size)) {
        // Passes on the frames that are complete before it waits for more bytes.
        if (!output.isEmpty) yield output.take();
        if (!(await window.moveTo(position, size))) return;
      }
      if (!output.fits(size)) yield output.take();
      output.append(window, position, size);
      position += size;
    }
  }
  if (!output.isEmpty) yield output.take();
}
