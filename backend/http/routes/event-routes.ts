/** The route of server-sent events: every change of the caller's jobs, for programs. */
import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import Router from "koa-router";
import type { ViewerState } from "../middleware/identify.ts";

/**
 * @returns the text of the stream, which ends with the connection
 * @throws UserError if the caller may not have one
 */
export type OpenEvents = (request: IncomingMessage, lastEventId: string) => Promise<Readable>;

export function eventRoutes(openEvents: OpenEvents): Router<ViewerState> {
  const router = new Router<ViewerState>();
  router.get("/api/events", async (ctx) => {
    ctx.type = "text/event-stream";
    ctx.set("Cache-Control", "no-store");
    // For nginx, which keeps answers back until they are long.
    ctx.set("X-Accel-Buffering", "no");
    if (ctx.method === "HEAD") ctx.status = 200;
    else ctx.body = await openEvents(ctx.req, ctx.get("Last-Event-ID"));
  });
  return router;
}
