/** The bytes of a file by position, waited for where it still grows. */
import { open, type FileHandle } from "node:fs/promises";

/** What is known of a file that grows. */
export interface Growth {
  /** That are there. */
  readonly wholeBytes: number;
  /** Resolves with the bytes that are there once there are so many, or all there will be. */
  atLeast(bytes: number): Promise<number>;
}

export class SourceBytes implements AsyncDisposable {
  readonly #file: FileHandle;
  readonly #growth: Growth;
  readonly #signal: AbortSignal;

  private constructor(file: FileHandle, growth: Growth, signal: AbortSignal) {
    this.#file = file;
    this.#growth = growth;
    this.#signal = signal;
  }

  /** Without `growth` the file is whole. An abort ends every wait. */
  static async open(path: string, signal: AbortSignal, growth?: Growth): Promise<SourceBytes> {
    signal.throwIfAborted();
    const file = await open(path);
    const { size } = await file.stat();
    return new SourceBytes(file, growth ?? { wholeBytes: size, atLeast: () => Promise.resolve(size) }, signal);
  }

  /** Resolves with how many bytes there are once there are so many, or with fewer when there will never be. */
  async atLeast(bytes: number): Promise<number> {
    this.#signal.throwIfAborted();
    if (this.#growth.wholeBytes >= bytes) return this.#growth.wholeBytes;
    // Of this wait alone: one for all would remember every wait there was.
    const aborted = Promise.withResolvers<never>();
    const onAbort = (): void => aborted.reject(this.#signal.reason);
    this.#signal.addEventListener("abort", onAbort, { once: true });
    try {
      return await Promise.race([this.#growth.atLeast(bytes), aborted.promise]);
    } finally {
      this.#signal.removeEventListener("abort", onAbort);
    }
  }

  /** Fills `into` from `position`, or as much as is there by then; at least one byte is, or none will ever be. */
  async fill(into: Buffer, position: number, leastBytes = 1): Promise<Buffer> {
    const available = await this.atLeast(position + leastBytes);
    const wanted = Math.max(0, Math.min(into.length, available - position));
    if (wanted === 0) return into.subarray(0, 0);
    const { bytesRead } = await this.#file.read(into, 0, wanted, position);
    return into.subarray(0, bytesRead);
  }

  /** Undefined when it ends before. */
  async take(position: number, count: number): Promise<Buffer | undefined> {
    const bytes = await this.fill(Buffer.allocUnsafe(count), position, count);
    return bytes.length === count ? bytes : undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file.close();
  }
}
