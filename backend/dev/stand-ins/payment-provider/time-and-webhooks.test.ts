import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text as bodyText } from "node:stream/consumers";
import { Stripe } from "stripe";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type PaymentProvider, startPaymentProvider } from "./payment-provider.ts";

const SECRET = "whsec_of_the_test";
const log = (line: string) => expect.unreachable(line);
let cleanUp: AsyncDisposableStack;
let provider: PaymentProvider;
let stripe: Stripe;
/** The verified events that the listener received, and the status that it answers. */
let received: Stripe.Event[];
let answers: number[];

beforeEach(async () => {
  cleanUp = new AsyncDisposableStack();
  provider = await startPaymentProvider({ port: 0, log, webhookRetryDelaysMs: [1, 1] });
  cleanUp.defer(() => provider.stop());
  stripe = new Stripe(provider.secretKey, {
    host: "localhost",
    port: provider.port,
    protocol: "http",
    maxNetworkRetries: 0,
  });
  received = [];
  answers = [];
  const listener = createServer((request, response) => {
    void bodyText(request).then((body) => {
      try {
        const event = stripe.webhooks.constructEvent(body, request.headers["stripe-signature"] ?? "", SECRET);
        const status = answers.shift() ?? 200;
        if (status === 200) received.push(event);
        response.writeHead(status).end();
      } catch {
        response.writeHead(400).end();
      }
    });
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => listener.once("listening", resolve));
  cleanUp.defer(() => void listener.close());
  provider.webhooks.listen(`http://127.0.0.1:${(listener.address() as AddressInfo).port}/`, { secret: SECRET });
});
afterEach(() => cleanUp.disposeAsync());

const types = () => received.map(({ type }) => type);

async function begin(
  options: Partial<Stripe.SubscriptionCreateParams> = {},
): Promise<{ subscription: Stripe.Subscription; customer: string; secret: string }> {
  const price = await stripe.prices.create({
    currency: "usd",
    unit_amount: 900,
    recurring: { interval: "month" },
    product_data: { name: "Pro" },
  });
  const customer = await stripe.customers.create({ email: "ada@example.com" });
  const subscription = await stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price: price.id }],
    payment_behavior: "default_incomplete",
    payment_settings: { save_default_payment_method: "on_subscription" },
    expand: ["latest_invoice.confirmation_secret"],
    ...options,
  });
  const invoice = subscription.latest_invoice as Stripe.Invoice;
  return { subscription, customer: customer.id, secret: invoice.confirmation_secret?.client_secret ?? "" };
}

/** Confirms an intent as the card frame does. */
async function pay(
  clientSecret: string,
  number: string,
): Promise<{ paymentIntent?: { status: string }; error?: { message: string } }> {
  const card = { number, cvc: "123", expMonth: 12, expYear: 2_040 };
  const answer = await fetch(`${provider.origin}/browser/confirm`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ clientSecret, key: provider.publishableKey, card }),
  });
  return (await answer.json()) as Awaited<ReturnType<typeof pay>>;
}

async function beginPaid(): Promise<{ id: string; customer: string }> {
  const { subscription, customer, secret } = await begin();
  expect(await pay(secret, "4242424242424242")).toMatchObject({ paymentIntent: { status: "succeeded" } });
  return { id: subscription.id, customer };
}

describe("as months pass", () => {
  it("renews, with an invoice paid by the saved card", async () => {
    const { id } = await beginPaid();
    const before = await stripe.subscriptions.retrieve(id);
    expect(before.status).toBe("active");
    await provider.advance({ days: 32 });
    const after = await stripe.subscriptions.retrieve(id, { expand: ["latest_invoice"] });
    expect(after.items.data[0]?.current_period_start).toBe(before.items.data[0]?.current_period_end);
    expect(after.latest_invoice).toMatchObject({ status: "paid", billing_reason: "subscription_cycle" });
  });

  it("is past due while a failing card is retried, and then ends", async () => {
    const { id, customer } = await beginPaid();
    provider.setCard(customer, "4000000000000341");
    await provider.advance({ days: 32 });
    expect((await stripe.subscriptions.retrieve(id)).status).toBe("past_due");
    await provider.advance({ days: 16 });
    expect((await stripe.subscriptions.retrieve(id)).status).toBe("canceled");
    await provider.webhooks.idle();
    expect(types().filter((type) => type === "invoice.payment_failed")).toHaveLength(4);
    expect(types()).toContain("customer.subscription.deleted");
  });

  it("is active again when another card pays the open invoice", async () => {
    const { id, customer } = await beginPaid();
    provider.setCard(customer, "4000002760003184");
    await provider.advance({ days: 32 });
    expect((await stripe.subscriptions.retrieve(id)).status).toBe("past_due");
    provider.setCard(customer, "4242424242424242");
    await provider.advance({ days: 4 });
    expect((await stripe.subscriptions.retrieve(id)).status).toBe("active");
  });

  it("ends with the period in which it was canceled", async () => {
    const { id } = await beginPaid();
    await stripe.subscriptions.update(id, { cancel_at_period_end: true });
    await provider.advance({ days: 20 });
    expect((await stripe.subscriptions.retrieve(id)).status).toBe("active");
    await provider.advance({ days: 12 });
    expect((await stripe.subscriptions.retrieve(id)).status).toBe("canceled");
  });
});

