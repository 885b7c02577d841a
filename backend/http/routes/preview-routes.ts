/** Looking at a link before converting it. */
import type { ServerResponse } from "node:http";
import Router from "koa-router";
import { PreviewRequest } from "../../../common/api.ts";
import type { Domain } from "../../domain/domain.ts";
import { previewLink, type Previews } from "../../domain/jobs/previews.ts";
import { json } from "../middleware/guards.ts";
import type { ViewerState } from "../middleware/identify.ts";
import type { Limit } from "../middleware/limit.ts";

/** Nobody reads it; the log's word for a caller who has left. */
const CLIENT_CLOSED_REQUEST = 499;

export function previewRoutes(domain: Domain, previews: Previews, limit: Limit): Router<ViewerState> {
  const router = new Router<ViewerState>({ prefix: "/api/preview" });

  router.post("/", limit("preview"));
  router.post("/", json(PreviewRequest), async (ctx) => {
    const left = leaving(ctx.res);
    try {
      const { youtubeUrl, thumbnail } = ctx.state.input;
      const preview = await previewLink(domain, previews, ctx.state.viewer, youtubeUrl, left);
      ctx.body = thumbnail ? preview : { ...preview, thumbnail: null };
    } catch (error) {
      if (!left.aborted) throw error;
      ctx.status = CLIENT_CLOSED_REQUEST;
    }
  });

  return router;
}

/** Fires when the caller goes away before the answer. */
function leaving(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.once("close", () => {
    if (!response.writableFinished) controller.abort(new Error("the caller has left"));
  });
  return controller.signal;
}
