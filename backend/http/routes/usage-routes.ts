/** The route that answers with the usage of the caller in this month. */
import { Usage } from "../../../common/api.ts";
import type { Domain } from "../../domain/domain.ts";
import { usageOf } from "../../domain/accounts/usage.ts";
import type { Call } from "../api-description/call.ts";
import { USAGE } from "../api-description/examples.ts";
import { CallRouter } from "../middleware/call-router.ts";

export const USAGE_CALLS = {
  read: {
    route: "GET /api/usage",
    group: "Account",
    summary: "The caller's usage in this month",
    tokens: "read",
    answers: { 200: { description: "The usage", name: "Usage", schema: Usage, example: USAGE } },
  },
} satisfies Record<string, Call>;

export function usageRoutes(domain: Domain): CallRouter {
  const router = new CallRouter();
  router.on(USAGE_CALLS.read, async (ctx) => {
    ctx.body = await usageOf(domain, ctx.state.viewer);
  });
  return router;
}
