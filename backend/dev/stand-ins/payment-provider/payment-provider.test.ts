import { Stripe } from "stripe";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type PaymentProvider, startPaymentProvider } from "./payment-provider.ts";

let provider: PaymentProvider;
let stripe: Stripe;

beforeEach(async () => {
  provider = await startPaymentProvider({ port: 0, log: (line) => expect.unreachable(line) });
  stripe = clientOf(provider);
});
afterEach(() => provider.stop());

function clientOf({ secretKey, port }: PaymentProvider): Stripe {
  return new Stripe(secretKey, { host: "localhost", port, protocol: "http", maxNetworkRetries: 0 });
}

async function subscribe(
  options: Partial<Stripe.SubscriptionCreateParams> = {},
  request?: Stripe.RequestOptions,
): Promise<Stripe.Subscription> {
  const [price] = (await stripe.prices.list({ lookup_keys: ["pro_monthly"] })).data;
  const priceId =
    price?.id ??
    (
      await stripe.prices.create({
        currency: "usd",
        unit_amount: 900,
        recurring: { interval: "month" },
        lookup_key: "pro_monthly",
        product_data: { name: "Pro" },
      })
    ).id;
  const customer = await stripe.customers.create({ email: "ada@example.com", metadata: { userId: "u1" } });
  return await stripe.subscriptions.create(
    {
      customer: customer.id,
      items: [{ price: priceId }],
      payment_behavior: "default_incomplete",
      payment_settings: { save_default_payment_method: "on_subscription" },
      expand: ["latest_invoice.confirmation_secret", "pending_setup_intent"],
      ...options,
    },
    request,
  );
}

describe("a subscription", () => {
  it("starts incomplete, with a client secret for its first invoice", async () => {
    const subscription = await subscribe();
    expect(subscription.status).toBe("incomplete");
    const invoice = subscription.latest_invoice as Stripe.Invoice;
    expect(invoice).toMatchObject({ status: "open", amount_due: 900, billing_reason: "subscription_create" });
    expect(invoice.confirmation_secret?.client_secret).toMatch(/^pi_\w+_secret_\w+$/);
    expect(invoice.parent?.subscription_details?.subscription).toBe(subscription.id);
    expect(subscription.items.data[0]?.current_period_end).toBeGreaterThan(subscription.created);
  });

  it("expires without a first payment within 23 hours", async () => {
    const { id } = await subscribe();
    await provider.advance({ hours: 22 });
    expect((await stripe.subscriptions.retrieve(id)).status).toBe("incomplete");
    await provider.advance({ hours: 2 });
    const expired = await stripe.subscriptions.retrieve(id, { expand: ["latest_invoice"] });
    expect(expired.status).toBe("incomplete_expired");
    expect((expired.latest_invoice as Stripe.Invoice).status).toBe("void");
  });
});

describe("the API", () => {
  it("answers a repeated idempotency key with the same object and rejects it with other parameters", async () => {
    const first = await stripe.customers.create({ email: "a@example.com" }, { idempotencyKey: "once" });
    const again = await stripe.customers.create({ email: "a@example.com" }, { idempotencyKey: "once" });
    expect(again.id).toBe(first.id);
    await expect(stripe.customers.create({ email: "b@example.com" }, { idempotencyKey: "once" })).rejects.toMatchObject(
      { type: "StripeIdempotencyError" },
    );
  });

  it("rejects unknown calls and parameters", async () => {
    await expect(stripe.customers.create({ colour: "red" } as Stripe.CustomerCreateParams)).rejects.toMatchObject({
      statusCode: 400,
      code: "parameter_unknown",
      param: "colour",
    });
    await expect(stripe.customers.retrieve("cus_none")).rejects.toMatchObject({
      statusCode: 404,
      code: "resource_missing",
    });
  });
});
