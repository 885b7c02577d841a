/** Billing tasks with two workers: real database, the provider's official client, and the stand-in provider. */
import { randomUUID } from "node:crypto";
import pino from "pino";
import { expect, it } from "vitest";
import { confirmWithCard } from "../dev/testing/billing/payer.ts";
import { signatureOf, signInPayer, startPayment } from "../dev/testing/billing/billing-scenario.ts";
import { openTestBilling } from "../dev/testing/billing/test-billing.ts";
import { domainForTests } from "../dev/testing/test-domain.ts";
import { createSubscription } from "../domain/billing/checkout/checkout.ts";
import { receiveEvent } from "../domain/billing/events/events.ts";
import { BILLING_QUEUE, startBillingWorker } from "./billing-worker.ts";
import { openTaskTickets } from "./task-tickets.ts";

const QUEUE = {
  concurrency: 4,
  lockMs: 60_000,
  pollMs: 50,
  onError: (error: Error) => expect.unreachable(error.message),
};

const LOG = pino({ level: "silent" });

const domain = domainForTests();

it("completes each payment with two workers, even when half of the tickets are lost", async () => {
  await using opened = new AsyncDisposableStack();
  const { provider, payment } = await startPayment();
  opened.defer(() => provider.stop());
  const [one, two] = await Promise.all(
    ["one", "two"].map((name) =>
      openTaskTickets(domain.users.db, domain.bus, BILLING_QUEUE, { ...QUEUE, name: `${name}-${randomUUID()}` }),
    ),
  );
  if (!one || !two) throw new Error("two queues were opened");
  const billing = await openTestBilling(domain, { payment, queue: one, now: () => provider.now() });

  const userIds: string[] = [];
  for (let n = 0; n < 5; n += 1) {
    const { _id } = await signInPayer(domain);
    const { clientSecret } = await createSubscription(billing, _id, n % 2 === 0 ? "monthly" : "yearly");
    await confirmWithCard(provider, clientSecret);
    userIds.push(_id);
  }
  for (const event of provider.events) {
    const payload = JSON.stringify(event);
    await receiveEvent(billing, payload, signatureOf(payment, payload));
  }
  // Half of the tickets are lost; the sweeps of both workers find their events.
  const tickets = domain.users.db.collection("billing_tickets");
  const half = await tickets
    .find()
    .limit(Math.floor((await tickets.countDocuments()) / 2))
    .toArray();
  await tickets.deleteMany({ _id: { $in: half.map(({ _id }) => _id) } });
  await billing.events.updateMany({}, { $set: { dueAt: new Date(0) } });

  const workers = await Promise.all(
    [one, two].map((queue) => startBillingWorker({ ...billing, queue }, queue, { sweepMs: 50, log: LOG })),
  );
  await expect.poll(() => billing.events.countDocuments({ handledAt: null })).toBe(0);
  await expect.poll(() => tickets.countDocuments()).toBe(0);
  await Promise.all(workers.map((worker) => worker.stop()));
  expect(await billing.events.countDocuments({ attempts: { $gt: 0 } })).toBe(0);
  expect(await billing.users.countDocuments({ _id: { $in: userIds }, tier: "pro" })).toBe(5);
  for (const userId of userIds) {
    const account = await billing.accounts.findById(userId).lean();
    const all = await payment.stripe.subscriptions.list({ customer: account?.customerId ?? "", status: "all" });
    expect(all.data.map(({ status }) => status)).toEqual(["active"]);
  }
});
