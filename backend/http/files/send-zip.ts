/** Sends stored files as one archive, which is created while it is sent: nothing is written to the disk. */
import { create as contentDisposition } from "content-disposition";
import type { Context } from "koa";
import { PassThrough, type Readable } from "node:stream";
import { ZipFile } from "yazl";
import type { FileStore, StoredFile } from "../../storage/file-store.ts";
import { uniqueNames } from "./zip-names.ts";

export interface ZipEntry {
  /** Absent when the file may not be had any more. */
  readonly key?: string | undefined;
  /** The name under which the file is downloaded alone. */
  readonly name: string;
}

/** The part of a store that archives need. */
type ReadableStore = Pick<FileStore, "stat" | "read">;

const NOTICE_NAME = "Missing files.txt";

/**
 * Answers with an archive of the files that exist, and a text that lists the missing ones. Each file is opened when the
 * browser has received the one before.
 */
export async function sendZip(
  ctx: Context,
  store: ReadableStore,
  entries: readonly ZipEntry[],
  archiveName: string,
): Promise<void> {
  const stats = await Promise.all(entries.map(async ({ key }) => (key === undefined ? null : store.stat(key))));
  const existing = entries.flatMap((entry, index) => {
    const stat = stats[index];
    return stat && entry.key !== undefined ? [{ ...entry, key: entry.key, ...stat }] : [];
  });
  const missing = entries.filter((_, index) => !stats[index]);
  ctx.status = 200;
  ctx.type = "application/zip";
  ctx.set({ "Content-Disposition": contentDisposition(archiveName), "Cache-Control": "private, no-store" });

  const archive = new Archive(store);
  archive.addAll(existing, missing);
  const totalBytes = await archive.end();
  if (ctx.method === "HEAD") archive.body.destroy();
  // Koa destroys the stream when the browser closes the connection.
  else ctx.body = archive.startSending();
  ctx.length = totalBytes;
}

type ExistingFile = ZipEntry & StoredFile & { readonly key: string };

class Archive {
  readonly body = new PassThrough();
  readonly #store: ReadableStore;
  readonly #zip = new ZipFile();
  /** The file that is being sent. */
  #reading: Readable | undefined;

  constructor(store: ReadableStore) {
    this.#store = store;
    // yazl uses pipes, and a pipe reports neither a closed destination nor an error.
    this.body.once("close", () => this.#reading?.destroy());
    this.#zip.once("error", (error: Error) => this.body.destroy(error));
  }

  addAll(existing: readonly ExistingFile[], missing: readonly ZipEntry[]): void {
    const hasNotice = missing.length > 0;
    if (hasNotice) this.#zip.addBuffer(Buffer.from(notice(missing)), NOTICE_NAME, { compress: false });
    const names = uniqueNames([...(hasNotice ? [NOTICE_NAME] : []), ...existing.map(({ name }) => name)]);
    const fileNames = hasNotice ? names.slice(1) : names;
    for (const [index, file] of existing.entries()) this.#add(file, fileNames[index] ?? file.name);
  }

  /**
   * Ends the list of files. Nothing is compressed, so the size is known before any file is read: browsers show the
   * progress of the download and notice if it ends early.
   * @returns the size of the whole archive in bytes
   */
  end(): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#zip.once("error", reject);
      // The published types leave out the argument of the callback.
      const end = this.#zip.end.bind(this.#zip) as (options: undefined, done: (sizeBytes: number) => void) => void;
      end(undefined, resolve);
    });
  }

  /** @returns the bytes of the archive */
  startSending(): Readable {
    this.#zip.outputStream.pipe(this.body);
    return this.body;
  }

  #add(file: ExistingFile, name: string): void {
    // Sound and pictures are compressed already.
    const options = { size: file.sizeBytes, compress: false, mtime: file.modifiedAt };
    this.#zip.addReadStreamLazy(name, options, (use) => {
      this.#open(file.key).then(
        (stream) => stream && use(null, stream),
        (error: unknown) => this.body.destroy(error instanceof Error ? error : new Error(String(error))),
      );
    });
  }

  /** @returns null if the browser has closed the connection meanwhile */
  async #open(key: string): Promise<Readable | null> {
    const stream = await this.#store.read(key);
    if (this.body.destroyed) {
      stream.destroy();
      return null;
    }
    this.#reading = stream;
    stream.once("error", (error) => this.body.destroy(error));
    return stream;
  }
}

function notice(missing: readonly ZipEntry[]): string {
  return [
    "These files are no longer here. Convert their links again to get new ones.",
    "",
    ...missing.map(({ name }) => name),
    "",
  ].join("\r\n");
}
