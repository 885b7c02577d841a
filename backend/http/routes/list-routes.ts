/** The route of lists: the entries of a playlist or channel before some of them are converted. */
import Router from "koa-router";
import { ListRequest } from "../../../common/lists.ts";
import type { Domain } from "../../domain/domain.ts";
import { readListPage, type Lists } from "../../domain/jobs/lists.ts";
import { answerUnlessClosed } from "../middleware/abort-on-close.ts";
import { json } from "../middleware/guards.ts";
import type { ViewerState } from "../middleware/identify.ts";
import type { Limit } from "../middleware/limit.ts";

export function listRoutes(domain: Domain, lists: Lists, limit: Limit): Router<ViewerState> {
  const router = new Router<ViewerState>({ prefix: "/api/lists" });

  router.post("/", limit("preview"));
  router.post("/", json(ListRequest), async (ctx) => {
    const { viewer, input } = ctx.state;
    await answerUnlessClosed(ctx, async (closed) => {
      ctx.body = await readListPage(domain, lists, viewer, input, closed);
    });
  });

  return router;
}
