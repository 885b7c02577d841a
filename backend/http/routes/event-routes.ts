/** The route of server-sent events: every change of the caller's jobs, for programs. */
import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import { z } from "zod";
import type { Call } from "../api-description/call.ts";
import { CallRouter } from "../middleware/call-router.ts";

/**
 * @returns the text of the stream, which ends with the connection
 * @throws UserError if the caller may not have one
 */
export type OpenEvents = (request: IncomingMessage, lastEventId: string) => Promise<Readable>;

const EventHeaders = z.object({
  "last-event-id": z
    .string()
    .optional()
    .describe("The `id` of the last event that was read. An unknown or old one counts as none."),
});

export const EVENT_CALLS = {
  follow: {
    route: "GET /api/events",
    group: "Conversions",
    summary: "Follow the caller's jobs by server-sent events",
    description:
      "`snapshot` has all jobs, and comes first; then each change of a job as `job`, `job:removed`, and `usage`, " +
      "`identity` and `sites` as for pages. Come back with `Last-Event-ID`: what was missed comes before the snapshot, " +
      "if it is still known. Of one job at most five changes are sent in a second.",
    tokens: "read",
    headers: EventHeaders,
    answers: { 200: { description: "The stream", mediaTypes: ["text/event-stream"] } },
    errors: ["bad_request", "network_busy", "rate_limited"],
    untried: "its answer does not end",
  },
} satisfies Record<string, Call>;

export function eventRoutes(openEvents: OpenEvents): CallRouter {
  const router = new CallRouter();
  router.on(EVENT_CALLS.follow, async (ctx) => {
    ctx.type = "text/event-stream";
    ctx.set("Cache-Control", "no-store");
    // For nginx, which keeps answers back until they are long.
    ctx.set("X-Accel-Buffering", "no");
    if (ctx.method === "HEAD") ctx.status = 200;
    else ctx.body = await openEvents(ctx.req, ctx.get("Last-Event-ID"));
  });
  return router;
}
