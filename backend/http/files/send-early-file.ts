/** Answers with a file that is still being made: what is there, and then what comes. */
import { create as contentDisposition } from "content-disposition";
import type { Context } from "koa";
import type { EarlyFile } from "../../storage/early-files.ts";
import type { ByteRange } from "../../storage/file-store.ts";
import { answerUnlessClosed } from "../middleware/abort-on-close.ts";
import { isVersionWanted, refuseRange, refuseVersion, requestedRange, tagOf } from "./send-file.ts";

export interface EarlyAnswer {
  readonly jobId: string;
  readonly contentType: string;
  readonly downloadName: string;
  /** How long a request waits for the end of the file when it cannot be answered before. */
  readonly waitMs: number;
  /** Asked after such a wait: whether the file is still made for this job, and for this visitor. */
  readonly isStillOffered: () => Promise<boolean>;
}

/** What a request asks for. `later`: only the size of the complete file tells. `another`: only another version. */
type RequestedBytes = "whole" | "later" | "unsatisfiable" | "another" | ByteRange;

/**
 * Answers 200, 206, 304, 412 or 416. The end of the answer comes only when the file is complete and stored. If that
 * fails, the connection is cut, so that the browser does not take a part for the whole. Where the size is not sure
 * before the end, the answer has no length, and a range that is not final waits for the end of the file.
 * @returns false when the file has ended or is not offered any more meanwhile, and nothing was answered
 */
export async function sendEarlyFile(ctx: Context, file: EarlyFile, answer: EarlyAnswer): Promise<boolean> {
  const { sizeBytes } = file.form;
  const requested = requestedBy(ctx, file);
  const showsBroken = sizeBytes !== undefined || hasChunks(ctx);
  if (requested === "later" || !showsBroken) {
    const isGrowing = await waitForEnd(ctx, file, answer.waitMs);
    // Without an answer to the range the browser takes the whole file.
    if (!isGrowing || !showsBroken || !(await answer.isStillOffered())) return false;
  }
  ctx.status = 200;
  ctx.type = answer.contentType;
  ctx.set({
    ETag: tagOf(file.form),
    "Accept-Ranges": "bytes",
    "Cache-Control": "private, no-store",
    "Content-Disposition": contentDisposition(answer.downloadName),
  });
  if (ctx.fresh) {
    ctx.status = 304;
    return true;
  }
  if (requested === "unsatisfiable") refuseRange(ctx, sizeBytes ?? 0);
  else if (requested === "another") refuseVersion(ctx);
  else if (typeof requested === "object") {
    const { start, end } = requested;
    ctx.status = 206;
    ctx.set("Content-Range", `bytes ${start}-${end}/${sizeBytes ?? "*"}`);
    ctx.length = end - start + 1;
    ctx.body = file.read(answer.jobId, start, end + 1);
  } else {
    if (sizeBytes !== undefined) ctx.length = sizeBytes;
    if (ctx.method !== "HEAD") ctx.body = file.read(answer.jobId, 0);
  }
  return true;
}

/** Without chunks, as in HTTP/1.0, an answer that has no length ends like a complete one when it is cut. */
function hasChunks({ req }: Context): boolean {
  return req.httpVersionMajor > 1 || req.httpVersionMinor > 0;
}

function requestedBy(ctx: Context, { form, finalTo }: EarlyFile): RequestedBytes {
  const { sizeBytes } = form;
  if (!isVersionWanted(ctx, tagOf(form))) return "another";
  const ifRange = ctx.get("If-Range");
  if (ctx.method !== "GET" || (ifRange !== "" && ifRange !== tagOf(form))) return "whole";
  if (sizeBytes !== undefined) return requestedRange(ctx, sizeBytes) ?? "whole";
  // Anything else than one range is answered with the whole file, which RFC 9110 allows (section 14.2).
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(ctx.get("Range")) ?? [];
  if (first === undefined || last === undefined || (first === "" && last === "")) return "whole";
  if (first === "") return "later";
  const start = Number(first);
  if (last === "") return start === 0 ? "whole" : "later";
  const end = Number(last);
  if (end < start) return "whole";
  return end < finalTo ? { start, end } : "later";
}

/** @returns whether the file is still being made */
async function waitForEnd(ctx: Context, file: EarlyFile, waitMs: number): Promise<boolean> {
  const time = AbortSignal.timeout(waitMs);
  await answerUnlessClosed(ctx, async (closed) => {
    await file.untilEnd(AbortSignal.any([closed, time]));
    closed.throwIfAborted();
  });
  return file.isGrowing;
}
