/** Where finished files live. Keys are ours (never a title) and of the form `<id>.<attempt>.<extension>`. */
import type { Readable } from "node:stream";
import { ConversionError } from "../../common/errors.ts";
import type { FinalBytes } from "../../common/final-bytes.ts";

export interface StoredFile {
  readonly sizeBytes: number;
  readonly modifiedAt: Date;
}

/** Both ends count, as in an HTTP range. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * A file on its way into the store while it is still being written. Disposed of before it is whole, it leaves nothing.
 */
export interface Incoming extends AsyncDisposable {
  /**
   * A store that is far away may take these bytes ahead. Null: the file is written anew, and what was said of it no
   * longer holds.
   */
  grown(final: FinalBytes | null): void;
  /** The file is whole; as `put`. */
  finish(): Promise<void>;
}

/** What a browser is to make of a file that it fetches from the store itself. */
export interface LinkAnswer {
  readonly contentType: string;
  /** The whole `Content-Disposition` header. */
  readonly disposition: string;
}

/** There is nothing under the key any more. */
export class NoSuchFileError extends Error {
  constructor(key: string, options: { cause?: unknown } = {}) {
    super(`no such file: ${key}`, options);
    this.name = "NoSuchFileError";
  }
}

/**
 * The place where files live does not answer, or refuses us: nothing is known about the file. A
 * conversion that meets it may find it mended at another attempt.
 */
export class StoreUnavailableError extends ConversionError {
  constructor(doing: string, options: { cause?: unknown } = {}) {
    super("storage", {
      message: "The place where files are kept does not answer at the moment. Retry in a few minutes.",
      detail: `the file store failed to ${doing}: ${String(options.cause)}`,
      isTransient: true,
      ...options,
    });
    this.name = "StoreUnavailableError";
  }
}

/** A store behind a network throws StoreUnavailableError from every call when it cannot be reached. */
export interface FileStore {
  /**
   * Takes the file at a local path over: afterwards it is stored whole under the key, and the path is gone.
   * @throws ConversionError storage when there is no room or the place cannot be written; transient
   * where another attempt may find it mended. The path is then as it was.
   */
  put(key: string, localPath: string): Promise<void>;
  /** The same for a file that is only beginning to be written at the path. Nothing is stored before `finish`. */
  begin(key: string, localPath: string): Incoming;
  /** Null: there is no such file. */
  stat(key: string): Promise<StoredFile | null>;
  /**
   * The bytes, whole or a range of them. The caller destroys the stream when it stops early.
   * @throws NoSuchFileError here rather than in mid-stream
   */
  read(key: string, range?: ByteRange): Promise<Readable>;
  /**
   * A file that is not there is no error. Whoever is reading it may finish; a store that holds the
   * removal back for that long does it later, and what then goes wrong is a stray file.
   */
  remove(key: string): Promise<void>;
  /** Everything stored, with when it came under its key. */
  list(): AsyncIterable<{ key: string; modifiedAt: Date }>;
  /**
   * Takes away what was broken off on its way here, by this or any other process.
   * @param minAgeMs younger halves are left alone, somebody may be at work on them
   * @returns how many there were
   */
  clearUnfinished(minAgeMs: number): Promise<number>;
  /** Where the store answers browsers itself: an address that gives the file to whoever has it, for a while. */
  readonly linkTo?: (key: string, answer: LinkAnswer) => Promise<string>;
}

const KEY = /^[\w-]+(?:\.[\w-]+)+$/;

export function isKey(key: string): boolean {
  return KEY.test(key);
}

/** @throws RangeError for a key that could leave its folder */
export function assertKey(key: string): void {
  if (!isKey(key)) throw new RangeError(`"${key}" is not a file key`);
}
