/** The routes of batches: many conversions in one call. */
import type { Middleware } from "koa";
import { CreateBatch, type BatchAnswer } from "../../../common/api.ts";
import { TIERS } from "../../../common/tiers.ts";
import { cancelBatch, createBatch, getFinishedBatch, retryBatch } from "../../domain/jobs/batches.ts";
import type { Domain } from "../../domain/domain.ts";
import { hasFile, presentJob } from "../../domain/jobs/present.ts";
import type { FileStore } from "../../storage/file-store.ts";
import { fileNameOf } from "../files/finished-file.ts";
import { CallRouter } from "../middleware/call-router.ts";
import { requestKeyOf } from "../middleware/request-key.ts";
import type { ViewerState } from "../middleware/identify.ts";
import type { Limit } from "../middleware/limit.ts";
import { sendZip } from "../files/send-zip.ts";
import { BATCH_CALLS } from "./batch-calls.ts";

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
): CallRouter {
  const router = new CallRouter();

  router.on(BATCH_CALLS.create, [limit("create", batchCost)], async (ctx) => {
    const { batchId, jobs, refused } = await createBatch(domain, ctx.state.viewer, ctx.state.input, requestKeyOf(ctx));
    ctx.status = 201;
    ctx.body = { batchId, jobs: jobs.map((job) => presentJob(job)), refused } satisfies BatchAnswer;
  });

  router.on(BATCH_CALLS.cancel, async (ctx) => {
    const jobs = await cancelBatch(domain, ctx.state.viewer, ctx.params["id"] ?? "");
    ctx.body = { jobs: jobs.map((job) => presentJob(job)) };
  });

  // The number of jobs to retry is not known yet, so the call costs as much as the largest batch.
  router.on(BATCH_CALLS.retry, [limit("create", () => TIERS.pro.batchSize)], async (ctx) => {
    const jobs = await retryBatch(domain, ctx.state.viewer, ctx.params["id"] ?? "");
    ctx.body = { jobs: jobs.map((job) => presentJob(job)) };
  });

  router.on(BATCH_CALLS.zip, [downloads], async (ctx) => {
    const jobs = await getFinishedBatch(domain, ctx.state.viewer, ctx.params["id"] ?? "");
    const entries = jobs.map((job) => ({
      // Another job may still keep the file.
      key: hasFile(job, Date.now()) ? job.fileKey : undefined,
      name: fileNameOf(job),
    }));
    await sendZip(ctx, store, entries, `Tapedeck ${entries.length} files.zip`);
  });

  return router;
}
