/** Compares the fields of the stand-in's objects with those of stripe-mock. */
import { join } from "node:path";
import { Stripe } from "stripe";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createCatalog } from "../../../domain/billing/provider/catalog.ts";
import { setUpBilling } from "../../../domain/billing/set-up.ts";
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

/** In the API's description, but not in stripe-mock's examples. */
const UNEXAMPLED = new Set([
  "amount_details.tip",
  "end_behavior.billing_cycle_anchor",
  "payment.payment_intent",
  "recurring.trial_period_days",
  "subscription_update.products",
]);

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

const lastTwoOf = (path: string) => path.split(".").slice(-2).join(".");

/** Fields that only some objects have, and fields with values of another kind than in the example. */
const VARYING = /\.(?:data\.object|metadata|refunds)(?:\.|$)/;

async function made(): Promise<Record<string, (stripe: Stripe) => Promise<object>>> {
  const payment = { stripe: ours, catalog: createCatalog(ours) };
  await setUpBilling(ours, "http://127.0.0.1:9/");
  const price = await payment.catalog.priceOf("monthly");
  const customer = (await ours.customers.create({ email: "ada@example.com" })).id;
  await ours.subscriptions.create({ customer, items: [{ price }], trial_period_days: 7 });
  provider.setCard(customer, "4242424242424242");
  await provider.advance({ days: 8 });
  const id = async (list: Promise<{ data: { id: string }[] }>) => (await list).data[0]?.id ?? "";
  const subscription = await id(ours.subscriptions.list());
  const invoice = await id(ours.invoices.list());
  const intent = await id(ours.paymentIntents.list());
  const setup = String(provider.events.find(({ type }) => type === "setup_intent.created")?.data.object["id"]);
  const charge = await id(ours.charges.list());
  const invoicePayment = await id(ours.invoicePayments.list());
  const method = await id(ours.paymentMethods.list());
  const endpoint = await id(ours.webhookEndpoints.list());
  const dispute = provider.dispute(charge).id;
  const refund = (await ours.refunds.create({ charge })).id;
  const event = provider.events[0]?.id ?? "";
  const configuration = (await payment.catalog.portalConfiguration()) ?? "";
  return {
    customer: (stripe) => stripe.customers.retrieve(customer),
    product: (stripe) => stripe.products.retrieve("tapedeck_pro"),
    price: (stripe) => stripe.prices.retrieve(price),
    subscription: (stripe) => stripe.subscriptions.retrieve(subscription),
    invoice: (stripe) => stripe.invoices.retrieve(invoice, { expand: ["confirmation_secret", "payments"] }),
    "invoice payment": (stripe) => stripe.invoicePayments.retrieve(invoicePayment),
    "payment intent": (stripe) => stripe.paymentIntents.retrieve(intent),
    "setup intent": (stripe) => stripe.setupIntents.retrieve(setup),
    "payment method": (stripe) => stripe.paymentMethods.retrieve(method),
    charge: (stripe) => stripe.charges.retrieve(charge),
    refund: (stripe) => stripe.refunds.retrieve(refund),
    dispute: (stripe) => stripe.disputes.retrieve(dispute),
    "balance transaction": (stripe) =>
      stripe.customers.createBalanceTransaction(customer, { amount: -100, currency: "usd" }),
    "webhook endpoint": (stripe) => stripe.webhookEndpoints.retrieve(endpoint),
    event: (stripe) => stripe.events.retrieve(event),
    "portal configuration": (stripe) => stripe.billingPortal.configurations.retrieve(configuration),
    "portal session": (stripe) =>
      stripe.billingPortal.sessions.create({ customer, configuration, return_url: "https://example.com/" }),
  };
}

describe("the stand-in's objects", () => {
  it("have exactly the fields of the real API", async () => {
    const differences: Record<string, { missing: string[]; extra: string[] }> = {};
    for (const [kind, retrieve] of Object.entries(await made())) {
      const [here, there]: unknown[] = await Promise.all([retrieve(ours), retrieve(theirs)]);
      const missing = lacking(there, here).filter((path) => !VARYING.test(path));
      const extra = lacking(here, there).filter((path) => !VARYING.test(path) && !UNEXAMPLED.has(lastTwoOf(path)));
      if (missing.length + extra.length > 0) differences[kind] = { missing, extra };
    }
    expect(differences).toEqual({});
  });
});

it("blank-objects.json is as the fixtures of stripe-mock say; `vitest -u` makes it anew", async () => {
  const file = join(import.meta.dirname, "shapes", "blank-objects.json");
  await expect(`${JSON.stringify(await makeBlankObjects(), null, 2)}\n`).toMatchFileSnapshot(file);
});
