/** Payments with more than one worker at them: real database, the official client, and the stand-in. */
import { randomUUID } from "node:crypto";
import pino from "pino";
import { expect, it } from "vitest";
import { confirmWithCard } from "../dev/payer.ts";
import { startPaymentProvider } from "../dev/payment-provider/payment-provider.ts";
import { openTestBilling } from "../dev/test-billing.ts";
import { openTestDomain } from "../dev/test-domain.ts";
import { signIn } from "../domain/accounts.ts";
import { createCatalog } from "../domain/billing/catalog.ts";
import { createSubscription } from "../domain/billing/checkout.ts";
import { receiveEvent } from "../domain/billing/events.ts";
import { setUpBilling } from "../domain/billing/set-up.ts";
import { createStripeClient } from "../domain/billing/stripe-client.ts";
import { openBillingTickets } from "./billing-tickets.ts";
import { startBillingWorker } from "./billing-worker.ts";

const SECRET = "whsec_of_this_test";
const QUEUE = { concurrency: 4, lockMs: 60_000, pollMs: 50, onError: (error: Error) => expect.unreachable(error.message) };

it("two workers bring each payment to its end, whichever of them takes which message, and messages without a ticket too", async () => {
  await using opened = new AsyncDisposableStack();
  const domain = opened.adopt(await openTestDomain(), (open) => open.close());
  const provider = opened.adopt(await startPaymentProvider({ port: 0, log: () => undefined }), (open) => open.stop());
  const stripe = createStripeClient({ secretKey: provider.secretKey, apiAddress: provider.origin, timeoutMs: 5_000 });
  await setUpBilling(stripe, null);
  const payment = { stripe, catalog: createCatalog(stripe), webhookSecret: SECRET };
  const [one, two] = await Promise.all(["one", "two"].map((name) => openBillingTickets(domain.users.db, domain.bus, { ...QUEUE, name: `${name}-${randomUUID()}` })));
  if (!one || !two) throw new Error("two queues were opened");
  const billing = await openTestBilling(domain, { payment, queue: one, now: () => provider.now() });

  const userIds: string[] = [];
  for (let n = 0; n < 5; n += 1) {
    const { _id } = await signIn(domain, randomUUID(), { issuer: "https://accounts.example", subject: randomUUID(), email: `${randomUUID()}@example.com` });
    const { clientSecret } = await createSubscription(billing, _id, n % 2 === 0 ? "monthly" : "yearly");
    await confirmWithCard(provider, clientSecret);
    userIds.push(_id);
  }
  for (const event of provider.events) {
    const payload = JSON.stringify(event);
    await receiveEvent(billing, payload, stripe.webhooks.generateTestHeaderString({ payload, secret: SECRET }));
  }
  // Half of the tickets get lost; both workers find out by looking.
  const tickets = domain.users.db.collection("billing_tickets");
  const half = await tickets.find().limit(Math.floor((await tickets.countDocuments()) / 2)).toArray();
  await tickets.deleteMany({ _id: { $in: half.map(({ _id }) => _id) } });
  await billing.events.updateMany({}, { $set: { dueAt: new Date(0) } });

  const log = pino({ level: "silent" });
  const workers = await Promise.all([one, two].map((queue) => startBillingWorker({ ...billing, queue }, queue, { sweepMs: 50, log })));
  await expect.poll(() => billing.events.countDocuments({ handledAt: null })).toBe(0);
  await expect.poll(() => tickets.countDocuments()).toBe(0);
  await Promise.all(workers.map((worker) => worker.stop()));
  expect(await billing.events.countDocuments({ attempts: { $gt: 0 } })).toBe(0);
  expect(await billing.users.countDocuments({ _id: { $in: userIds }, tier: "pro" })).toBe(5);
  for (const userId of userIds) {
    const account = await billing.accounts.findById(userId).lean();
    const all = await stripe.subscriptions.list({ customer: account?.customerId ?? "", status: "all" });
    expect(all.data.map(({ status }) => status)).toEqual(["active"]);
  }
});
