/** The routes of conversions. */
import type { Context, Middleware } from "koa";
import type { Viewer } from "../../domain/accounts/viewer.ts";
import type { Domain } from "../../domain/domain.ts";
import type { ProcessingJob } from "../../domain/jobs/job-model.ts";
import { presentJob } from "../../domain/jobs/present.ts";
import { createConversion } from "../../domain/jobs/add-jobs.ts";
import { cancelOrRemove } from "../../domain/jobs/end-jobs.ts";
import { getEarlyJob, getFinishedJob, getJob, listJobs } from "../../domain/jobs/read-jobs.ts";
import { retryJob } from "../../domain/jobs/retry-jobs.ts";
import type { EarlyFile, EarlyFiles } from "../../storage/early-files.ts";
import type { FileStore } from "../../storage/file-store.ts";
import { UserError } from "../../../common/errors.ts";
import { contentTypeOf } from "../../../common/file-types.ts";
import { fileNameOf } from "../files/finished-file.ts";
import { CallRouter } from "../middleware/call-router.ts";
import { requestKeyOf } from "../middleware/request-key.ts";
import type { ViewerState } from "../middleware/identify.ts";
import type { Limit } from "../middleware/limit.ts";
import { sendEarlyFile } from "../files/send-early-file.ts";
import { sendFile } from "../files/send-file.ts";
import { CONVERSION_CALLS } from "./conversion-calls.ts";

export interface EarlyDownloads {
  /** Absent where another process makes the files. */
  readonly files: EarlyFiles | undefined;
  /** How long a request for a range waits until the file is complete. */
  readonly waitMs: number;
}

export interface Downloads {
  readonly store: FileStore;
  readonly early: EarlyDownloads;
  readonly limit: Middleware<ViewerState>;
}

export function conversionRoutes(domain: Domain, limit: Limit, downloads: Downloads): CallRouter {
  const { store, early } = downloads;
  const router = new CallRouter();

  router.on(CONVERSION_CALLS.create, [limit("create")], async (ctx) => {
    const job = await createConversion(domain, ctx.state.viewer, ctx.state.input, requestKeyOf(ctx));
    ctx.status = 201;
    ctx.body = presentJob(job);
  });

  router.on(CONVERSION_CALLS.list, async (ctx) => {
    // Set before the list is read: a job that is older than this and not in the list was removed.
    ctx.set("X-As-Of", new Date().toISOString());
    ctx.body = (await listJobs(domain, ctx.state.viewer)).map((job) => presentJob(job));
  });

  router.on(CONVERSION_CALLS.read, async (ctx) => {
    ctx.body = presentJob(await getJob(domain, ctx.state.viewer, ctx.params["id"] ?? ""));
  });

  router.on(CONVERSION_CALLS.remove, async (ctx) => {
    // `?while=active` cancels only: without it, a job that has just ended would be removed.
    const mustBeActive = ctx.query["while"] === "active";
    const canceled = await cancelOrRemove(domain, ctx.state.viewer, ctx.params["id"] ?? "", mustBeActive);
    if (canceled) ctx.body = presentJob(canceled);
    else ctx.status = 204;
  });

  // A retry costs as much as a new conversion.
  router.on(CONVERSION_CALLS.retry, [limit("create")], async (ctx) => {
    ctx.body = presentJob(await retryJob(domain, ctx.state.viewer, ctx.params["id"] ?? ""));
  });

  router.on(CONVERSION_CALLS.file, [downloads.limit], async (ctx) => {
    const id = ctx.params["id"] ?? "";
    if (await sendWhileMade(ctx, () => findEarlyFile(domain, ctx.state.viewer, id, early), early.waitMs)) return;
    const job = await getFinishedJob(domain, ctx.state.viewer, id);
    await sendFile(ctx, store, {
      key: job.fileKey,
      contentType: contentTypeOf(job),
      downloadName: fileNameOf(job),
      earlyForm: early.files?.formOf(job.fileKey),
    });
  });

  router.on(CONVERSION_CALLS.thumbnail, async (ctx) => {
    const { thumbnailKey } = await getJob(domain, ctx.state.viewer, ctx.params["id"] ?? "");
    if (thumbnailKey === undefined) throw new UserError("not_found", "There is no picture of this video.");
    await sendFile(ctx, store, { key: thumbnailKey, contentType: "image/jpeg" });
  });

  return router;
}

interface EarlyJob {
  readonly job: ProcessingJob;
  readonly file: EarlyFile;
}

/** @returns null when the job's file is not being made, or cannot be read yet */
async function findEarlyFile(
  domain: Domain,
  viewer: Viewer,
  id: string,
  { files }: EarlyDownloads,
): Promise<EarlyJob | null> {
  if (!files || files.isEmpty) return null;
  const job = await getEarlyJob(domain, viewer, id);
  const file = job && files.find(job.earlyName);
  return file ? { job, file } : null;
}

/** @returns false when there is nothing to send, or it has ended meanwhile */
async function sendWhileMade(ctx: Context, find: () => Promise<EarlyJob | null>, waitMs: number): Promise<boolean> {
  const early = await find();
  if (!early) return false;
  const { job, file } = early;
  const about = { jobId: job._id, contentType: contentTypeOf(job), downloadName: fileNameOf(job) };
  const isStillOffered = async (): Promise<boolean> => (await find())?.file === file;
  return sendEarlyFile(ctx, file, { ...about, waitMs, isStillOffered });
}
