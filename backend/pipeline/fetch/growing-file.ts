/**
 * A file that is written in pieces, in any order, and read from its beginning while it grows. On disk it grows in
 * order, so a tool that opens it by its path never reads a gap.
 */
import type { FileHandle } from "node:fs/promises";
import { Changes } from "../../../common/waiting.ts";
import { createFile, openFile } from "../../tool-files/tool-files.ts";
import { acquireSlab, releaseSlab, SLAB_BYTES } from "./slabs.ts";

const READ_BYTES = 256 * 1_024;
/** One write to disk takes at most about this many bytes. */
const WRITE_BYTES = 4 * 1_048_576;
/** With more bytes than this waiting for the disk, `write` waits too. */
const MAX_BACKLOG_BYTES = 8 * 1_048_576;

/** A contiguous part of the file that is not completely on disk yet. */
interface Block {
  readonly start: number;
  readonly slab: Buffer;
  filledBytes: number;
}

const endOf = ({ start, filledBytes }: Block): number => start + filledBytes;

export class GrowingFile implements AsyncDisposable {
  readonly path: string;
  /** Size of the complete file, once the writer knows it. */
  expectedBytes: number | undefined;
  /** What that may be by the pieces that have begun to arrive, if the writer knows the number of all. */
  guessedBytes: number | undefined;
  /** When the slowest connection of the writer ends at its pace, as of `performance.now()`; 0 while nobody knows. */
  slowestEndMs: () => number = () => 0;
  readonly #file: FileHandle;
  /** Blocks in memory, by start position. */
  readonly #waiting = new Map<number, Block>();
  /** Blocks with free room, by end position. */
  readonly #open = new Map<number, Block>();
  #wholeBytes = 0;
  /** Start of the block that the next write to disk begins in. */
  #firstStart = 0;
  /** End of the bytes, on disk and in memory, that follow the beginning of the file without a gap. */
  #backlogEnd = 0;
  /** The block that ends at `#backlogEnd`. */
  #last: Block | undefined;
  #receivedBytes = 0;
  #isComplete = false;
  #flushing: Promise<void> | undefined;
  #failure: { readonly error: unknown } | undefined;
  /** What readers wait for. */
  readonly #changes = new Changes();

  /** @param file empty, open for reading and writing; disposing of this closes it */
  constructor(path: string, file: FileHandle) {
    this.path = path;
    this.#file = file;
  }

  /** Creates an empty file at `path`. */
  static async create(path: string): Promise<GrowingFile> {
    return new GrowingFile(path, await createFile(path));
  }

  /** Bytes on disk. */
  get wholeBytes(): number {
    return this.#wholeBytes;
  }

  /** Whether writes wait because too many bytes are not on disk yet. */
  get isBehind(): boolean {
    return this.#backlogEnd - this.#wholeBytes > MAX_BACKLOG_BYTES;
  }

  /** Bytes written so far, on disk or in memory, each counted once. */
  get receivedBytes(): number {
    return this.#receivedBytes;
  }

