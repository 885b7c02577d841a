/**
 * A file that is fetched in pieces, perhaps out of order, and read from its beginning while it grows. On disk it
 * grows in order: whoever opens it by its path finds what is there, never a gap.
 */
import { open, type FileHandle } from "node:fs/promises";
import { giveBackSlab, SLAB_BYTES, takeSlab } from "./slabs.ts";

const READ_BYTES = 256 * 1_024;
/** One write takes as many waiting pieces as there are, up to about this. */
const WRITE_BYTES = 4 * 1_048_576;
/** What may wait for a slow disk before the line is held up. */
const MAX_BACKLOG_BYTES = 8 * 1_048_576;

/** Bytes that are not all on disk yet. */
interface Stretch {
  readonly start: number;
  readonly slab: Buffer;
  filledBytes: number;
}

const endOf = ({ start, filledBytes }: Stretch): number => start + filledBytes;

export class GrowingFile implements AsyncDisposable {
  readonly path: string;
  /** How many there will be, as soon as the writer has been told. */
  expectedBytes: number | undefined;
  readonly #file: FileHandle;
  /** By where they begin. */
  readonly #waiting = new Map<number, Stretch>();
  /** Those that take more, by where they end. */
  readonly #open = new Map<number, Stretch>();
  #wholeBytes = 0;
  /** Where the stretch begins that the next write to disk begins in. */
  #firstStart = 0;
  /** The end of what joins on to what is on disk, and the stretch it lies in. */
  #backlogEnd = 0;
  #last: Stretch | undefined;
  #receivedBytes = 0;
  #isComplete = false;
  #flushing: Promise<void> | undefined;
  #failure: { readonly error: unknown } | undefined;
  #news = Promise.withResolvers<void>();

  private constructor(path: string, file: FileHandle) {
    this.path = path;
    this.#file = file;
  }

  static async create(path: string): Promise<GrowingFile> {
    return new GrowingFile(path, await open(path, "w+"));
  }

  /** Bytes that are on disk. */
  get wholeBytes(): number {
    return this.#wholeBytes;
  }

  /** All bytes that have come, wherever they belong. */
  get receivedBytes(): number {
    return this.#receivedBytes;
  }

  /**
   * Takes a copy of a piece. A piece that has come before is not taken again. One that comes before its turn is kept in
   * memory: how far ahead it may be is for the caller to bound.
   * Resolves when more may come. Throws what writing failed with.
   */
  async write(bytes: Uint8Array, position: number): Promise<void> {
    if (this.#failure) throw this.#failure.error;
    const known = Math.max(0, this.#backlogEnd - position);
    if (known >= bytes.length) return;
    this.#receivedBytes += bytes.length - known;
    for (let taken = known; taken < bytes.length;) taken += this.#append(bytes.subarray(taken), position + taken);
    if (this.#last) this.#backlogEnd = endOf(this.#last);
    for (let next = this.#waiting.get(this.#backlogEnd); next; next = this.#waiting.get(this.#backlogEnd)) {
      this.#last = next;
      this.#backlogEnd = endOf(next);
    }
    if (this.#backlogEnd > this.#wholeBytes) this.#flushing ??= this.#flush();
    if (this.#backlogEnd - this.#wholeBytes > MAX_BACKLOG_BYTES) await this.#flushing;
  }

  /** Nothing more will be written. Throws what writing failed with. */
  async complete(): Promise<void> {
    await this.#flushing;
    if (this.#failure) throw this.#failure.error;
    this.#isComplete = true;
    this.#wake();
  }

  /** Readers are told, wherever they are. */
  fail(error: unknown): void {
    this.#failure ??= { error };
    this.#wake();
  }

  /** Resolves with the bytes that are there once there are so many, or all there will be. Throws what the writer failed with. */
  async atLeast(bytes: number): Promise<number> {
    for (;;) {
      if (this.#failure) throw this.#failure.error;
      if (this.#wholeBytes >= bytes || this.#isComplete) return this.#wholeBytes;
      // oxlint-disable-next-line no-await-in-loop -- waits for the writer
      await this.#news.promise;
    }
  }

  /** Everything from the beginning, as it comes, to the end. Throws what the writer failed with. */
  async *follow(): AsyncGenerator<Buffer> {
    let position = 0;
    for (;;) {
      const available = await this.atLeast(position + 1);
      if (available <= position) return;
      const buffer = Buffer.allocUnsafe(Math.min(READ_BYTES, available - position));
      const { bytesRead } = await this.#file.read(buffer, 0, buffer.length, position);
      position += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#flushing;
    for (const { slab } of this.#waiting.values()) giveBackSlab(slab);
    this.#waiting.clear();
    this.#open.clear();
    await this.#file.close();
  }

  /** Returns how many of the bytes there was room for. */
  #append(bytes: Uint8Array, position: number): number {
    let stretch = this.#open.get(position);
    if (stretch) this.#open.delete(position);
    else {
      stretch = { start: position, slab: takeSlab(), filledBytes: 0 };
      this.#waiting.set(position, stretch);
    }
    const count = Math.min(bytes.length, SLAB_BYTES - stretch.filledBytes);
    stretch.slab.set(bytes.subarray(0, count), stretch.filledBytes);
    stretch.filledBytes += count;
    const end = endOf(stretch);
    if (stretch.filledBytes < SLAB_BYTES && !this.#waiting.has(end)) this.#open.set(end, stretch);
    return count;
  }

  /** What is to be written next, one behind the other. */
  #nextStretches(): Stretch[] {
    const stretches: Stretch[] = [];
    for (let next = this.#waiting.get(this.#firstStart); next && endOf(next) - this.#wholeBytes <= WRITE_BYTES; next = this.#waiting.get(endOf(next))) stretches.push(next);
    return stretches;
  }

  /** Never rejects: what goes wrong is told to whoever writes or reads next. */
  async #flush(): Promise<void> {
    try {
      while (this.#wholeBytes < this.#backlogEnd && !this.#failure) {
        const stretches = this.#nextStretches();
        const pieces = stretches.map(({ start, slab, filledBytes }) => slab.subarray(Math.max(0, this.#wholeBytes - start), filledBytes));
        // oxlint-disable-next-line no-await-in-loop -- one write after the other
        const { bytesWritten } = await this.#file.writev(pieces, this.#wholeBytes);
        this.#wholeBytes += bytesWritten;
        for (const stretch of stretches) this.#release(stretch);
        this.#wake();
      }
    } catch (error) {
      this.fail(error);
    } finally {
      this.#flushing = undefined;
    }
  }

  /** Of what is on disk; it may have got more meanwhile, or may yet. */
  #release(stretch: Stretch): void {
    const end = endOf(stretch);
    const isOver = stretch.filledBytes === SLAB_BYTES || this.#waiting.has(end);
    if (end > this.#wholeBytes || !isOver) return;
    this.#waiting.delete(stretch.start);
    this.#open.delete(end);
    this.#firstStart = end;
    giveBackSlab(stretch.slab);
  }

  #wake(): void {
    this.#news.resolve();
    this.#news = Promise.withResolvers();
  }
}
