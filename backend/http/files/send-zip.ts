/** Stored files as one archive, made while it is sent: nothing is written and little is held. */
import { create as contentDisposition } from "content-disposition";
import type { Context } from "koa";
import { PassThrough, type Readable } from "node:stream";
import { ZipFile } from "yazl";
import type { FileStore } from "../../storage/file-store.ts";
import { uniqueNames } from "./zip-names.ts";

export interface ZipEntry {
  readonly key: string;
  /** As the file is called when it is downloaded by itself. */
  readonly name: string;
}

const NOTICE_NAME = "Missing files.txt";

/**
 * Answers with the files that are there; a text beside them names those that are not. Files are
 * opened one after the other, each when the browser has taken the one before.
 */
export async function sendZip(
  ctx: Context,
  store: FileStore,
  entries: readonly ZipEntry[],
  archiveName: string,
): Promise<void> {
  const stats = await Promise.all(entries.map(({ key }) => store.stat(key)));
  const present = entries.flatMap((entry, index) => {
    const stat = stats[index];
    return stat ? [{ ...entry, ...stat }] : [];
  });
  const missing = entries.filter((_, index) => !stats[index]);
  ctx.status = 200;
  ctx.type = "application/zip";
  ctx.set({ "Content-Disposition": contentDisposition(archiveName), "Cache-Control": "private, no-store" });

  const zip = new ZipFile();
  const body = new PassThrough();
  let reading: Readable | undefined;
  // yazl pipes, and pipes pass on neither an end that comes early nor a fault.
  body.once("close", () => reading?.destroy());
  zip.once("error", (error: Error) => body.destroy(error));
  const names = uniqueNames([...(missing.length > 0 ? [NOTICE_NAME] : []), ...present.map(({ name }) => name)]);
  if (missing.length > 0) zip.addBuffer(Buffer.from(notice(missing)), NOTICE_NAME, { compress: false });
  const fileNames = missing.length > 0 ? names.slice(1) : names;
  for (const [index, file] of present.entries()) {
    // Sound and pictures are compressed already.
    const options = { size: file.sizeBytes, compress: false, mtime: file.modifiedAt };
    zip.addReadStreamLazy(fileNames[index] ?? file.name, options, (use) => {
      store.read(file.key).then(
        (stream) => {
          if (body.destroyed) {
            stream.destroy();
            return;
          }
          reading = stream;
          stream.once("error", (error) => body.destroy(error));
          use(null, stream);
        },
        (error: unknown) => body.destroy(error instanceof Error ? error : new Error(String(error))),
      );
    });
  }
  const totalBytes = await sizeOnceEnded(zip);
  if (ctx.method === "HEAD") body.destroy();
  else {
    zip.outputStream.pipe(body);
    // Koa destroys the stream when the browser goes away.
    ctx.body = body;
  }
  ctx.length = totalBytes;
}

/**
 * Nothing is compressed, so the size of the whole is known before it is made: browsers show how far
 * a download is, and notice one that ends early.
 */
function sizeOnceEnded(zip: ZipFile): Promise<number> {
  return new Promise((resolve, reject) => {
    zip.once("error", reject);
    // The published types leave out what the callback is called with.
    const end = zip.end.bind(zip) as (options: undefined, done: (sizeBytes: number) => void) => void;
    end(undefined, resolve);
  });
}

function notice(missing: readonly ZipEntry[]): string {
  return [
    "These files are no longer here. Convert their links again to get new ones.",
    "",
    ...missing.map(({ name }) => name),
    "",
  ].join("\r\n");
}
