/** The route of previews: title, picture and sizes of a video before its conversion. */
import type { ServerResponse } from "node:http";
import Router from "koa-router";
import { PreviewRequest } from "../../../common/api.ts";
import type { Domain } from "../../domain/domain.ts";
import { previewLink, type Previews } from "../../domain/jobs/previews.ts";
import { json } from "../middleware/guards.ts";
import type { ViewerState } from "../middleware/identify.ts";
import type { Limit } from "../middleware/limit.ts";

/** The status for a caller that closed the connection, as nginx logs it. It is never received. */
const CLIENT_CLOSED_REQUEST = 499;

export function previewRoutes(domain: Domain, previews: Previews, limit: Limit): Router<ViewerState> {
  const router = new Router<ViewerState>({ prefix: "/api/preview" });

  router.post("/", limit("preview"));
  router.post("/", json(PreviewRequest), async (ctx) => {
    const closed = abortOnClose(ctx.res);
    try {
      const { youtubeUrl, thumbnail } = ctx.state.input;
      const preview = await previewLink(domain, previews, ctx.state.viewer, youtubeUrl, closed);
      ctx.body = thumbnail ? preview : { ...preview, thumbnail: null };
    } catch (error) {
      if (!closed.aborted) throw error;
      ctx.status = CLIENT_CLOSED_REQUEST;
    }
  });

  return router;
}

/** @returns a signal that fires when the caller closes the connection before the answer is sent */
function abortOnClose(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.once("close", () => {
    if (!response.writableFinished) controller.abort(new Error("the caller closed the connection"));
  });
  return controller.signal;
}
