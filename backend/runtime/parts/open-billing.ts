import type { Logger } from "pino";
import type { Billing, BillingQueue, Payment } from "../../domain/billing/billing.ts";
import { createCatalog } from "../../domain/billing/provider/catalog.ts";
import { createStripeClient, isLiveKey } from "../../domain/billing/provider/stripe-client.ts";
import type { Models } from "../../domain/database/models.ts";
import type { Config } from "../../config/config.ts";
import type { PaymentPage } from "../../http/every-request/content-policy.ts";
import type { Runtime } from "../runtime.ts";

export interface BillingParts {
  readonly models: Models["billing"];
  readonly queue: BillingQueue;
  readonly config: Config;
  readonly runtime: Pick<Runtime, "paymentStandIn">;
  readonly log: Logger;
}

export interface OpenedBilling {
  readonly billing: Billing;
  /** Null when payment is not set up. */
  readonly paymentPage: PaymentPage | null;
}

/**
 * Creates the client of the payment provider and the settings of the payment page. Logs instead of failing when the
 * provider is missing or set up wrongly, because visitors can still convert.
 */
export function openBilling({ models, queue, config, runtime, log }: BillingParts): OpenedBilling {
  const { paymentStandIn } = runtime;
  const settings = config.payment ?? paymentStandIn?.payment ?? null;
  let payment: Payment | null = null;
  if (settings === null) {
    // Workers need none.
    if (config.env.ROLE !== "worker")
      log.warn(
        "payment is not set up: set STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY and STRIPE_WEBHOOK_SECRET to sell Pro",
      );
  } else {
    const stripe = createStripeClient({
      secretKey: settings.secretKey,
      apiAddress: settings.apiAddress,
      timeoutMs: config.settings.payment.timeoutMs,
    });
    payment = {
      stripe,
      catalog: createCatalog(stripe),
      webhookSecret: settings.webhookSecret,
      isLive: isLiveKey(settings.secretKey),
    };
    // Not awaited, because the server works without the provider.
    void checkCatalog(payment, log);
  }
  return {
    billing: {
      ...models,
      queue,
      payment,
      graceMs: config.graceMs,
      reconcileMs: config.settings.payment.reconcileMs,
      now: () => paymentStandIn?.now() ?? new Date(),
    },
    paymentPage: settings && { publishableKey: settings.publishableKey, scriptUrl: paymentStandIn?.scriptUrl ?? null },
  };
}

async function checkCatalog({ catalog }: Payment, log: Logger): Promise<void> {
  try {
    await catalog.priceOf("monthly");
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    log.error({ error: cause }, `visitors cannot subscribe: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
}
