import type { FileHandle } from "node:fs/promises";
import type { FinalBytes } from "../../common/final-bytes.ts";
import { createFile, openFile } from "../tool-files/tool-files.ts";
import type { EarlyCopy } from "../pipeline/convert.ts";
import type { EarlyFile, EarlyFiles } from "../storage/early-files.ts";

export interface EarlyOfferOptions {
  /** Absent where the processes that answer requests cannot read the files of this one. */
  readonly files: EarlyFiles | undefined;
  /** Under which the complete file will be stored. */
  readonly fileKey: string;
  /** Called with the name of the offered file; null when it is not offered any more. */
  readonly onChange: (name: string | null) => void;
  /** Called when a copy that somebody reads cannot be made. */
  readonly onCopyError: (error: unknown) => void;
  /** Its abort ends the making of a copy. */
  readonly signal: AbortSignal;
}

/** Offers the file of a conversion for download while it is made. Disposed of before it is complete, it is given up. */
export class EarlyOffer implements AsyncDisposable {
  readonly #options: EarlyOfferOptions;
  #file: EarlyFile | undefined;
  /** Of the file that is offered, if it is a copy. */
  #copy: CopyInTheMaking | undefined;
  /** Of all copies that somebody has asked for. */
  readonly #making: Promise<unknown>[] = [];

  constructor(options: EarlyOfferOptions) {
    this.#options = options;
  }

  /** See `written` of ConvertListener. */
  written(path: string, final: FinalBytes | null): void {
    const { files, fileKey } = this.#options;
    if (final === null) return this.#takeBack();
    // The bytes of a copy are others.
    if (this.#copy) return;
    if (this.#file) return this.#file.reportFinal(final.to);
    const { standIn } = final;
    if (files && standIn) this.#offer(files.offer(fileKey, path, { ...final, standIn }));
  }

  /** See `earlyCopy` of ConvertListener. */
  offerCopy(copy: EarlyCopy): void {
    const { files, fileKey, signal, onCopyError } = this.#options;
    if (!files || this.#file) return;
    const making = new CopyInTheMaking(copy, signal);
    const onError = (error: unknown): void => {
      if (this.#file === file) this.#takeBack();
      onCopyError(error);
    };
    const file = files.offerCopy(fileKey, () => {
      const { opened, size } = making.begin(file, onError);
      this.#making.push(size);
      return opened;
    });
    this.#copy = making;
    this.#offer(file);
  }

  /** Ends the downloads for a job that has left the conversion. */
  leave(jobId: string): void {
    this.#file?.endReadersOf(jobId);
  }

  /** Call it when the file is stored and the jobs are completed. Waits for a copy that is still read. */
  async complete(sizeBytes: number): Promise<void> {
    const file = this.#file;
    if (!file) return;
    if (this.#copy && !file.hasReaders) return file.giveUp();
    const size = this.#copy ? await this.#copy.size : sizeBytes;
    if (size !== undefined) file.complete(size);
  }

  /** Resolves when no copy is written any more. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#end();
    await Promise.all(this.#making);
  }

  #offer(file: EarlyFile): void {
    this.#file = file;
    this.#options.onChange(file.form.name);
  }

  #takeBack(): void {
    if (!this.#file) return;
    this.#end();
    this.#options.onChange(null);
  }

  #end(): void {
    this.#file?.giveUp();
    this.#copy?.stop();
    this.#file = undefined;
    this.#copy = undefined;
  }
}

interface BegunCopy {
  readonly opened: Promise<FileHandle>;
  readonly size: Promise<number | undefined>;
}

/** A copy that is made once somebody reads it. */
class CopyInTheMaking {
  readonly #copy: EarlyCopy;
  readonly #stop = new AbortController();
  readonly #signal: AbortSignal;
  #size: Promise<number | undefined> | undefined;

  constructor(copy: EarlyCopy, signal: AbortSignal) {
    this.#copy = copy;
    this.#signal = AbortSignal.any([this.#stop.signal, signal]);
  }

  /** Resolves with undefined when it was not made. */
  get size(): Promise<number | undefined> | undefined {
    return this.#size;
  }

  stop(): void {
    this.#stop.abort();
  }

  /** @returns the file to read from, and the size as in {@link CopyInTheMaking.size} */
  begin(file: EarlyFile, onError: (error: unknown) => void): BegunCopy {
    const output = createFile(this.#copy.path);
    const opened = output.then(() => openFile(this.#copy.path));
    const size = this.#make(output, file).catch((error: unknown) => {
      file.giveUp();
      if (!this.#signal.aborted) onError(error);
      return undefined;
    });
    this.#size = size;
    return { opened, size };
  }

  async #make(opening: Promise<FileHandle>, file: EarlyFile): Promise<number> {
    await using output = await opening;
    return await this.#copy.make(output, (count) => file.reportFinal(count), this.#signal);
  }
}
