/** The routes of batches: many conversions in one call. */
import type { Middleware } from "koa";
import Router from "koa-router";
import { CreateBatch, type BatchAnswer } from "../../../common/api.ts";
import { TIERS } from "../../../common/tiers.ts";
import { cancelBatch, createBatch, getFinishedBatch, retryBatch } from "../../domain/jobs/batches.ts";
import type { Domain } from "../../domain/domain.ts";
import { presentJob } from "../../domain/jobs/present.ts";
import type { FileStore } from "../../storage/file-store.ts";
import { fileNameOf } from "../files/finished-file.ts";
import { json } from "../middleware/guards.ts";
import { requestKeyOf } from "../middleware/request-key.ts";
import type { ViewerState } from "../middleware/identify.ts";
import type { Limit } from "../middleware/limit.ts";
import { sendZip } from "../files/send-zip.ts";

/**
 * @returns the cost of a batch for the rate limit: its number of lines, valid or not; 1 for an invalid body. A batch
 *   with too many lines starts nothing; its cost is capped, so that the answer names this fault and not the rate limit
 */
function batchCost(body: unknown): number {
  const { data } = CreateBatch.safeParse(body);
  const lines = data?.urls.filter((url) => url.trim() !== "").length ?? 0;
  return Math.min(Math.max(1, lines), TIERS.pro.batchSize + 1);
}

export function batchRoutes(
  domain: Domain,
  store: FileStore,
  limit: Limit,
  downloads: Middleware<ViewerState>,
): Router<ViewerState> {
  const router = new Router<ViewerState>({ prefix: "/api/batch-conversions" });

  router.post("/", limit("create", batchCost));
  router.post("/", json(CreateBatch), async (ctx) => {
    const { batchId, jobs, refused } = await createBatch(domain, ctx.state.viewer, ctx.state.input, requestKeyOf(ctx));
    ctx.status = 201;
    ctx.body = { batchId, jobs: jobs.map((job) => presentJob(job)), refused } satisfies BatchAnswer;
  });

  router.delete("/:id", async (ctx) => {
    const jobs = await cancelBatch(domain, ctx.state.viewer, ctx.params["id"] ?? "");
    ctx.body = { jobs: jobs.map((job) => presentJob(job)) };
  });

  // The number of jobs to retry is not known yet, so the call costs as much as the largest batch.
  router.post(
    "/:id/retry",
    limit("create", () => TIERS.pro.batchSize),
  );
  router.post("/:id/retry", async (ctx) => {
    const jobs = await retryBatch(domain, ctx.state.viewer, ctx.params["id"] ?? "");
    ctx.body = { jobs: jobs.map((job) => presentJob(job)) };
  });

  router.get("/:id/zip", downloads);
  router.get("/:id/zip", async (ctx) => {
    const jobs = await getFinishedBatch(domain, ctx.state.viewer, ctx.params["id"] ?? "");
    const entries = jobs.map((job) => ({ key: job.fileKey, name: fileNameOf(job) }));
    await sendZip(ctx, store, entries, `Tapedeck ${entries.length} files.zip`);
  });

  return router;
}
