/**
 * Files that visitors download while they are being made. They are known in memory only, so just the process that makes a
 * file can give it that early.
 */
import type { FileHandle } from "node:fs/promises";
import { Readable } from "node:stream";
import { setNewest } from "../../common/set-newest.ts";
import { Changes } from "../../common/waiting.ts";
import type { FinalBytes } from "../../common/final-bytes.ts";
import { openFile } from "../tool-files/tool-files.ts";

/** A slow reader holds hardly more than this in memory. */
const READ_BYTES = 65_536;
/** They are kept so that a download that was cut off can go on. One has the size of a frame. */
const MAX_FORMS = 1_000;

/** What the file is before it is complete: the bytes of the complete one but for the stand-in, and as many. */
export interface EarlyForm {
  /** Differs from that of every other form, and from the key of the complete file. */
  readonly name: string;
  readonly standIn: Uint8Array;
  /** From here on the bytes are those of the complete file. The stand-in ends here. */
  readonly sameFrom: number;
  /** Absent where it is not sure before the end. */
  readonly sizeBytes?: number | undefined;
}

/** Whether a condition of a request names a form in which a file was read early, also before a restart. */
export function namesEarlyForm(condition: string): boolean {
  return /\.early\d+"/.test(condition);
}

/** What is known of a file that is offered. */
export type OfferedBytes = FinalBytes & { readonly standIn: Uint8Array };

/** The file will not become complete in this form, so what was read of it is worth nothing. */
export class EarlyFileBroken extends Error {
  constructor() {
    super("the file that was read while it was made was not finished");
    this.name = "EarlyFileBroken";
  }
}

/** Puts the stand-in into bytes of the file. @param position of the bytes in the file */
function putStandIn({ standIn, sameFrom }: EarlyForm, bytes: Buffer, position: number): void {
  const standInFrom = sameFrom - standIn.length;
  const from = Math.max(position, standInFrom);
  const to = Math.min(position + bytes.length, sameFrom);
  if (from < to) bytes.set(standIn.subarray(from - standInFrom, to - standInFrom), from - position);
}

export class EarlyFiles {
  /** By name. */
  readonly #growing = new Map<string, EarlyFile>();
  /** Of complete files and of those that are being made, by the key of the complete one, oldest first. */
  readonly #forms = new Map<string, EarlyForm>();
  #count = 0;

