/** A stored file as an answer: whole, a range of it, or word that the browser already has it. */
import { create as contentDisposition } from "content-disposition";
import type { Readable } from "node:stream";
import type { Context } from "koa";
import parseRange from "range-parser";
import { UserError } from "../../../common/errors.ts";
import { NoSuchFileError, type ByteRange, type FileStore } from "../../storage/file-store.ts";

export interface FileAnswer {
  readonly key: string;
  readonly contentType: string;
  /** A name means: to be saved under it. */
  readonly downloadName?: string;
}

const GONE = "This file is no longer here. Convert the link again to get a new one.";

/**
 * Answers 200, 206, 304 or 416 (RFC 9110, sections 13 and 14). A stored file never changes under
 * its key, so the key is the entity tag. A file to be saved is answered with 302 where the store
 * gives it to browsers itself.
 * @throws UserError not_found when the file is not there
 */
export async function sendFile(ctx: Context, store: FileStore, answer: FileAnswer): Promise<void> {
  const file = await store.stat(answer.key);
  if (!file) throw new UserError("not_found", GONE);
  ctx.status = 200;
  ctx.type = answer.contentType;
  ctx.set({
    ETag: `"${answer.key}"`,
    "Last-Modified": file.modifiedAt.toUTCString(),
    "Accept-Ranges": "bytes",
    "Cache-Control": "private, no-cache",
  });
  if (answer.downloadName !== undefined) ctx.set("Content-Disposition", contentDisposition(answer.downloadName));
  if (ctx.fresh) {
    ctx.status = 304;
    return;
  }
  // HEAD would be refused there: the link is signed for GET.
  if (store.linkTo && answer.downloadName !== undefined && ctx.method === "GET") {
    const disposition = contentDisposition(answer.downloadName);
    // The link is a key to the file for whoever has it, so nobody keeps it.
    ctx.set("Cache-Control", "private, no-store");
    for (const name of ["ETag", "Last-Modified", "Accept-Ranges", "Content-Disposition"]) ctx.remove(name);
    ctx.redirect(await store.linkTo(answer.key, { contentType: answer.contentType, disposition }));
    return;
  }
  // Ranges are GET's alone (RFC 9110, section 14.2).
  const range = ctx.method === "GET" && isRangeCurrent(ctx) ? requestedRange(ctx, file.sizeBytes) : null;
  if (range === "unsatisfiable") {
    ctx.status = 416;
    ctx.remove("Content-Disposition");
    ctx.set("Content-Range", `bytes */${file.sizeBytes}`);
    ctx.body = "";
    return;
  }
  if (range) {
    ctx.status = 206;
    ctx.set("Content-Range", `bytes ${range.start}-${range.end}/${file.sizeBytes}`);
    ctx.length = range.end - range.start + 1;
  } else ctx.length = file.sizeBytes;
  // Koa destroys the stream when the browser goes away.
  if (ctx.method !== "HEAD") ctx.body = await open(store, answer.key, range ?? undefined);
}

/** A file can go between being looked at and being opened. */
async function open(store: FileStore, key: string, range: ByteRange | undefined): Promise<Readable> {
  try {
    return await store.read(key, range);
  } catch (error) {
    throw error instanceof NoSuchFileError ? new UserError("not_found", GONE) : error;
  }
}

/** A range goes with a version: with another one the whole file is sent. */
function isRangeCurrent(ctx: Context): boolean {
  const ifRange = ctx.get("If-Range");
  return ifRange === "" || ifRange === ctx.response.get("ETag") || ifRange === ctx.response.get("Last-Modified");
}

/** Null: the whole. Several ranges at once are answered with the whole, which RFC 9110 allows. */
function requestedRange(ctx: Context, sizeBytes: number): ByteRange | "unsatisfiable" | null {
  const header = ctx.get("Range");
  if (header === "") return null;
  // More last bytes than there are means all of them (section 14.1.2); the parser finds that unsatisfiable.
  const clamped = header.replace(
    /^bytes=-(\d+)$/,
    (_, length: string) => `bytes=-${Math.min(Number(length), sizeBytes)}`,
  );
  const ranges = parseRange(sizeBytes, clamped);
  if (ranges === -1) return "unsatisfiable";
  if (ranges === -2 || ranges.type !== "bytes" || ranges.length !== 1) return null;
  return ranges[0] ?? null;
}
