/** Connects the payment stand-in to a server: creates the products and sends webhooks to the server. */
import { EVENT_TYPES } from "../../domain/billing/events/event-types.ts";
import { setUpBilling } from "../../domain/billing/set-up.ts";
import { createStripeClient } from "../../domain/billing/provider/stripe-client.ts";
import { WEBHOOK_PATH } from "../../http/routes/billing-routes.ts";
import type { PaymentStandIn } from "../../runtime/runtime.ts";
import type { PaymentProvider } from "./payment-provider/payment-provider.ts";

/** @param publicUrl where the server answers, or will */
export async function connectPaymentStandIn(
  provider: PaymentProvider,
  publicUrl: string,
  timeoutMs: number,
): Promise<PaymentStandIn> {
  const keys = { secretKey: provider.secretKey, apiAddress: provider.origin };
  await setUpBilling(createStripeClient({ ...keys, timeoutMs }), null);
  const webhookSecret = provider.webhooks.listen(new URL(WEBHOOK_PATH, publicUrl).href, EVENT_TYPES);
  return {
    payment: { ...keys, publishableKey: provider.publishableKey, webhookSecret },
    scriptUrl: provider.scriptUrl,
    now: () => provider.now(),
  };
}
