/** The routes that answer with the usage of the caller in this month, and by day. */
import { Usage } from "../../../common/api.ts";
import { USAGE_DAYS, UsageDays } from "../../../common/usage-days.ts";
import type { Domain } from "../../domain/domain.ts";
import { usageByDay, usageOf } from "../../domain/accounts/usage.ts";
import type { Call } from "../api-description/call.ts";
import { USAGE, USAGE_BY_DAY } from "../api-description/examples.ts";
import { CallRouter } from "../middleware/call-router.ts";

export const USAGE_CALLS = {
  read: {
    route: "GET /api/usage",
    group: "Account",
    summary: "The caller's usage in this month",
    tokens: "read",
    answers: { 200: { description: "The usage", name: "Usage", schema: Usage, example: USAGE } },
  },
  readDays: {
    route: "GET /api/usage/days",
    group: "Account",
    summary: `The caller's usage on each of the last ${USAGE_DAYS} days`,
    tokens: "read",
    answers: { 200: { description: "The days", name: "UsageDays", schema: UsageDays, example: USAGE_BY_DAY } },
  },
} satisfies Record<string, Call>;

export function usageRoutes(domain: Domain): CallRouter {
  const router = new CallRouter();
  router.on(USAGE_CALLS.read, async (ctx) => {
    ctx.body = await usageOf(domain, ctx.state.viewer);
  });
  router.on(USAGE_CALLS.readDays, async (ctx) => {
    ctx.body = { days: await usageByDay(domain, ctx.state.viewer) } satisfies UsageDays;
  });
  return router;
}
