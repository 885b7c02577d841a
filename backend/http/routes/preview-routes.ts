/** The route of previews: title, picture and sizes of a video before its conversion. */
import Router from "koa-router";
import { PreviewRequest } from "../../../common/api.ts";
import type { Domain } from "../../domain/domain.ts";
import { previewLink, type Previews } from "../../domain/jobs/previews.ts";
import { answerUnlessClosed } from "../middleware/abort-on-close.ts";
import { json } from "../middleware/guards.ts";
import type { ViewerState } from "../middleware/identify.ts";
import type { Limit } from "../middleware/limit.ts";

export function previewRoutes(domain: Domain, previews: Previews, limit: Limit): Router<ViewerState> {
  const router = new Router<ViewerState>({ prefix: "/api/preview" });

  router.post("/", limit("preview"));
  router.post("/", json(PreviewRequest), async (ctx) => {
    const { thumbnail, ...request } = ctx.state.input;
    await answerUnlessClosed(ctx, async (closed) => {
      const preview = await previewLink(domain, previews, ctx.state.viewer, request, closed);
      ctx.body = thumbnail ? preview : { ...preview, thumbnail: null };
    });
  });

  return router;
}
