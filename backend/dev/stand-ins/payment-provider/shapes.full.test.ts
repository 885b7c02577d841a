/** Compares the fields of the stand-in's objects with those of stripe-mock. */
import { join } from "node:path";
import { Stripe } from "stripe";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeBlankObjects } from "./shapes/make-blank-objects.ts";
import { type StripeMock, startStripeMock } from "../stripe-mock.ts";
import { type PaymentProvider, startPaymentProvider } from "./payment-provider.ts";

let provider: PaymentProvider;
let mock: StripeMock;
let ours: Stripe;
let theirs: Stripe;

beforeAll(async () => {
  [provider, mock] = await Promise.all([
    startPaymentProvider({ port: 0, log: (line) => expect.unreachable(line) }),
    startStripeMock(),
  ]);
  ours = new Stripe(provider.secretKey, { host: "localhost", port: provider.port, protocol: "http" });
  theirs = new Stripe("sk_test_1", { host: "127.0.0.1", port: mock.port, protocol: "http" });
});
afterAll(() => Promise.all([provider.stop(), mock.stop()]));

/** stripe-mock sends all possible fields; these exist only for some objects, or only on request. */
const ONLY_SOMETIMES = new Set(["refunds"]);
/** In the API's description, but not in stripe-mock's examples. */
const UNEXAMPLED = /\.(?:pricing\.price_details|payment\.payment_intent|subscription_update\.products)$/;
/** Still sent by the API, but no longer in its newest description. */
const STILL_SENT = new Set([
  "plan",
  "current_trial",
  "type",
  "tax_details",
  "payment_record",
  "source",
  "trial_period_days",
  "electronic_commerce_indicator",
  "billing_cycle_anchor",
  "subscription_pause",
  "risk_level",
]);

/** In the official client's types, but newer than stripe-mock. */
const NEWER_THAN_CHECKER = new Set(["submission_method", "intended_submission_method"]);

/** @returns paths of fields that only one of two objects has; lists are compared by their first item */
function lacking(complete: unknown, given: unknown, path = ""): string[] {
  if (Array.isArray(complete) && Array.isArray(given))
    return complete.length > 0 && given.length > 0 ? lacking(complete[0], given[0], `${path}[]`) : [];
  if (!isObject(complete) || !isObject(given)) return [];
  return Object.keys(complete).flatMap((key) =>
    key in given ? lacking(complete[key], given[key], `${path}.${key}`) : [`${path}.${key}`],
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const lastOf = (path: string) => path.slice(path.lastIndexOf(".") + 1);

/** Fields with free-form values, or with values of another kind than in the example. */
const VARYING_FIELDS = [
  "metadata",
  "automatic_payment_methods",
  "payment_method_options",
  "amount_details",
  "liability",
  "billing_mode",
  "payment_method_details\\.card",
  "networks",
  "use_stripe_sdk",
  "next_action",
  "destination_details",
  "parent",
  "data\\.object",
  "subscription_item_details",
  "invoice_item_details",
];
const VARYING = new RegExp(String.raw`\.(?:${VARYING_FIELDS.join("|")})(?:\.|$)`);

async function made(): Promise<Record<string, (stripe: Stripe) => Promise<object>>> {
  const price = await ours.prices.create({
    currency: "usd",
    unit_amount: 900,
    recurring: { interval: "month" },
    product_data: { name: "Pro" },
  });
  const customer = await ours.customers.create({ email: "ada@example.com" });
  await ours.subscriptions.create({
    customer: customer.id,
    items: [{ price: price.id }],
    payment_behavior: "default_incomplete",
    trial_period_days: 7,
    expand: ["pending_setup_intent"],
  });
  provider.setCard(customer.id, "4242424242424242");
  await provider.advance({ days: 8 });
  const product = typeof price.product === "string" ? price.product : price.product.id;
  const id = async (list: Promise<{ data: { id: string }[] }>) => (await list).data[0]?.id ?? "";
  const subscription = await id(ours.subscriptions.list());
  const invoice = await id(ours.invoices.list());
  const intent = await id(ours.paymentIntents.list());
  const setup = String(provider.events.find(({ type }) => type === "setup_intent.created")?.data.object["id"]);
  const charge = await id(ours.charges.list());
  const payment = await id(ours.invoicePayments.list());
  const method = await id(ours.customers.listPaymentMethods(customer.id));
  const dispute = provider.dispute(charge).id;
  provider.settleDispute(dispute, "won");
  const credit = (await ours.customers.createBalanceTransaction(customer.id, { amount: -100, currency: "usd" })).id;
  const refund = provider.refund(customer.id).id;
  const endpoint = (await ours.webhookEndpoints.create({ url: "http://127.0.0.1:9/", enabled_events: ["*"] })).id;
  const event = provider.events[0]?.id ?? "";
  const configuration = (
    await ours.billingPortal.configurations.create({ features: { invoice_history: { enabled: true } } })
  ).id;
  return {
    customer: (stripe) => stripe.customers.retrieve(customer.id),
    product: (stripe) => stripe.products.retrieve(product),
    price: (stripe) => stripe.prices.retrieve(price.id),
    subscription: (stripe) => stripe.subscriptions.retrieve(subscription),
    invoice: (stripe) => stripe.invoices.retrieve(invoice, { expand: ["confirmation_secret", "payments"] }),
    "invoice payment": (stripe) => stripe.invoicePayments.retrieve(payment),
    "payment intent": (stripe) => stripe.paymentIntents.retrieve(intent),
    "setup intent": (stripe) => stripe.setupIntents.retrieve(setup),
    "payment method": (stripe) => stripe.paymentMethods.retrieve(method),
    charge: (stripe) => stripe.charges.retrieve(charge),
    refund: (stripe) => stripe.refunds.retrieve(refund),
    dispute: (stripe) => stripe.disputes.retrieve(dispute),
    "balance transaction": async (stripe) =>
      (await stripe.customers.listBalanceTransactions(customer.id)).data[0] ?? { id: credit },
    "webhook endpoint": (stripe) => stripe.webhookEndpoints.retrieve(endpoint),
    event: (stripe) => stripe.events.retrieve(event),
    "portal configuration": (stripe) => stripe.billingPortal.configurations.retrieve(configuration),
    "portal session": (stripe) => stripe.billingPortal.sessions.create({ customer: customer.id, configuration }),
  };
}

describe("the stand-in's objects", () => {
  it("have exactly the fields of the real API", async () => {
    const differences: Record<string, { missing: string[]; extra: string[] }> = {};
    for (const [kind, retrieve] of Object.entries(await made())) {
      const [here, there]: unknown[] = await Promise.all([retrieve(ours), retrieve(theirs)]);
      const missing = lacking(there, here).filter((path) => !VARYING.test(path) && !ONLY_SOMETIMES.has(lastOf(path)));
      const extra = lacking(here, there).filter(
        (path) =>
          !VARYING.test(path) &&
          !UNEXAMPLED.test(path) &&
          !STILL_SENT.has(lastOf(path)) &&
          !NEWER_THAN_CHECKER.has(lastOf(path)),
      );
      if (missing.length + extra.length > 0) differences[kind] = { missing, extra };
    }
    expect(differences).toEqual({});
  });
});

it("blank-objects.json is as the fixtures of stripe-mock say; `vitest -u` makes it anew", async () => {
  const file = join(import.meta.dirname, "shapes", "blank-objects.json");
  await expect(`${JSON.stringify(await makeBlankObjects(), null, 2)}\n`).toMatchFileSnapshot(file);
});
