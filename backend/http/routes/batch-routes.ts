/** The calls about many conversions at once. */
import Router from "koa-router";
import { CreateBatch, type BatchAnswer } from "../../../common/api.ts";
import { TIERS } from "../../../common/tiers.ts";
import { cancelBatch, createBatch, getFinishedBatch, retryBatch } from "../../domain/jobs/batches.ts";
import type { Domain } from "../../domain/domain.ts";
import { presentJob } from "../../domain/jobs/present.ts";
import type { FileStore } from "../../storage/file-store.ts";
import { downloadName } from "../files/download-name.ts";
import { json } from "../middleware/guards.ts";
import { requestKeyOf } from "../middleware/request-key.ts";
import type { ViewerState } from "../middleware/identify.ts";
import type { Limit } from "../middleware/limit.ts";
import { sendZip } from "../files/send-zip.ts";

/**
 * Every line counts, taken or not; what is no batch counts as one call. More lines than a batch takes count as one too
 * many: they start nothing, and are to be told so rather than to try again.
 */
function linesOf(body: unknown): number {
  const { data } = CreateBatch.safeParse(body);
  const lines = data?.urls.filter((url) => url.trim() !== "").length ?? 0;
  return Math.min(Math.max(1, lines), TIERS.pro.batchSize + 1);
}

export function batchRoutes(domain: Domain, store: FileStore, limit: Limit): Router<ViewerState> {
  const router = new Router<ViewerState>({ prefix: "/api/batch-conversions" });

  router.post("/", limit("create", linesOf));
  router.post("/", json(CreateBatch), async (ctx) => {
    const { batchId, jobs, refused } = await createBatch(domain, ctx.state.viewer, ctx.state.input, requestKeyOf(ctx));
    ctx.status = 201;
    ctx.body = { batchId, jobs: jobs.map((job) => presentJob(job)), refused } satisfies BatchAnswer;
  });

  router.delete("/:id", async (ctx) => {
    ctx.body = {
      jobs: (await cancelBatch(domain, ctx.state.viewer, ctx.params["id"] ?? "")).map((job) => presentJob(job)),
    };
  });

  // How many will start over is not known yet, so it counts as a whole batch.
  router.post(
    "/:id/retry",
    limit("create", () => TIERS.pro.batchSize),
  );
  router.post("/:id/retry", async (ctx) => {
    ctx.body = {
      jobs: (await retryBatch(domain, ctx.state.viewer, ctx.params["id"] ?? "")).map((job) => presentJob(job)),
    };
  });

  router.get("/:id/zip", async (ctx) => {
    const jobs = await getFinishedBatch(domain, ctx.state.viewer, ctx.params["id"] ?? "");
    const entries = jobs.map((job) => ({ key: job.fileKey, name: downloadName(job.title, job.format) }));
    await sendZip(ctx, store, entries, `Tapedeck ${entries.length} files.zip`);
  });

  return router;
}
