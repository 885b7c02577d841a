/**
 * Flushes a file to the disk while it is being written, so that the flush at the end is short. Measured: flushing
 * 276 MB that were written within three seconds took 110 ms at the end.
 */
import type { FileHandle } from "node:fs/promises";
import { openFile } from "../../tool-files/tool-files.ts";

export class BackgroundFlush implements AsyncDisposable {
  readonly #path: string;
  #file: FileHandle | undefined;
  #flushing: Promise<void> | undefined;
  #failure: { readonly error: unknown } | undefined;

  /** @param path of the file; it need not exist yet */
  constructor(path: string) {
    this.#path = path;
  }

  /** Starts a flush in the background, unless one is running. Call it after more bytes were written. */
  start(): void {
    this.#flushing ??= this.#flush();
  }

  /**
   * Waits until no flush is running.
   * @throws the first error of a flush; the system reports a write error only once, so a later flush would succeed
   */
  async finish(): Promise<void> {
    await this.#flushing;
    if (this.#failure) throw this.#failure.error;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#flushing;
    await this.#file?.close();
  }

  /** Never rejects: {@link finish} throws the error. */
  async #flush(): Promise<void> {
    try {
      this.#file ??= await openFile(this.#path);
      await this.#file.datasync();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") this.#failure ??= { error };
    } finally {
      this.#flushing = undefined;
    }
  }
}
