/** Reads bytes of a file by position, and waits for them while the file is still fetched. */
import type { FileHandle } from "node:fs/promises";
import { abortable } from "../../../common/waiting.ts";
import { openFile } from "../../tool-files/tool-files.ts";
import type { ReadAt } from "../mp4/outer-boxes.ts";

/** Progress of a file that is still fetched. */
export interface Growth {
  /** Bytes from the beginning that are there without a gap. */
  readonly wholeBytes: number;
  /** Resolves with the bytes that are there, when there are at least `bytes` or the file is complete. */
  atLeast(bytes: number): Promise<number>;
}

/** An open file. Disposing of it closes it. */
export class SourceBytes implements AsyncDisposable {
  readonly #file: FileHandle;
  readonly #growth: Growth;
  readonly #signal: AbortSignal;

  private constructor(file: FileHandle, growth: Growth, signal: AbortSignal) {
    this.#file = file;
    this.#growth = growth;
    this.#signal = signal;
  }

  /**
   * @param signal its abort ends every wait
   * @param growth absent for a complete file
   */
  static async open(path: string, signal: AbortSignal, growth?: Growth): Promise<SourceBytes> {
    signal.throwIfAborted();
    const file = await openFile(path);
    const { size } = await file.stat();
    return new SourceBytes(file, growth ?? { wholeBytes: size, atLeast: () => Promise.resolve(size) }, signal);
  }

  /** Resolves with the bytes that are there, when there are at least `bytes`; with fewer when the file ends before. */
  async atLeast(bytes: number): Promise<number> {
    this.#signal.throwIfAborted();
    if (this.#growth.wholeBytes >= bytes) return this.#growth.wholeBytes;
    return abortable(this.#growth.atLeast(bytes), this.#signal);
  }

  /**
   * Fills `into` with the bytes that are there from `position` on. Waits for `leastBytes`.
   * @returns the filled part of `into`; shorter than `leastBytes` only when the file ends before
   */
  async fill(into: Buffer, position: number, leastBytes = 1): Promise<Buffer> {
    const available = await this.atLeast(position + leastBytes);
    const wanted = Math.max(0, Math.min(into.length, available - position));
    if (wanted === 0) return into.subarray(0, 0);
    const { bytesRead } = await this.#file.read(into, 0, wanted, position);
    return into.subarray(0, bytesRead);
  }

  /** @returns `count` bytes; fewer when the file ends before */
  readonly read: ReadAt = (position, count) => this.fill(Buffer.allocUnsafe(count), position, count);

  /** @returns exactly `count` bytes; undefined when the file ends before */
  async take(position: number, count: number): Promise<Buffer | undefined> {
    const bytes = await this.read(position, count);
    return bytes.length === count ? bytes : undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file.close();
  }
}
