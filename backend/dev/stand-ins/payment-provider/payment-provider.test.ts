/** What tests of billing rely on without saying so. The rest of the stand-in is held by those tests. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text as bodyText } from "node:stream/consumers";
import { Stripe } from "stripe";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { testFolder } from "../../testing/test-folder.ts";
import { confirmWithCard, LATER_FAILING_CARD } from "../../testing/billing/payer.ts";
import { type PaymentProvider, startPaymentProvider } from "./payment-provider.ts";

const log = (line: string) => expect.unreachable(line);
let cleanUp: AsyncDisposableStack;
let provider: PaymentProvider;
let stripe: Stripe;
/** The verified events that the listener received, the status of each answer, and those that it still gives. */
let received: Stripe.Event[];
let given: number[];
let planned: number[];

function clientOf({ secretKey, port }: PaymentProvider): Stripe {
  return new Stripe(secretKey, { host: "localhost", port, protocol: "http", maxNetworkRetries: 0 });
}

beforeEach(async () => {
  cleanUp = new AsyncDisposableStack();
  provider = await startPaymentProvider({ port: 0, log, webhookRetryDelaysMs: [1, 1] });
  cleanUp.defer(() => provider.stop());
  stripe = clientOf(provider);
  received = [];
  given = [];
  planned = [];
  const listener = createServer((request, response) => {
    const answer = (status: number): void => {
      given.push(status);
      response.writeHead(status).end();
    };
    void bodyText(request).then((body) => {
      try {
        const event = stripe.webhooks.constructEvent(body, request.headers["stripe-signature"] ?? "", secret);
        const status = planned.shift() ?? 200;
        if (status === 200) received.push(event);
        answer(status);
      } catch {
        answer(400);
      }
    });
  }).listen(0, "127.0.0.1");
  await once(listener, "listening");
  cleanUp.defer(() => void listener.close());
  const secret = provider.webhooks.listen(`http://127.0.0.1:${(listener.address() as AddressInfo).port}/`, ["*"]);
});
afterEach(() => cleanUp.disposeAsync());

const types = () => received.map(({ type }) => type);

async function beginPaid(): Promise<{ id: string; customer: string }> {
  const product = (await stripe.products.create({ id: "pro", name: "Pro" })).id;
  const recurring = { interval: "month" } as const;
  const price = await stripe.prices.create({ currency: "usd", unit_amount: 900, recurring, product });
  const { id: customer } = await stripe.customers.create({ email: "ada@example.com" });
  const { id, latest_invoice: invoice } = await stripe.subscriptions.create({
    customer,
    items: [{ price: price.id }],
    payment_behavior: "default_incomplete",
    payment_settings: { save_default_payment_method: "on_subscription" },
    expand: ["latest_invoice.confirmation_secret"],
  });
  const secret = (invoice as Stripe.Invoice).confirmation_secret?.client_secret ?? "";
  expect(await confirmWithCard(provider, secret)).toBeNull();
  return { id, customer };
}

describe("as months pass", () => {
  it("a subscription renews, with an invoice paid by the saved card, and ends when it is canceled", async () => {
    const { id } = await beginPaid();
    const before = await stripe.subscriptions.retrieve(id);
    expect(before.status).toBe("active");
    await provider.advance({ days: 32 });
    const after = await stripe.subscriptions.retrieve(id, { expand: ["latest_invoice"] });
    expect(after.items.data[0]?.current_period_start).toBe(before.items.data[0]?.current_period_end);
    expect(after.latest_invoice).toMatchObject({ status: "paid", billing_reason: "subscription_cycle" });
    await stripe.subscriptions.update(id, { cancel_at_period_end: true });
    await provider.advance({ days: 20 });
    expect((await stripe.subscriptions.retrieve(id)).status).toBe("active");
    await provider.advance({ days: 12 });
    expect((await stripe.subscriptions.retrieve(id)).status).toBe("canceled");
  });

  it("a subscription is past due while a failing card is retried, and then ends", async () => {
    const { id, customer } = await beginPaid();
    provider.setCard(customer, LATER_FAILING_CARD);
    await provider.advance({ days: 32 });
    expect((await stripe.subscriptions.retrieve(id)).status).toBe("past_due");
    await provider.advance({ days: 16 });
    expect((await stripe.subscriptions.retrieve(id)).status).toBe("canceled");
    await provider.webhooks.idle();
    expect(types().filter((type) => type === "invoice.payment_failed")).toHaveLength(4);
    expect(types()).toContain("customer.subscription.deleted");
  });
});

