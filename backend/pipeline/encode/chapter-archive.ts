/** Writes files into an archive, one after the other. */
import { createReadStream, createWriteStream } from "node:fs";
import { rm, stat } from "node:fs/promises";
import { pipeline as pump } from "node:stream/promises";
import { ZipFile } from "yazl";

/** An archive that is being written. Disposing of it stops that; the incomplete file stays. */
export class ChapterArchive implements AsyncDisposable {
  readonly #zip = new ZipFile();
  readonly #abort = new AbortController();
  readonly #writing: Promise<void>;

  constructor(path: string, signal: AbortSignal) {
    const bounded = AbortSignal.any([signal, this.#abort.signal]);
    this.#zip.once("error", (error: Error) => this.#abort.abort(error));
    this.#writing = pump(this.#zip.outputStream, createWriteStream(path), { signal: bounded });
    // It may reject before it is awaited.
    this.#writing.catch(() => undefined);
  }

  /**
   * Moves a file into the archive. It is not compressed: sound and pictures are already.
   * @returns its size in bytes
   * @throws the errors of reading and writing; `signal.reason` when aborted
   */
  async take(path: string, name: string): Promise<number> {
    const { size, mtime } = await stat(path);
    const file = createReadStream(path);
    const taken = new Promise<void>((resolve, reject) => {
      file.once("end", resolve);
      file.once("error", reject);
    });
    this.#zip.addReadStream(file, name, { size, mtime, compress: false });
    try {
      await Promise.race([taken, this.#writing]);
    } finally {
      file.destroy();
    }
    await rm(path);
    return size;
  }

  /** Writes the list of files at the end of the archive. @throws what {@link take} throws */
  async finish(): Promise<void> {
    this.#zip.end();
    await this.#writing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#abort.abort();
    await Promise.allSettled([this.#writing]);
  }
}
