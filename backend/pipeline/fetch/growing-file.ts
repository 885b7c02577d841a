/**
 * A file that is fetched in pieces, perhaps out of order, and read from its beginning while it grows. On disk it
 * grows in order: whoever opens it by its path finds what is there, never a gap.
 */
import { open, type FileHandle } from "node:fs/promises";

const READ_BYTES = 256 * 1_024;
/** One write takes as many waiting pieces as there are, up to about this. */
const WRITE_BYTES = 4 * 1_048_576;
/** What may wait for a slow disk before the line is held up. */
const MAX_BACKLOG_BYTES = 8 * 1_048_576;

export class GrowingFile implements AsyncDisposable {
  readonly path: string;
  /** How many there will be, as soon as the writer has been told. */
  expectedBytes: number | undefined;
  readonly #file: FileHandle;
  /** Pieces that are not on disk yet, by position. */
  readonly #waiting = new Map<number, Uint8Array>();
  #wholeBytes = 0;
  /** Of those that wait, the ones that join on to what is on disk. */
  #backlogEnd = 0;
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
   * Takes a piece over; it must not be changed afterwards. A piece that has come before is not taken again.
   * One that comes before its turn is kept in memory: how far ahead it may be is for the caller to bound.
   * Resolves when more may come. Throws what writing failed with.
   */
  async write(bytes: Uint8Array, position: number): Promise<void> {
    if (this.#failure) throw this.#failure.error;
    const known = Math.max(0, this.#backlogEnd - position);
    if (known >= bytes.length) return;
    const piece = known > 0 ? bytes.subarray(known) : bytes;
    this.#waiting.set(position + known, piece);
    this.#receivedBytes += piece.length;
    for (let next = this.#waiting.get(this.#backlogEnd); next; next = this.#waiting.get(this.#backlogEnd)) this.#backlogEnd += next.length;
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
    await this.#file.close();
  }

  /** Never rejects: what goes wrong is told to whoever writes or reads next. */
  async #flush(): Promise<void> {
    try {
      while (this.#wholeBytes < this.#backlogEnd && !this.#failure) {
        const pieces: Uint8Array[] = [];
        let end = this.#wholeBytes;
        for (let next = this.#waiting.get(end); next && end - this.#wholeBytes < WRITE_BYTES; next = this.#waiting.get(end)) {
          this.#waiting.delete(end);
          pieces.push(next);
          end += next.length;
        }
        // oxlint-disable-next-line no-await-in-loop -- one write after the other
        await this.#file.writev(pieces, this.#wholeBytes);
        this.#wholeBytes = end;
        this.#wake();
      }
    } catch (error) {
      this.fail(error);
    } finally {
      this.#flushing = undefined;
    }
  }

  #wake(): void {
    this.#news.resolve();
    this.#news = Promise.withResolvers();
  }
}