describe("webhooks", () => {
  it("include a snapshot of their object", async () => {
    const { id } = await beginPaid();
    await provider.webhooks.idle();
    const statuses = received
      .filter(({ data }) => "id" in data.object && data.object.id === id)
      .map(({ type, data }) => [type, "status" in data.object && data.object.status]);
    expect(statuses).toEqual([
      ["customer.subscription.created", "incomplete"],
      ["customer.subscription.updated", "active"],
    ]);
  });

  it("are retried until they are accepted", async () => {
    planned = [500, 503];
    await stripe.customers.create({});
    await provider.webhooks.idle();
    expect([types(), given]).toEqual([["customer.created"], [500, 503, 200]]);
  });

  it("are sent twice, in reverse, late or never on request", async () => {
    provider.webhooks.configure({ copies: 2, order: "reversed", hold: true });
    await beginPaid();
    await provider.webhooks.idle();
    expect(received).toEqual([]);
    provider.webhooks.release();
    await provider.webhooks.idle();
    expect(types().slice(0, 2)).toEqual(["invoice.paid", "invoice.paid"]);
    expect(types().at(-1)).toBe("price.created");
    const before = received.length;
    provider.webhooks.configure({ lose: true });
    await stripe.customers.create({});
    await provider.webhooks.idle();
    expect(received).toHaveLength(before);
  });

  it("that are forged fail the official signature check", async () => {
    for (const how of ["altered", "stale", "unsigned", "wrong-secret"] as const)
      expect(await provider.webhooks.forge({ id: "evt_1" }, how)).toBe(400);
  });
});

it("a call without an answer is found by its idempotency key, which cannot be used for another call", async () => {
  provider.fail({ path: /customers/, status: 429 });
  await expect(stripe.customers.create({})).rejects.toMatchObject({ type: "StripeRateLimitError" });
  // The official client itself retries once after a broken keep-alive connection.
  provider.fail({ path: /customers/, status: "late", times: 2 });
  const create = (email: string) => stripe.customers.create({ email }, { idempotencyKey: "k" });
  await expect(create("a@example.com")).rejects.toMatchObject({ type: "StripeConnectionError" });
  const { id } = await create("a@example.com");
  expect((await stripe.customers.list()).data.map((customer) => customer.id)).toEqual([id]);
  await expect(create("b@example.com")).rejects.toMatchObject({ type: "StripeIdempotencyError" });
});

it("unknown parameters and objects are rejected", async () => {
  const odd = { colour: "red" } as Stripe.CustomerCreateParams;
  await expect(stripe.customers.create(odd)).rejects.toThrow(/unrecognized key.*colour/i);
  await expect(stripe.charges.list({ limit: 3, payment_intent: "pi_1" })).rejects.toThrow("payment_intent");
  await expect(stripe.customers.retrieve("cus_none")).rejects.toMatchObject({ code: "resource_missing" });
});

it("a restart keeps the objects and the clock with a data folder", async () => {
  const dataDir = await testFolder();
  const first = await startPaymentProvider({ port: 0, dataDir, log });
  const { id } = await clientOf(first).customers.create({ email: "kept@example.com" });
  await first.advance({ days: 3 });
  await first.stop();
  const second = await startPaymentProvider({ port: 0, dataDir, log });
  cleanUp.defer(() => second.stop());
  expect(await clientOf(second).customers.retrieve(id)).toMatchObject({ email: "kept@example.com" });
  expect(second.now().getTime() - Date.now()).toBeGreaterThan(2 * 86_400_000);
});
