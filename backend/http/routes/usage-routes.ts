/** The route that answers with the usage of the caller in this month. */
import Router from "koa-router";
import type { Domain } from "../../domain/domain.ts";
import { usageOf } from "../../domain/accounts/usage.ts";
import type { ViewerState } from "../middleware/identify.ts";

export function usageRoutes(domain: Domain): Router<ViewerState> {
  const router = new Router<ViewerState>();
  router.get("/api/usage", async (ctx) => {
    ctx.body = await usageOf(domain, ctx.state.viewer);
  });
  return router;
}
