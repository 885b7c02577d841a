/**
 * The port for storing finished files. Keys have the form `<id>.<attempt>.<extension>` and never contain a title.
 */
import type { Readable } from "node:stream";
import { ConversionError } from "../../common/errors.ts";
import type { FinalBytes } from "../../common/final-bytes.ts";

export interface StoredFile {
  readonly sizeBytes: number;
  readonly modifiedAt: Date;
}

/** First and last byte, both inclusive, as in an HTTP range. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * The upload of a file that is still being written. Nothing is stored under the key before `finish`; disposing of an
 * unfinished upload removes what was sent.
 */
export interface FileUpload extends AsyncDisposable {
  /**
   * Reports bytes of the file that will not change any more, so that a remote store can upload them early.
   * @param final null when the file is rewritten from the start: everything reported before is void
   */
  reportFinalBytes(final: FinalBytes | null): void;
  /**
   * Stores the complete file and deletes the local one.
   * @throws ConversionError storage, as {@link FileStore.put} does
   */
  finish(): Promise<void>;
}

/** Response headers of a file that a browser downloads directly from the store. */
export interface LinkHeaders {
  readonly contentType: string;
  /** Value of the `Content-Disposition` header. */
  readonly disposition: string;
}

/** The store has no file with the key. */
export class NoSuchFileError extends Error {
  constructor(key: string, options: { cause?: unknown } = {}) {
    super(`no such file: ${key}`, options);
    this.name = "NoSuchFileError";
  }
}

/**
 * The store cannot be reached or rejects our request, so the state of the file is unknown. The error is transient:
 * another attempt of the conversion may succeed.
 */
export class StoreUnavailableError extends ConversionError {
  /** @param action the failed action, as in "store a.1.mp3" */
  constructor(action: string, options: { cause?: unknown } = {}) {
    super("storage", {
      message: "The place where files are kept does not answer at the moment. Retry in a few minutes.",
      detail: `the file store failed to ${action}: ${String(options.cause)}`,
      isTransient: true,
      ...options,
    });
    this.name = "StoreUnavailableError";
  }
}

/** Every method of a remote store throws StoreUnavailableError when the store cannot be reached. */
export interface FileStore {
  /**
   * Stores a file under a key and deletes the local file.
   * @throws ConversionError storage when the disk is full or cannot be written; transient when another attempt may
   * succeed. The local file then still exists.
   */
  put(key: string, localPath: string): Promise<void>;
  /** Begins to store a file that is still being written at `localPath`. */
  beginUpload(key: string, localPath: string): FileUpload;
  /** @returns null when there is no such file */
  stat(key: string): Promise<StoredFile | null>;
  /**
   * Opens a file or a range of it. The caller destroys the stream when it stops reading early.
   * @throws NoSuchFileError before any byte is sent
   */
  read(key: string, range?: ByteRange): Promise<Readable>;
  /**
   * Deletes a file; does nothing if it does not exist. Readers that have opened it can finish. If the store delays the
   * deletion until then, the method returns early and a later failure only leaves a stray file.
   */
  remove(key: string): Promise<void>;
  /** Lists all files; `modifiedAt` is the time when the file was stored under its key. */
  list(): AsyncIterable<{ key: string; modifiedAt: Date }>;
  /**
   * Removes what interrupted uploads of any process have left.
   * @param minAgeMs younger uploads stay, because another process may still be working on them
   * @returns number of removed uploads
   */
  clearUnfinished(minAgeMs: number): Promise<number>;
  /** Present when browsers can download from the store directly. Returns a URL that is valid for a limited time. */
  readonly linkTo?: (key: string, headers: LinkHeaders) => Promise<string>;
}

const KEY = /^[\w-]+(?:\.[\w-]+)+$/;

export function isKey(key: string): boolean {
  return KEY.test(key);
}

/** @throws RangeError when the key is malformed and could name a path outside the store's folder */
export function assertKey(key: string): void {
  if (!isKey(key)) throw new RangeError(`"${key}" is not a file key`);
}
