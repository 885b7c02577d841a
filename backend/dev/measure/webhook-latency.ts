/** Part of `npm run latency`: how soon webhooks of the payment provider are answered and change the tier. */
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import mongoose from "mongoose";
import type { Stripe } from "stripe";
import { openBillingAccountModel } from "../../domain/billing/account-model.ts";
import { openBillingEventModel } from "../../domain/billing/events/event-model.ts";
import { setUpBilling } from "../../domain/billing/set-up.ts";
import { createStripeClient } from "../../domain/billing/provider/stripe-client.ts";
import { openUserModel } from "../../domain/accounts/user-model.ts";
import { readDatabaseAddress } from "../../runtime/database-address.ts";
import { startPaymentProvider } from "../stand-ins/payment-provider/payment-provider.ts";
import { WEBHOOK_PATH } from "../../http/routes/billing-routes.ts";
import { REPOSITORY_ROOT } from "../repository.ts";
import type { SettingsOverrides } from "../../config/settings.ts";

const MESSAGES = 200;
const POLL_MS = 20;
/** Messages of a burst: half about other payers, half about customers that are not ours. */
const BURST_MESSAGES = 1_000;
const OTHER_PAYERS = 100;
const BURST_SENDERS = 16;
/** Users who pay right after the burst. */
const BURST_PAYERS = 20;
const WEBHOOK_SECRET = "whsec_latency";

export interface WebhookBench {
  /** Environment variables of the measured server. */
  readonly env: Readonly<Record<string, string>>;
  readonly settings: SettingsOverrides;
  /** Sends messages about one subscriber, one after the other. @returns milliseconds of each */
  run(origin: string): Promise<{ answerMs: number[]; handledMs: number[] }>;
  /** Sends a burst about other customers, then messages of payers. @returns milliseconds from each of those to Pro */
  runBurst(origin: string): Promise<{ payerMs: number[] }>;
  stop(): Promise<void>;
}

export async function prepareWebhookBench(): Promise<WebhookBench> {
  const provider = await startPaymentProvider({ port: 0, log: () => undefined });
  const stripe = createStripeClient({ secretKey: provider.secretKey, apiAddress: provider.origin, timeoutMs: 5_000 });
  await setUpBilling(stripe, null);
  return {
    env: {
      STRIPE_SECRET_KEY: provider.secretKey,
      STRIPE_PUBLISHABLE_KEY: provider.publishableKey,
      STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
    },
    settings: { payment: { apiAddress: provider.origin } },
    run: (origin) => measureSubscriber(stripe, origin),
    runBurst: (origin) => measureBurst(stripe, origin),
    stop: () => provider.stop(),
  };
}

async function measureSubscriber(stripe: Stripe, origin: string): Promise<{ answerMs: number[]; handledMs: number[] }> {
  await using records = await openRecords(stripe);
  const { customerId, userId } = await records.addPayer();
  const answerMs: number[] = [];
  for (let n = 0; n < MESSAGES; n += 1) {
    const beforeMs = performance.now();
    await send(stripe, origin, `${userId}-${n}`, customerId);
    answerMs.push(performance.now() - beforeMs);
    // As in production, the next message comes when this one is handled.
    await until(async () => (await records.events.countDocuments({ _id: `${userId}-${n}`, handledAt: null })) === 0);
  }
  const handled = await records.events.find({ customerId }).lean();
  const handledMs = handled.map(
    ({ receivedAt, handledAt }) => (handledAt?.getTime() ?? Number.NaN) - receivedAt.getTime(),
  );
  return { answerMs, handledMs };
}

async function measureBurst(stripe: Stripe, origin: string): Promise<{ payerMs: number[] }> {
  await using records = await openRecords(stripe);
  const others: string[] = [];
  for (let n = 0; n < OTHER_PAYERS; n += 1) others.push((await records.addPayer()).customerId);
  const payers: Payer[] = [];
  for (let n = 0; n < BURST_PAYERS; n += 1) payers.push(await records.addPayer());
  // A pending subscription marks the payers as being at the checkout.
  await records.accounts.updateMany(
    { _id: { $in: payers.map(({ userId }) => userId) } },
    { $set: { pendingId: "sub_at_the_checkout" } },
  );
  const burst = Array.from({ length: BURST_MESSAGES }, (_, n) =>
    n % 2 === 0 ? (others[(n / 2) % others.length] ?? "") : `cus_stranger_${n}`,
  );
  const queue = burst.entries();
  await Promise.all(
    Array.from({ length: BURST_SENDERS }, async () => {
      for (const [n, customerId] of queue) await send(stripe, origin, `${records.name}-${n}`, customerId);
    }),
  );
  const payerMs = await Promise.all(
    payers.map(async ({ userId, customerId }) => {
      const beforeMs = performance.now();
      await send(stripe, origin, `${userId}-paid`, customerId);
      await until(async () => (await records.users.countDocuments({ _id: userId, tier: "pro" })) === 1);
      return performance.now() - beforeMs;
    }),
  );
  return { payerMs };
}

interface Payer {
  readonly userId: string;
  readonly customerId: string;
}

/** Opens the server's database and adds users to it; disposing removes them. */
async function openRecords(stripe: Stripe) {
  const uri =
    process.env["MONGODB_URI"] ??
    (await readDatabaseAddress(process.env["DATA_DIR"] ?? join(REPOSITORY_ROOT, ".data")));
  if (uri === null) throw new Error("the server has no database");
  const connection = await mongoose.createConnection(uri).asPromise();
  const users = await openUserModel(connection);
  const accounts = await openBillingAccountModel(connection);
  const events = await openBillingEventModel(connection);
  const name = `latency-${randomUUID()}`;
  const userIds: string[] = [];
  return {
    name,
    users,
    accounts,
    events,
    /** Adds a user with a subscription at the provider that the server has not read yet. */
    async addPayer(): Promise<Payer> {
      const userId = `latency-${randomUUID()}`;
      userIds.push(userId);
      const now = new Date();
      const customer = await stripe.customers.create({ metadata: { userId } });
      const [price] = (await stripe.prices.list({ lookup_keys: ["tapedeck_pro_monthly"] })).data;
      await stripe.subscriptions.create({
        customer: customer.id,
        items: [{ price: price?.id ?? "" }],
        trial_period_days: 7,
      });
      await users.create({
        _id: userId,
        issuer: "latency",
        subject: userId,
        tier: "free",
        tierChangedAt: now,
        createdAt: now,
      });
      await accounts.create({ _id: userId, customerId: customer.id, createdAt: now });
      return { userId, customerId: customer.id };
    },
    async [Symbol.asyncDispose]() {
      await events.deleteMany({ _id: /^latency-/ });
      await accounts.deleteMany({ _id: { $in: userIds } });
      await users.deleteMany({ _id: { $in: userIds } });
      await connection.close();
    },
  };
}

async function send(stripe: Stripe, origin: string, id: string, customer: string): Promise<void> {
  const payload = JSON.stringify({
    id,
    object: "event",
    type: "customer.subscription.updated",
    livemode: false,
    data: { object: { id: "sub_1", object: "subscription", customer } },
  });
  const answer = await fetch(`${origin}${WEBHOOK_PATH}`, {
    method: "POST",
    body: payload,
    headers: { "stripe-signature": stripe.webhooks.generateTestHeaderString({ payload, secret: WEBHOOK_SECRET }) },
  });
  if (!answer.ok) throw new Error(`a webhook was answered with ${answer.status}`);
}

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
}
