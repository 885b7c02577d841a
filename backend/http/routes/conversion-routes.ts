/** The routes of conversions. */
import type { Middleware } from "koa";
import Router from "koa-router";
import { CreateConversion } from "../../../common/api.ts";
import type { Domain } from "../../domain/domain.ts";
import { presentJob } from "../../domain/jobs/present.ts";
import {
  cancelOrRemove,
  createConversion,
  getFinishedJob,
  getJob,
  listJobs,
  retryJob,
} from "../../domain/jobs/requests.ts";
import type { FileStore } from "../../storage/file-store.ts";
import { UserError } from "../../../common/errors.ts";
import { contentTypeOf, fileNameOf } from "../files/finished-file.ts";
import { json } from "../middleware/guards.ts";
import { requestKeyOf } from "../middleware/request-key.ts";
import type { ViewerState } from "../middleware/identify.ts";
import type { Limit } from "../middleware/limit.ts";
import { sendFile } from "../files/send-file.ts";

export function conversionRoutes(
  domain: Domain,
  store: FileStore,
  limit: Limit,
  downloads: Middleware<ViewerState>,
): Router<ViewerState> {
  const router = new Router<ViewerState>({ prefix: "/api/conversions" });

  router.post("/", limit("create"));
  router.post("/", json(CreateConversion), async (ctx) => {
    const job = await createConversion(domain, ctx.state.viewer, ctx.state.input, requestKeyOf(ctx));
    ctx.status = 201;
    ctx.body = presentJob(job);
  });

  router.get("/", async (ctx) => {
    // Set before the list is read: a job that is older than this and not in the list was removed.
    ctx.set("X-As-Of", new Date().toISOString());
    ctx.body = (await listJobs(domain, ctx.state.viewer)).map((job) => presentJob(job));
  });

  router.get("/:id", async (ctx) => {
    ctx.body = presentJob(await getJob(domain, ctx.state.viewer, ctx.params["id"] ?? ""));
  });

  router.delete("/:id", async (ctx) => {
    // `?while=active` cancels only: without it, a job that has just ended would be removed.
    const mustBeActive = ctx.query["while"] === "active";
    const canceled = await cancelOrRemove(domain, ctx.state.viewer, ctx.params["id"] ?? "", mustBeActive);
    if (canceled) ctx.body = presentJob(canceled);
    else ctx.status = 204;
  });

  // A retry costs as much as a new conversion.
  router.post("/:id/retry", limit("create"));
  router.post("/:id/retry", async (ctx) => {
    ctx.body = presentJob(await retryJob(domain, ctx.state.viewer, ctx.params["id"] ?? ""));
  });

  router.get("/:id/file", downloads);
  router.get("/:id/file", async (ctx) => {
    const job = await getFinishedJob(domain, ctx.state.viewer, ctx.params["id"] ?? "");
    await sendFile(ctx, store, {
      key: job.fileKey,
      contentType: contentTypeOf(job),
      downloadName: fileNameOf(job),
    });
  });

  router.get("/:id/thumbnail", async (ctx) => {
    const { thumbnailKey } = await getJob(domain, ctx.state.viewer, ctx.params["id"] ?? "");
    if (thumbnailKey === undefined) throw new UserError("not_found", "There is no picture of this video.");
    await sendFile(ctx, store, { key: thumbnailKey, contentType: "image/jpeg" });
  });

  return router;
}
