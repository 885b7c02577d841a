/** Answers with a stored file: whole, a range of it, a 304, or a redirect to the storage. */
import { create as contentDisposition } from "content-disposition";
import type { Readable } from "node:stream";
import type { Context } from "koa";
import parseRange from "range-parser";
import { UserError } from "../../../common/errors.ts";
import { namesEarlyForm, type EarlyForm } from "../../storage/early-files.ts";
import { NoSuchFileError, type ByteRange, type FileStore } from "../../storage/file-store.ts";

export interface FileAnswer {
  readonly key: string;
  readonly contentType: string;
  /** If set, the browser saves the file under this name. */
  readonly downloadName?: string;
  /** The form in which it could be read while it was made. */
  readonly earlyForm?: EarlyForm | undefined;
  /** Its address may be revoked, and one of the store lasts for an hour. */
  readonly isRevocable?: true;
}

/**
 * Answers 200, 206, 304, 412 or 416 (RFC 9110, sections 13 and 14), or 302 for a download that the store serves itself.
 * The file of a key never changes, so the key is the entity tag. A download that began while the file was made goes on
 * in the form that it had then.
 * @throws UserError not_found if the file does not exist
 */
export async function sendFile(ctx: Context, store: FileStore, answer: FileAnswer): Promise<void> {
  const file = await store.stat(answer.key);
  if (!file) throw UserError.because("not_found", "file_gone");
  ctx.status = 200;
  ctx.type = answer.contentType;
  ctx.set({
    ETag: `"${answer.key}"`,
    "Last-Modified": file.modifiedAt.toUTCString(),
    "Accept-Ranges": "bytes",
    "Cache-Control": "private, no-cache",
  });
  if (answer.downloadName !== undefined) ctx.set("Content-Disposition", contentDisposition(answer.downloadName));
  const { earlyForm } = answer;
  const isResumed = resumesEarlyForm(ctx, earlyForm, file.sizeBytes);
  if (isResumed) {
    ctx.set("ETag", tagOf(earlyForm));
    ctx.remove("Last-Modified");
  }
  if (ctx.fresh) {
    ctx.status = 304;
    return;
  }
  if (!isResumed && (await redirectToStore(ctx, store, answer))) return;
  await sendBytes(ctx, store, answer.key, file.sizeBytes);
}

export function tagOf({ name }: EarlyForm): string {
  return `"${name}"`;
}

/** Whether the browser has the beginning of that form and wants the rest, which is the same in the complete file. */
function resumesEarlyForm(ctx: Context, form: EarlyForm | undefined, sizeBytes: number): form is EarlyForm {
  // Firefox names what it has in If-Match only.
  const known = ctx.get("If-Range") || ctx.get("If-Match");
  if (!form || ctx.method !== "GET" || known !== tagOf(form)) return false;
  const range = requestedRange(ctx, sizeBytes);
  return range !== null && range !== "unsatisfiable" && range.start >= form.sameFrom;
}

/** @returns whether the browser gets the file from the store */
async function redirectToStore(
  ctx: Context,
  store: FileStore,
  { key, contentType, downloadName, isRevocable }: FileAnswer,
): Promise<boolean> {
  // The link is signed for GET, so the store would refuse HEAD.
  if (!store.linkTo || isRevocable || downloadName === undefined || ctx.method !== "GET") return false;
  // Our pages may play files of this site only.
  if (["audio", "video"].includes(ctx.get("Sec-Fetch-Dest"))) return false;
  // A browser that has a part of an early form must not get a part of the kept file, and not every store obeys these
  // conditions.
  if (["If-Range", "If-Match"].some((name) => namesEarlyForm(ctx.get(name)))) return false;
  // Everyone with the link can read the file, so it must not be cached.
  ctx.set("Cache-Control", "private, no-store");
  for (const name of ["ETag", "Last-Modified", "Accept-Ranges", "Content-Disposition"]) ctx.remove(name);
  ctx.redirect(await store.linkTo(key, { contentType, disposition: contentDisposition(downloadName) }));
  return true;
}

async function sendBytes(ctx: Context, store: FileStore, key: string, sizeBytes: number): Promise<void> {
  if (!isVersionWanted(ctx, ctx.response.get("ETag"))) return refuseVersion(ctx);
  // Only GET has ranges (RFC 9110, section 14.2).
  const range = ctx.method === "GET" && isRangeCurrent(ctx) ? requestedRange(ctx, sizeBytes) : null;
  if (range === "unsatisfiable") return refuseRange(ctx, sizeBytes);
  if (range) {
    ctx.status = 206;
    ctx.set("Content-Range", `bytes ${range.start}-${range.end}/${sizeBytes}`);
    ctx.length = range.end - range.start + 1;
  } else ctx.length = sizeBytes;
  // Koa destroys the stream when the browser closes the connection.
  if (ctx.method !== "HEAD") ctx.body = await open(store, key, range ?? undefined);
}

/** Answers that the file ends before the range begins. */
export function refuseRange(ctx: Context, sizeBytes: number): void {
  refuse(ctx, 416);
  ctx.set("Content-Range", `bytes */${sizeBytes}`);
}

/** Answers that there is another version now than the only one that the browser wants. */
export function refuseVersion(ctx: Context): void {
  refuse(ctx, 412);
}

function refuse(ctx: Context, status: number): void {
  ctx.status = status;
  ctx.remove("Content-Disposition");
  ctx.body = "";
}

/** The file may have been deleted since it was checked. */
async function open(store: FileStore, key: string, range: ByteRange | undefined): Promise<Readable> {
  try {
    return await store.read(key, range);
  } catch (error) {
    throw error instanceof NoSuchFileError ? UserError.because("not_found", "file_gone") : error;
  }
}

/** Whether the browser wants the version with this entity tag, or any (RFC 9110, section 13.1.1). */
export function isVersionWanted(ctx: Context, tag: string): boolean {
  const ifMatch = ctx.get("If-Match");
  return ifMatch === "" || ifMatch.split(",").some((wanted) => ["*", tag].includes(wanted.trim()));
}

/** Whether the browser has a part of this version. Otherwise it gets the whole file. */
function isRangeCurrent(ctx: Context): boolean {
  const ifRange = ctx.get("If-Range");
  return ifRange === "" || ifRange === ctx.response.get("ETag") || ifRange === ctx.response.get("Last-Modified");
}

/** @returns null for the whole file; also for several ranges, which RFC 9110 allows */
export function requestedRange(ctx: Context, sizeBytes: number): ByteRange | "unsatisfiable" | null {
  const header = ctx.get("Range");
  if (header === "") return null;
  // A suffix longer than the file means the whole file (section 14.1.2); the parser treats it as unsatisfiable.
  const clamped = header.replace(
    /^bytes=-(\d+)$/,
    (_, length: string) => `bytes=-${Math.min(Number(length), sizeBytes)}`,
  );
  const ranges = parseRange(sizeBytes, clamped);
  if (ranges === -1) return "unsatisfiable";
  if (ranges === -2 || ranges.type !== "bytes" || ranges.length !== 1) return null;
  return ranges[0] ?? null;
}
