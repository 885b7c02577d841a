/** The route of selections: many links of a list in one call. */
import Router from "koa-router";
import { CreateSelection, type SelectionAnswer } from "../../../common/lists.ts";
import { TIERS } from "../../../common/tiers.ts";
import type { Domain } from "../../domain/domain.ts";
import { presentJob } from "../../domain/jobs/present.ts";
import { createSelection } from "../../domain/jobs/selections.ts";
import { json } from "../middleware/guards.ts";
import type { ViewerState } from "../middleware/identify.ts";
import type { Limit } from "../middleware/limit.ts";
import type { LongerBodies } from "../middleware/read-json.ts";
import { requestKeyOf } from "../middleware/request-key.ts";

const PATH = "/api/selections";

/** 5,000 links of 200 characters each. Those of the main site have 43. */
export const SELECTION_BODIES: LongerBodies = { [PATH]: 1024 * 1024 };

/** @returns the cost of a selection for the rate limit: its lines, at most a batch, because the others wait */
function selectionCost(body: unknown): number {
  const { data } = CreateSelection.safeParse(body);
  return Math.min(Math.max(1, data?.urls.length ?? 0), TIERS.pro.batchSize);
}

export function selectionRoutes(domain: Domain, limit: Limit): Router<ViewerState> {
  const router = new Router<ViewerState>({ prefix: PATH });

  router.post("/", limit("create", selectionCost));
  router.post("/", json(CreateSelection), async (ctx) => {
    const { viewer, input } = ctx.state;
    const { batchId, total, jobs, refused } = await createSelection(domain, viewer, input, requestKeyOf(ctx));
    ctx.status = 201;
    ctx.body = { batchId, total, jobs: jobs.map((job) => presentJob(job)), refused } satisfies SelectionAnswer;
  });

  return router;
}
