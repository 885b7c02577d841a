/** Writes files into an archive, one after the other. */
import type { FileHandle } from "node:fs/promises";
import { pipeline as pump } from "node:stream/promises";
import { ZipFile } from "yazl";
import { createFile, openFile, removeFile } from "../../tool-files/tool-files.ts";

/** An archive that is being written. Disposing of it stops that; the incomplete file stays. */
export class ChapterArchive implements AsyncDisposable {
  readonly #zip = new ZipFile();
  readonly #abort = new AbortController();
  readonly #writing: Promise<void>;

  private constructor(output: FileHandle, signal: AbortSignal) {
    const bounded = AbortSignal.any([signal, this.#abort.signal]);
    this.#zip.once("error", (error: Error) => this.#abort.abort(error));
    this.#writing = pump(this.#zip.outputStream, output.createWriteStream(), { signal: bounded });
    // It may reject before it is awaited.
    this.#writing.catch(() => undefined);
  }

  /** @throws the error of making the file */
  static async create(path: string, signal: AbortSignal): Promise<ChapterArchive> {
    return new ChapterArchive(await createFile(path), signal);
  }

  /**
   * Moves a file into the archive. It is not compressed: sound and pictures are already.
   * @returns its size in bytes
   * @throws the errors of reading and writing; `signal.reason` when aborted
   */
  async take(path: string, name: string): Promise<number> {
    await using opened = await openFile(path);
    const { size, mtime } = await opened.stat();
    const file = opened.createReadStream();
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
    await removeFile(path);
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
