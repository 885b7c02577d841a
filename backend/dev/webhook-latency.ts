/** How long the payment provider waits for our answer, and a payer for the tier: a part of `npm run latency`. */
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import mongoose from "mongoose";
import { openBillingAccountModel } from "../domain/billing/account-model.ts";
import { openBillingEventModel } from "../domain/billing/event-model.ts";
import { setUpBilling } from "../domain/billing/set-up.ts";
import { createStripeClient } from "../domain/billing/stripe-client.ts";
import { openUserModel } from "../domain/user-model.ts";
import { readDatabaseAddress } from "../database-address.ts";
import { startPaymentProvider } from "./payment-provider/payment-provider.ts";
import { WEBHOOK_PATH } from "../http/billing-routes.ts";
import { REPOSITORY_ROOT } from "./repository.ts";

const MESSAGES = 200;
const LOOK_MS = 20;
const WEBHOOK_SECRET = "whsec_latency";

export interface WebhookBench {
  /** For the server that is measured. */
  readonly env: Readonly<Record<string, string>>;
  /** Sends messages one after the other about somebody who subscribes. Milliseconds each. */
  run(origin: string): Promise<{ answerMs: number[]; handledMs: number[] }>;
  stop(): Promise<void>;
}

export async function prepareWebhookBench(): Promise<WebhookBench> {
  const provider = await startPaymentProvider({ port: 0, log: () => undefined });
  const stripe = createStripeClient({ secretKey: provider.secretKey, apiAddress: provider.origin, timeoutMs: 5_000 });
  await setUpBilling(stripe, null);
  return {
    env: { STRIPE_SECRET_KEY: provider.secretKey, STRIPE_PUBLISHABLE_KEY: provider.publishableKey, STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET, STRIPE_API_ADDRESS: provider.origin },
    async run(origin) {
      const uri = process.env["MONGODB_URI"] ?? (await readDatabaseAddress(process.env["DATA_DIR"] ?? join(REPOSITORY_ROOT, ".data")));
      if (uri === null) throw new Error("the server has no database");
      const connection = await mongoose.createConnection(uri).asPromise();
      const [users, accounts, events] = [await openUserModel(connection), await openBillingAccountModel(connection), await openBillingEventModel(connection)];
      const userId = `latency-${randomUUID()}`;
      const now = new Date();
      try {
        const customer = await stripe.customers.create({ metadata: { userId } });
        const [price] = (await stripe.prices.list({ lookup_keys: ["tapedeck_pro_monthly"] })).data;
        await stripe.subscriptions.create({ customer: customer.id, items: [{ price: price?.id ?? "" }], trial_period_days: 7 });
        await users.create({ _id: userId, issuer: "latency", subject: userId, tier: "free", tierChangedAt: now, createdAt: now });
        await accounts.create({ _id: userId, customerId: customer.id, createdAt: now });
        const answerMs: number[] = [];
        for (let n = 0; n < MESSAGES; n += 1) {
          const payload = JSON.stringify({ id: `${userId}-${n}`, object: "event", type: "customer.subscription.updated", data: { object: { id: "sub_1", object: "subscription", customer: customer.id } } });
          const beforeMs = performance.now();
          const answer = await fetch(`${origin}${WEBHOOK_PATH}`, { method: "POST", body: payload, headers: { "stripe-signature": stripe.webhooks.generateTestHeaderString({ payload, secret: WEBHOOK_SECRET }) } });
          answerMs.push(performance.now() - beforeMs);
          if (!answer.ok) throw new Error(`a message was answered with ${answer.status}`);
          // As they come in life: the next one when this one is done.
          while ((await events.countDocuments({ _id: `${userId}-${n}`, handledAt: null })) > 0) await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
        }
        const handled = await events.find({ _id: { $in: Array.from({ length: MESSAGES }, (_, n) => `${userId}-${n}`) } }).lean();
        return { answerMs, handledMs: handled.map(({ receivedAt, handledAt }) => (handledAt?.getTime() ?? Number.NaN) - receivedAt.getTime()) };
      } finally {
        await events.deleteMany({ _id: { $in: Array.from({ length: MESSAGES }, (_, n) => `${userId}-${n}`) } });
        await accounts.deleteOne({ _id: userId });
        await users.deleteOne({ _id: userId });
        await connection.close();
      }
    },
    stop: () => provider.stop(),
  };
}