describe("webhooks", () => {
  it("are signed and include a snapshot of their object", async () => {
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
    answers = [500, 503];
    await stripe.customers.create({});
    await provider.webhooks.idle();
    expect(types()).toEqual(["customer.created"]);
    expect(provider.webhooks.deliveries.map(({ attempt, status }) => [attempt, status])).toEqual([
      [1, 500],
      [2, 503],
      [3, 200],
    ]);
  });

  it("are sent twice, in reverse, late or never on request", async () => {
    provider.webhooks.configure({ copies: 2, order: "reversed", hold: true, lose: ["price.created"] });
    await begin();
    await provider.webhooks.idle();
    expect(received).toEqual([]);
    provider.webhooks.release();
    await provider.webhooks.idle();
    expect(types().slice(0, 2)).toEqual(["invoice.finalized", "invoice.finalized"]);
    expect(types().at(-1)).toBe("customer.created");
    expect(types()).not.toContain("price.created");
    provider.webhooks.configure({});
    expect(await provider.webhooks.redeliver(received[0]?.id ?? "")).toBe(200);
  });

  it("that are forged fail the official signature check", async () => {
    await stripe.customers.create({});
    await provider.webhooks.idle();
    const [event] = provider.events;
    for (const how of ["altered", "stale", "unsigned", "wrong-secret"] as const)
      expect(await provider.webhooks.forge(event ?? {}, how)).toBe(400);
  });
});

describe("outages", () => {
  it("happen as often as planned; a call without an answer is found by its idempotency key", async () => {
    provider.fail({ path: /customers/, status: 429 });
    await expect(stripe.customers.create({})).rejects.toMatchObject({ type: "StripeRateLimitError" });
    // The official client itself retries once after a broken keep-alive connection.
    provider.fail({ path: /customers/, status: "late", times: 2 });
    await expect(stripe.customers.create({ email: "a@example.com" }, { idempotencyKey: "k" })).rejects.toMatchObject({
      type: "StripeConnectionError",
    });
    const { id } = await stripe.customers.create({ email: "a@example.com" }, { idempotencyKey: "k" });
    expect((await stripe.customers.list()).data.map((customer) => customer.id)).toEqual([id]);
  });
});

describe("declines and refunds", () => {
  it.each([
    ["4000000000000002", "Your card was declined."],
    ["4000000000009995", "Your card has insufficient funds."],
    ["4000000000000069", "Your card has expired."],
  ])("%s: %s", async (number, message) => {
    const { subscription, secret } = await begin();
    expect(await pay(secret, number)).toMatchObject({ error: { message } });
    expect((await stripe.subscriptions.retrieve(subscription.id)).status).toBe("incomplete");
    expect(await pay(secret, "4242424242424242")).toMatchObject({ paymentIntent: { status: "succeeded" } });
  });

  it("emit events for a fully refunded charge", async () => {
    const { customer } = await beginPaid();
    provider.refund(customer);
    await provider.webhooks.idle();
    expect(received.find(({ type }) => type === "charge.refunded")?.data.object).toMatchObject({
      refunded: true,
      amount_refunded: 900,
    });
  });
});

describe("the billing page", () => {
  it("cancels at the period's end and revokes it", async () => {
    const { id, customer } = await beginPaid();
    const { id: configuration } = await stripe.billingPortal.configurations.create({
      features: { subscription_cancel: { enabled: true, mode: "at_period_end" }, invoice_history: { enabled: true } },
    });
    const { url } = await stripe.billingPortal.sessions.create({
      customer,
      configuration,
      return_url: "https://example.com/",
    });
    expect(await (await fetch(url)).text()).toContain("Cancel plan");
    const press = (button: string) =>
      fetch(url, { method: "POST", body: new URLSearchParams({ do: button, subscription: id }) });
    expect(await (await press("cancel")).text()).toContain("Your plan ends on");
    expect((await stripe.subscriptions.retrieve(id)).cancel_at_period_end).toBe(true);
    await press("resume");
    expect((await stripe.subscriptions.retrieve(id)).cancel_at_period_end).toBe(false);
  });
});

describe("a restart", () => {
  it("keeps the subscriptions with a data folder", async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "payment-provider-"));
    cleanUp.defer(() => rm(dataDir, { recursive: true }));
    const first = await startPaymentProvider({ port: 0, dataDir, log });
    const { id } = await new Stripe(first.secretKey, {
      host: "localhost",
      port: first.port,
      protocol: "http",
    }).customers.create({ email: "kept@example.com" });
    await first.advance({ days: 3 });
    await first.stop();
    const second = await startPaymentProvider({ port: 0, dataDir, log });
    cleanUp.defer(() => second.stop());
    const kept = await new Stripe(second.secretKey, {
      host: "localhost",
      port: second.port,
      protocol: "http",
    }).customers.retrieve(id);
    expect(kept).toMatchObject({ email: "kept@example.com" });
    expect(second.now().getTime() - Date.now()).toBeGreaterThan(2 * 86_400_000);
  });
});