  /**
   * Writes a copy of `bytes`. Bytes that were written before are skipped. Bytes after a gap are buffered in memory; the
   * caller has to limit how many.
   * @returns when the next write may come
   * @throws the error of an earlier write to disk
   */
  async write(bytes: Uint8Array, position: number): Promise<void> {
    if (this.#failure) throw this.#failure.error;
    const knownBytes = Math.max(0, this.#backlogEnd - position);
    if (knownBytes >= bytes.length) return;
    this.#receivedBytes += bytes.length - knownBytes;
    for (let offset = knownBytes; offset < bytes.length;)
      offset += this.#append(bytes.subarray(offset), position + offset);
    if (this.#last) this.#backlogEnd = endOf(this.#last);
    for (let next = this.#waiting.get(this.#backlogEnd); next; next = this.#waiting.get(this.#backlogEnd)) {
      this.#last = next;
      this.#backlogEnd = endOf(next);
    }
    if (this.#backlogEnd > this.#wholeBytes) this.#flushing ??= this.#flush();
    if (this.isBehind) await this.#flushing;
  }

  /**
   * Marks the file as complete, once all bytes are on disk.
   * @throws the error of an earlier write to disk
   */
  async complete(): Promise<void> {
    await this.#flushing;
    if (this.#failure) throw this.#failure.error;
    this.#isComplete = true;
    this.#changes.announce();
  }

  /** Makes all reads and writes throw `error`. */
  fail(error: unknown): void {
    this.#failure ??= { error };
    this.#changes.announce();
  }

  /**
   * Waits until `bytes` bytes are on disk, or the file is complete.
   * @returns bytes on disk
   * @throws the error of the writer
   */
  async atLeast(bytes: number): Promise<number> {
    await this.#changes.until(() => this.#failure !== undefined || this.#wholeBytes >= bytes || this.#isComplete);
    if (this.#failure) throw this.#failure.error;
    return this.#wholeBytes;
  }

  /**
   * Reads the file to its end, as it grows. It may be disposed of meanwhile, once it is complete.
   * @param from offset of the first byte
   * @throws the error of the writer
   */
  async *follow(from = 0): AsyncGenerator<Buffer> {
    await using file = await openFile(this.path);
    let position = from;
    for (;;) {
      const available = await this.atLeast(position + 1);
      if (available <= position) return;
      const buffer = Buffer.allocUnsafe(Math.min(READ_BYTES, available - position));
      const { bytesRead } = await file.read(buffer, 0, buffer.length, position);
      position += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#flushing;
    for (const { slab } of this.#waiting.values()) releaseSlab(slab);
    this.#waiting.clear();
    this.#open.clear();
    await this.#file.close();
  }

  /** @returns how many of the bytes the block had room for */
  #append(bytes: Uint8Array, position: number): number {
    let block = this.#open.get(position);
    if (block) this.#open.delete(position);
    else {
      block = { start: position, slab: acquireSlab(), filledBytes: 0 };
      this.#waiting.set(position, block);
    }
    const count = Math.min(bytes.length, SLAB_BYTES - block.filledBytes);
    block.slab.set(bytes.subarray(0, count), block.filledBytes);
    block.filledBytes += count;
    const end = endOf(block);
    if (block.filledBytes < SLAB_BYTES && !this.#waiting.has(end)) this.#open.set(end, block);
    return count;
  }

  /** @returns the contiguous blocks for the next write to disk */
  #nextBlocks(): Block[] {
    const blocks: Block[] = [];
    let next = this.#waiting.get(this.#firstStart);
    while (next && endOf(next) - this.#wholeBytes <= WRITE_BYTES) {
      blocks.push(next);
      next = this.#waiting.get(endOf(next));
    }
    return blocks;
  }

  /** Never rejects: the next write or read throws the error. */
  async #flush(): Promise<void> {
    try {
      while (this.#wholeBytes < this.#backlogEnd && !this.#failure) {
        const blocks = this.#nextBlocks();
        const pieces = blocks.map(({ start, slab, filledBytes }) =>
          slab.subarray(Math.max(0, this.#wholeBytes - start), filledBytes),
        );
        const { bytesWritten } = await this.#file.writev(pieces, this.#wholeBytes);
        this.#wholeBytes += bytesWritten;
        for (const block of blocks) this.#release(block);
        this.#changes.announce();
      }
    } catch (error) {
      this.fail(error);
    } finally {
      this.#flushing = undefined;
    }
  }

  /** Releases a block that is on disk and cannot grow any more. */
  #release(block: Block): void {
    const end = endOf(block);
    const isFinal = block.filledBytes === SLAB_BYTES || this.#waiting.has(end);
    if (end > this.#wholeBytes || !isFinal) return;
    this.#waiting.delete(block.start);
    this.#open.delete(end);
    this.#firstStart = end;
    releaseSlab(block.slab);
  }
}