  /**
   * Offers a file from now on.
   * @param key under which it will be stored
   * @param final its first final bytes
   */
  offer(key: string, path: string, { from, to, standIn, sizeBytes }: OfferedBytes): EarlyFile {
    const form: EarlyForm = { name: this.#newName(key), standIn, sameFrom: from, sizeBytes };
    const opened = openFile(path);
    const file = new EarlyFile(
      form,
      () => opened,
      (isComplete) => {
        this.#growing.delete(form.name);
        if (!isComplete) this.#forms.delete(key);
      },
    );
    file.open();
    file.reportFinal(to);
    this.#growing.set(form.name, file);
    // From now on, because a job is completed a moment before its file is no longer found here.
    this.#keep(key, form);
    return file;
  }

  /**
   * Offers a copy in another form from now on. A download of it that is cut off cannot go on in the complete file.
   * @param openCopy called when somebody reads it: begins to make it, and resolves with the file
   */
  offerCopy(key: string, openCopy: () => Promise<FileHandle>): EarlyFile {
    const form: EarlyForm = { name: this.#newName(key), standIn: new Uint8Array(), sameFrom: Infinity };
    const file = new EarlyFile(form, openCopy, () => this.#growing.delete(form.name));
    this.#growing.set(form.name, file);
    return file;
  }

  /** Whether no file is being made that could be found. */
  get isEmpty(): boolean {
    return this.#growing.size === 0;
  }

  /** @returns undefined when the file is complete or was given up */
  find(name: string): EarlyFile | undefined {
    return this.#growing.get(name);
  }

  /** @returns the form in which a complete file was read before; undefined when it was not offered, or long ago */
  formOf(key: string): EarlyForm | undefined {
    return this.#forms.get(key);
  }

  #newName(key: string): string {
    this.#count += 1;
    return `${key}.early${this.#count}`;
  }

  #keep(key: string, form: EarlyForm): void {
    setNewest(this.#forms, key, form, MAX_FORMS);
  }
}

/** A file that is being made. The file stays open until the last reader has ended, also when it is moved or deleted. */
export class EarlyFile {
  readonly form: EarlyForm;
  readonly #openFile: () => Promise<FileHandle>;
  #handle: Promise<FileHandle> | undefined;
  readonly #onEnd: (isComplete: boolean) => void;
  /** With the job for which each one reads. */
  readonly #readers = new Map<Readable, string>();
  #finalTo = 0;
  #state: "growing" | "complete" | "broken" = "growing";
  readonly #changes = new Changes();

  /** @param openFile called with the first reader, if not before; it is given up when that fails */
  constructor(form: EarlyForm, openFile: () => Promise<FileHandle>, onEnd: (isComplete: boolean) => void) {
    this.form = form;
    this.#openFile = openFile;
    this.#onEnd = onEnd;
  }

  /** Opens the file before anybody reads it, because it may be moved. */
  open(): void {
    if (this.#handle) return;
    this.#handle = this.#openFile();
    this.#handle.catch(() => this.giveUp());
  }

  get isGrowing(): boolean {
    return this.#state === "growing";
  }

  get hasReaders(): boolean {
    return this.#readers.size > 0;
  }

  /** Bytes up to this position are final. */
  get finalTo(): number {
    return this.#finalTo;
  }

  /** @param to bytes before it will not change any more */
  reportFinal(to: number): void {
    // Who knows the size takes the last byte for the end, so that one is held back until the file is stored.
    const { sizeBytes = Infinity } = this.form;
    this.#finalTo = Math.max(this.#finalTo, Math.min(to, sizeBytes - 1));
    this.#changes.announce();
  }

  /** Call it when the complete file is stored: readers get the rest, and then the end. */
  complete(sizeBytes: number): void {
    if (this.#state !== "growing") return;
    if (this.form.sizeBytes !== undefined && this.form.sizeBytes !== sizeBytes) return this.giveUp();
    this.#finalTo = sizeBytes;
    this.#end("complete");
  }

  /** Call it when the file will not become complete, or is written anew: readers get an error. */
  giveUp(): void {
    if (this.#state !== "growing") return;
    this.#end("broken");
    for (const reader of this.#readers.keys()) reader.destroy(new EarlyFileBroken());
  }

  /** Ends the readers of a job that has left, for example because it was canceled. */
  endReadersOf(jobId: string): void {
    for (const [reader, ofJob] of this.#readers) if (ofJob === jobId) reader.destroy(new EarlyFileBroken());
  }

  /**
   * Reads what is there and then what comes. The stream fails with {@link EarlyFileBroken}.
   * @param to the position after the last byte; to the end when it is absent
   */
  read(jobId: string, from: number, to = Infinity): Readable {
    this.open();
    const abort = new AbortController();
    let position = from;
    const reader = new Readable({
      highWaterMark: READ_BYTES,
      read: () => {
        this.#next(position, to, abort.signal).then(
          (bytes) => {
            position += bytes?.length ?? 0;
            reader.push(bytes);
          },
          (error: unknown) => reader.destroy(error instanceof Error ? error : new EarlyFileBroken()),
        );
      },
      destroy: (error, done) => {
        abort.abort();
        this.#readers.delete(reader);
        this.#closeIfUnused();
        done(error);
      },
    });
    this.#readers.set(reader, jobId);
    return reader;
  }

  /** Resolves when the file is complete or was given up, or the signal is aborted. */
  async untilEnd(signal: AbortSignal): Promise<void> {
    await this.#changes.until(() => this.#state !== "growing", signal);
  }

  /** @returns the next bytes; null at the end */
  async #next(position: number, to: number, signal: AbortSignal): Promise<Buffer | null> {
    await this.#changes.until(() => position >= to || this.#finalTo > position || this.#state !== "growing", signal);
    const length = Math.min(READ_BYTES, to - position, this.#finalTo - position);
    if (length <= 0) return null;
    const bytes = Buffer.allocUnsafe(length);
    const read = await (await this.#handle)?.read(bytes, 0, length, position);
    // It may have been written anew during the read.
    if (!read || read.bytesRead === 0 || this.#state === "broken") throw new EarlyFileBroken();
    const found = bytes.subarray(0, read.bytesRead);
    putStandIn(this.form, found, position);
    return found;
  }

  #end(state: "complete" | "broken"): void {
    this.#state = state;
    this.#onEnd(state === "complete");
    this.#changes.announce();
    this.#closeIfUnused();
  }

  #closeIfUnused(): void {
    if (this.#state === "growing" || this.#readers.size > 0) return;
    // A file that could not be opened has nothing to close.
    this.#handle?.then((handle) => handle.close()).catch(() => undefined);
  }
}
