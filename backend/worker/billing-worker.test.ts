/** Billing tasks: real database, the provider's official client, and the stand-in provider. */
import { randomUUID } from "node:crypto";
import pino from "pino";
import { expect, it } from "vitest";
import { z } from "zod";
import { signatureOf, signInPayer, startPayment } from "../dev/testing/billing/billing-scenario.ts";
import { openTestBilling } from "../dev/testing/billing/test-billing.ts";
import { domainForTests } from "../dev/testing/test-domain.ts";
import { handleEvent, receiveEvent, claimLostEvents } from "../domain/billing/events/events.ts";
import { requestReadBack } from "../domain/billing/read-back/reconcile.ts";
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

/** Users with a subscription at the stand-in that this server does not know of yet. */
async function openPayers(opened: AsyncDisposableStack, concurrency: number) {
  const { provider, payment } = await startPayment();
  opened.defer(() => provider.stop());
  // The queue polls once an hour, so these tests end only if tickets are announced.
  const tickets = await openTaskTickets(domain.users.db, domain.bus, BILLING_QUEUE, {
    ...QUEUE,
    concurrency,
    pollMs: 3_600_000,
    name: randomUUID(),
  });
  const billing = await openTestBilling(domain, { payment, queue: tickets, now: () => provider.now() });
  const price = await payment.catalog.priceOf("monthly");
  return {
    billing,
    tickets,
    provider,
    waiting: () => domain.users.db.collection("billing_tickets").countDocuments(),
    async add(): Promise<{ userId: string; customerId: string }> {
      const { _id: userId } = await signInPayer(domain);
      const { id: customerId } = await payment.stripe.customers.create({ metadata: { userId } });
      await payment.stripe.subscriptions.create({ customer: customerId, items: [{ price }], trial_period_days: 7 });
      await billing.accounts.create({ _id: userId, customerId, createdAt: new Date() });
      return { userId, customerId };
    },
    async sendEvent(customer: string): Promise<void> {
      const payload = JSON.stringify({
        id: `evt_${randomUUID()}`,
        object: "event",
        type: "customer.subscription.updated",
        livemode: false,
        data: { object: { id: "sub_1", object: "subscription", customer } },
      });
      await receiveEvent(billing, payload, signatureOf(payment, payload));
    },
    /** Customers whose subscriptions were read from the provider, in that order. */
    readBack: () =>
      provider.requests
        .filter(({ method, path }) => method === "GET" && path === "/v1/subscriptions")
        .map(({ params }) => z.object({ customer: z.string() }).parse(params).customer),
    async work(): Promise<void> {
      const worker = await startBillingWorker(billing, tickets, { sweepMs: 3_600_000, log: LOG });
      await expect.poll(() => domain.users.db.collection("billing_tickets").countDocuments()).toBe(0);
      await worker.stop();
    },
  };
}

it("reads accounts that a visitor waits for before accounts whose events arrived earlier", async () => {
  await using opened = new AsyncDisposableStack();
  const payers = await openPayers(opened, 1);
  const others = await Promise.all(Array.from({ length: 4 }, () => payers.add()));
  for (const { customerId } of others) await payers.sendEvent(customerId);
  const atCheckout = await payers.add();
  const withPage = await payers.add();
  const back = others[3];
  await payers.billing.accounts.updateOne({ _id: atCheckout.userId }, { $set: { pendingId: "sub_at_the_checkout" } });
  await payers.sendEvent(atCheckout.customerId);
  // One page asks just before its event arrives, the other one after it.
  await requestReadBack(payers.billing, withPage.userId);
  await payers.sendEvent(withPage.customerId);
  await requestReadBack(payers.billing, back?.userId ?? "");
  await payers.work();
  const order = payers.readBack();
  expect(new Set(order.slice(0, 3))).toEqual(new Set([atCheckout.customerId, withPage.customerId, back?.customerId]));
  expect(order).toHaveLength(6);
  expect(await payers.billing.users.countDocuments({ subscriptionTier: "pro" })).toBe(6);
});

it("handles events of unknown customers without a ticket, and reads an account once for many events", async () => {
  await using opened = new AsyncDisposableStack();
  const payers = await openPayers(opened, 4);
  const { customerId } = await payers.add();
  await Promise.all(
    Array.from({ length: 60 }, (_, n) => payers.sendEvent(n % 2 === 0 ? customerId : `cus_stranger_${n}`)),
  );
  // No worker runs yet, so the sweeper finds all events due.
  await payers.billing.events.updateMany({ handledAt: null }, { $set: { dueAt: new Date(0) } });
  for (const id of await claimLostEvents(payers.billing)) await handleEvent(payers.billing, id);
  expect(await payers.waiting()).toBe(1);
  await payers.work();
  expect(payers.readBack()).toEqual([customerId]);
  expect(await payers.billing.events.countDocuments({ handledAt: null })).toBe(0);
});

it("reads an account again when it is requested during a read, and never twice at the same time", async () => {
  await using opened = new AsyncDisposableStack();
  const payers = await openPayers(opened, 4);
  const { tickets } = payers;
  let running = 0;
  let most = 0;
  const read: Promise<void>[] = [];
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  await tickets.work(async () => {
    running += 1;
    most = Math.max(most, running);
    read.push(held);
    await held;
    running -= 1;
  });
  await tickets.enqueue({ kind: "account", id: "one" });
  await expect.poll(() => read.length).toBe(1);
  for (let n = 0; n < 5; n += 1) await tickets.enqueue({ kind: "account", id: "one" });
  // The new ticket is handled, finds that the account is being read, and ends.
  await expect.poll(() => payers.waiting()).toBe(1);
  release();
  await expect.poll(() => read.length).toBe(2);
  await expect.poll(() => payers.waiting()).toBe(0);
  await tickets.stop();
  expect([read.length, most]).toEqual([2, 1]);
});
