/** Where finished files live. Keys are ours (never a title) and of the form `<id>.<attempt>.<extension>`. */
import type { Readable } from "node:stream";

export interface StoredFile {
  readonly sizeBytes: number;
  readonly modifiedAt: Date;
}

/** Both ends count, as in an HTTP range. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

export interface FileStore {
  /**
   * Takes the file at a local path over: afterwards it is stored whole under the key, and the path is gone.
   * @throws ConversionError storage when there is no room or the place cannot be written
   */
  put(key: string, localPath: string): Promise<void>;
  /**
   * Gives a stored file a second name without copying its bytes where that can be done; each name
   * is removed on its own. False: there is no such file any more.
   */
  share(key: string, asKey: string): Promise<boolean>;
  /** Null: there is no such file. */
  stat(key: string): Promise<StoredFile | null>;
  /** The bytes, whole or a range of them. The caller destroys the stream when it stops early. */
  read(key: string, range?: ByteRange): Promise<Readable>;
  /** A file that is not there is no error. */
  remove(key: string): Promise<void>;
  /** Everything stored, with when it came under its key. */
  list(): AsyncIterable<{ key: string; modifiedAt: Date }>;
}

const KEY = /^[\w-]+(?:\.[\w-]+)+$/;

/** @throws RangeError for a key that could leave its folder */
export function assertKey(key: string): void {
  if (!KEY.test(key)) throw new RangeError(`"${key}" is not a file key`);
}
