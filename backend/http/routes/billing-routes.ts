/** The calls about money, and the payment provider's own to us. */
import Router from "koa-router";
import { CreateSubscription, type BillingPortal, type SubscriptionSecret } from "../../../common/api.ts";
import type { Billing } from "../../domain/billing/billing.ts";
import { createSubscription } from "../../domain/billing/checkout/checkout.ts";
import { receiveEvent } from "../../domain/billing/events/events.ts";
import { openPortal } from "../../domain/billing/checkout/portal.ts";
import { json, signedIn } from "../middleware/guards.ts";
import { readBody } from "../middleware/read-body.ts";
import type { ViewerState } from "../middleware/identify.ts";
import type { Limit } from "../middleware/limit.ts";

/** Where the provider's messages come in. */
export const WEBHOOK_PATH = "/api/stripe-webhook";
/** The provider's largest messages weigh a few dozen kilobytes. */
const MAX_EVENT_BYTES = 1_000_000;

export function billingRoutes(billing: Billing, publicUrl: string, limit: Limit): Router<ViewerState> {
  const router = new Router<ViewerState>();

  router.post("/api/create-subscription", limit("billing"));
  router.post("/api/create-subscription", json(CreateSubscription), async (ctx) => {
    const { userId } = signedIn(ctx.state.viewer);
    ctx.body = (await createSubscription(billing, userId, ctx.state.input.plan)) satisfies SubscriptionSecret;
  });

  router.post("/api/billing-portal", limit("billing"), async (ctx) => {
    const { userId } = signedIn(ctx.state.viewer);
    ctx.body = { url: await openPortal(billing, userId, publicUrl) } satisfies BillingPortal;
  });

  return router;
}

/**
 * Stands before cookies, origins and body parsers: the caller is a machine, and its signature is
 * over the bytes as they came.
 */
export function webhookRoutes(billing: Billing): Router {
  const router = new Router();
  router.post(WEBHOOK_PATH, async (ctx) => {
    await receiveEvent(billing, await readBody(ctx.req, MAX_EVENT_BYTES), ctx.get("Stripe-Signature"));
    ctx.body = { received: true };
  });
  return router;
}
