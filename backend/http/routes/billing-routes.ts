/** The routes of payment, and the webhook of the payment provider. */
import type { Middleware } from "koa";
import Router from "koa-router";
import { CreateSubscription, type BillingPortal, type SubscriptionSecret } from "../../../common/account-calls.ts";
import type { Billing } from "../../domain/billing/billing.ts";
import { createSubscription } from "../../domain/billing/checkout/checkout.ts";
import { receiveEvent } from "../../domain/billing/events/events.ts";
import { openPortal } from "../../domain/billing/checkout/portal.ts";
import { json, signedIn } from "../middleware/guards.ts";
import { readBody } from "../middleware/read-body.ts";
import type { ViewerState } from "../middleware/identify.ts";
import type { Limit } from "../middleware/limit.ts";

export const WEBHOOK_PATH = "/api/stripe-webhook";
/** The largest events of the provider have a few dozen kilobytes. */
const MAX_EVENT_BYTES = 1_000_000;

/** @param payers refuses users who may not begin to pay */
export function billingRoutes(
  billing: Billing,
  publicUrl: string,
  limit: Limit,
  payers: Middleware<ViewerState>,
): Router<ViewerState> {
  const router = new Router<ViewerState>();

  router.post("/api/create-subscription", limit("billing"), payers);
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
 * Must come before the middleware for cookies, origins and JSON bodies: the caller is the payment provider, and its
 * signature covers the bytes of the body.
 */
export function webhookRoutes(billing: Billing): Router {
  const router = new Router();
  router.post(WEBHOOK_PATH, async (ctx) => {
    await receiveEvent(billing, await readBody(ctx.req, MAX_EVENT_BYTES), ctx.get("Stripe-Signature"));
    ctx.body = { received: true };
  });
  return router;
}
