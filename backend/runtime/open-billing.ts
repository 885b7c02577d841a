/** Puts the parts of taking payments together: models, the provider's client, what a page needs to know. */
import type { Connection } from "mongoose";
import type { Logger } from "pino";
import { openBillingAccountModel } from "../domain/billing/account-model.ts";
import type { Billing, BillingQueue, Payment } from "../domain/billing/billing.ts";
import { createCatalog } from "../domain/billing/catalog.ts";
import { openBillingEventModel } from "../domain/billing/event-model.ts";
import { createStripeClient, isLiveKey } from "../domain/billing/stripe-client.ts";
import type { UserModel } from "../domain/user-model.ts";
import type { Config } from "../config/config.ts";
import type { PaymentPage } from "../http/edge/content-policy.ts";
import type { Surroundings } from "./runtime.ts";

export interface BillingParts {
  readonly connection: Connection;
  readonly users: UserModel;
  readonly queue: BillingQueue;
  readonly config: Config;
  readonly around: Pick<Surroundings, "paymentStandIn">;
  readonly log: Logger;
}

export interface OpenedBilling {
  readonly billing: Billing;
  /** Null: nobody can pay here. */
  readonly paymentPage: PaymentPage | null;
}

export async function openBilling({ connection, users, queue, config, around, log }: BillingParts): Promise<OpenedBilling> {
  const { paymentStandIn } = around;
  const settings = config.payment ?? paymentStandIn?.payment ?? null;
  let payment: Payment | null = null;
  if (settings === null) log.warn("payment is not set up: set STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY and STRIPE_WEBHOOK_SECRET to sell Pro");
  else {
    const stripe = createStripeClient({ secretKey: settings.secretKey, apiAddress: settings.apiAddress, timeoutMs: config.settings.payment.timeoutMs });
    payment = { stripe, catalog: createCatalog(stripe), webhookSecret: settings.webhookSecret, isLive: isLiveKey(settings.secretKey) };
    // Not waited for: a provider that is away or set up wrongly keeps nobody from converting.
    void checkCatalog(payment, log);
  }
  return {
    billing: {
      accounts: await openBillingAccountModel(connection),
      events: await openBillingEventModel(connection),
      users,
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
    log.error({ error: cause }, `nobody can subscribe for now: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
}
