/** The routes of payment, and the webhook of the payment provider. */
import type { Middleware } from "koa";
import { z } from "zod";
import { BillingPortal, CreateSubscription, SubscriptionSecret } from "../../../common/account-calls.ts";
import type { Billing } from "../../domain/billing/billing.ts";
import { createSubscription } from "../../domain/billing/checkout/checkout.ts";
import { receiveEvent } from "../../domain/billing/events/events.ts";
import { openPortal } from "../../domain/billing/checkout/portal.ts";
import type { Call } from "../api-description/call.ts";
import { CallRouter } from "../middleware/call-router.ts";
import { signedIn } from "../middleware/guards.ts";
import { readBody } from "../middleware/read-body.ts";
import type { ViewerState } from "../middleware/identify.ts";
import type { Limit } from "../middleware/limit.ts";

export const WEBHOOK_PATH = "/api/stripe-webhook";
/** The largest events of the provider have a few dozen kilobytes. */
const MAX_EVENT_BYTES = 1_000_000;

export const BILLING_CALLS = {
  subscribe: {
    route: "POST /api/create-subscription",
    group: "Payment",
    summary: "Begin to pay for Pro",
    isForAccounts: true,
    request: { name: "CreateSubscription", schema: CreateSubscription, example: { plan: "yearly" } },
    answers: {
      200: {
        description: "The secret with which the browser confirms the payment",
        name: "SubscriptionSecret",
        schema: SubscriptionSecret,
        example: { clientSecret: "pi_example_secret_example", isSetupIntent: false },
      },
    },
    errors: ["rate_limited", "already_subscribed", "payment_unconfigured", "payment_provider"],
  },
  portal: {
    route: "POST /api/billing-portal",
    group: "Payment",
    summary: "Open the page for card, invoices and cancellation",
    isForAccounts: true,
    answers: {
      200: {
        description: "Where it is",
        name: "BillingPortal",
        schema: BillingPortal,
        example: { url: "https://billing.example/session" },
      },
    },
    errors: ["rate_limited", "not_found", "conflict", "payment_unconfigured", "payment_provider"],
  },
  event: {
    route: `POST ${WEBHOOK_PATH}`,
    group: "Payment",
    summary: "Messages of the payment provider, signed by it",
    answers: {
      200: {
        description: "Stored",
        name: "Received",
        schema: z.object({ received: z.literal(true) }),
        example: { received: true },
      },
    },
    errors: ["payment_unconfigured"],
    untried: "another party signs it",
  },
} satisfies Record<string, Call>;

/** @param payers refuses users who may not begin to pay */
export function billingRoutes(
  billing: Billing,
  publicUrl: string,
  limit: Limit,
  payers: Middleware<ViewerState>,
): CallRouter {
  const router = new CallRouter();

  router.on(BILLING_CALLS.subscribe, [limit("billing"), payers], async (ctx) => {
    const { userId } = signedIn(ctx.state.viewer);
    ctx.body = (await createSubscription(billing, userId, ctx.state.input.plan)) satisfies SubscriptionSecret;
  });

  router.on(BILLING_CALLS.portal, [limit("billing")], async (ctx) => {
    const { userId } = signedIn(ctx.state.viewer);
    ctx.body = { url: await openPortal(billing, userId, publicUrl) } satisfies BillingPortal;
  });

  return router;
}

/**
 * Must come before the middleware for cookies, origins and JSON bodies: the caller is the payment provider, and its
 * signature covers the bytes of the body.
 */
export function webhookRoutes(billing: Billing): CallRouter {
  const router = new CallRouter();
  router.on(BILLING_CALLS.event, async (ctx) => {
    await receiveEvent(billing, await readBody(ctx.req, MAX_EVENT_BYTES), ctx.get("Stripe-Signature"));
    ctx.body = { received: true };
  });
  return router;
}
