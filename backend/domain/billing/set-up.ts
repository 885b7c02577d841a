/**
 * Makes at the provider what is for sale, or checks it: product, prices, portal, and where messages
 * go. Safe to run again; nothing that is right is touched.
 */
import type { Stripe } from "stripe";
import type { Plan } from "../../../common/api.ts";
import { CatalogError, CURRENCY, differenceOf, PLAN_PRICES, PORTAL_MARK } from "./provider/catalog.ts";
import { EVENT_TYPES } from "./events/events.ts";

/** Ours to choose, so that two runs at once make one product. */
const PRODUCT_ID = "tapedeck_pro";
const NOT_THE_SITES =
  "An existing price cannot be changed at the provider: give its lookup key to a right one, or take it away, and run this again";

export interface SetUpReport {
  /** What was done or found, a line each. */
  readonly lines: readonly string[];
  /** Told by the provider once only, when the endpoint is made; null: it was there, or there is none. */
  readonly webhookSecret: string | null;
}

/**
 * @param webhookUrl where messages are to go; null: whoever runs this sees to that
 * @throws CatalogError when a price is there and wrong
 */
export async function setUpBilling(stripe: Stripe, webhookUrl: string | null): Promise<SetUpReport> {
  const lines: string[] = [];
  const product = await findOrCreateProduct(stripe, lines);
  const prices = [];
  for (const plan of ["monthly", "yearly"] as const)
    prices.push(await findOrCreatePrice(stripe, plan, product.id, lines));
  await findOrCreatePortal(stripe, product.id, prices, lines);
  const webhookSecret = webhookUrl === null ? null : await findOrCreateEndpoint(stripe, webhookUrl, lines);
  return { lines, webhookSecret };
}

async function findOrCreateProduct(stripe: Stripe, lines: string[]): Promise<Stripe.Product> {
  const { data } = await stripe.products.list({ ids: [PRODUCT_ID], limit: 1 });
  const known = data[0];
  lines.push(known ? `Product ${known.id} is there` : `Product ${PRODUCT_ID} made`);
  return known ?? stripe.products.create({ id: PRODUCT_ID, name: "Tapedeck Pro" });
}

async function findOrCreatePrice(stripe: Stripe, plan: Plan, product: string, lines: string[]): Promise<string> {
  const { lookupKey, interval, unitAmountCents } = PLAN_PRICES[plan];
  const known = (await stripe.prices.list({ lookup_keys: [lookupKey], active: true, limit: 1 })).data[0];
  const difference = known === undefined ? null : differenceOf(plan, known);
  if (difference !== null) throw new CatalogError(`The price ${lookupKey} ${difference}. ${NOT_THE_SITES}`);
  const price =
    known ??
    (await stripe.prices.create({
      product,
      currency: CURRENCY,
      unit_amount: unitAmountCents,
      recurring: { interval },
      lookup_key: lookupKey,
    }));
  lines.push(`Price ${lookupKey} ${known ? "is right" : "made"}: ${price.id}`);
  return price.id;
}

async function findOrCreatePortal(stripe: Stripe, product: string, prices: string[], lines: string[]): Promise<void> {
  for await (const known of stripe.billingPortal.configurations.list({ active: true, limit: 100 })) {
    if (known.metadata?.["tapedeck"] !== PORTAL_MARK.tapedeck) continue;
    lines.push(`Portal ${known.id} is there`);
    return;
  }
  const made = await stripe.billingPortal.configurations.create({
    metadata: { ...PORTAL_MARK },
    features: {
      invoice_history: { enabled: true },
      payment_method_update: { enabled: true },
      // What was paid for is kept until its end.
      subscription_cancel: { enabled: true, mode: "at_period_end" },
      subscription_update: {
        enabled: true,
        default_allowed_updates: ["price"],
        proration_behavior: "always_invoice",
        products: [{ product, prices }],
      },
    },
  });
  lines.push(`Portal ${made.id} made`);
}

async function findOrCreateEndpoint(stripe: Stripe, url: string, lines: string[]): Promise<string | null> {
  for await (const known of stripe.webhookEndpoints.list({ limit: 100 })) {
    if (known.url !== url) continue;
    const isComplete =
      known.status === "enabled" &&
      (known.enabled_events.includes("*") || EVENT_TYPES.every((type) => known.enabled_events.includes(type)));
    if (!isComplete)
      await stripe.webhookEndpoints.update(known.id, { enabled_events: [...EVENT_TYPES], disabled: false });
    lines.push(
      `Messages go to ${url} ${isComplete ? "already" : "again, and all that are needed"}; their secret is shown at the provider`,
    );
    return null;
  }
  const made = await stripe.webhookEndpoints.create({ url, enabled_events: [...EVENT_TYPES] });
  lines.push(`Messages go to ${url} now`);
  return made.secret ?? null;
}
