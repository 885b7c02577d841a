/** A file that is written in pieces, perhaps out of order, and read from its beginning while it grows. */
import { open, type FileHandle } from "node:fs/promises";

const READ_BYTES = 256 * 1_024;

export class GrowingFile implements AsyncDisposable {
  readonly path: string;
  readonly #file: FileHandle;
  /** Pieces beyond the first gap: where each begins and ends. */
  readonly #ahead = new Map<number, number>();
  #wholeBytes = 0;
  #writtenBytes = 0;
  #isComplete = false;
  #failure: { readonly error: unknown } | undefined;
  #news = Promise.withResolvers<void>();

  private constructor(path: string, file: FileHandle) {
    this.path = path;
    this.#file = file;
  }

  static async create(path: string): Promise<GrowingFile> {
    return new GrowingFile(path, await open(path, "w+"));
  }

  /** Bytes from the beginning that are there without a gap. */
  get wholeBytes(): number {
    return this.#wholeBytes;
  }

  /** All bytes written, wherever they lie. */
  get writtenBytes(): number {
    return this.#writtenBytes;
  }

  async write(bytes: Uint8Array, position: number): Promise<void> {
    await this.#file.write(bytes, 0, bytes.length, position);
    this.#writtenBytes += bytes.length;
    this.#ahead.set(position, Math.max(this.#ahead.get(position) ?? 0, position + bytes.length));
    for (let end = this.#ahead.get(this.#wholeBytes); end !== undefined; end = this.#ahead.get(this.#wholeBytes)) {
      this.#ahead.delete(this.#wholeBytes);
      this.#wholeBytes = end;
    }
    this.#wake();
  }

  /** Nothing more will be written. */
  complete(): void {
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
    await this.#file.close();
  }

  #wake(): void {
    this.#news.resolve();
    this.#news = Promise.withResolvers();
  }
}
