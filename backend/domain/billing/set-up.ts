/**
 * Creates or checks the objects that we need at the payment provider: product, prices, portal and webhook endpoint.
 * Can be repeated; objects that are correct stay unchanged.
 */
import type { Stripe } from "stripe";
import type { Plan } from "../../../common/api.ts";
import { CatalogError, CURRENCY, describePriceDifference, PLAN_PRICES, PORTAL_METADATA } from "./provider/catalog.ts";
import { EVENT_TYPES } from "./events/event-types.ts";

/** The product gets a fixed id, so that two runs at the same time create only one. */
const PRODUCT_ID = "tapedeck_pro";
/**
 * A change from yearly to monthly waits for the end of the year. At once, the rest of the year would become credit, even
 * if it was never paid because the card was declined.
 */
const SHORTER_PERIOD = { type: "shortening_interval" };
const HOW_TO_CORRECT_A_PRICE =
  "The provider does not allow changes to a price: " +
  "move its lookup key to a correct price, or remove the key, and run this command again";

export interface SetUpReport {
  /** One line for each object: whether it was found or created. */
  readonly lines: readonly string[];
  /** The provider shows it only when the endpoint is created; null if the endpoint existed or there is none. */
  readonly webhookSecret: string | null;
}

/**
 * @param webhookUrl URL for the provider's events; null to set up no endpoint
 * @throws CatalogError when a price exists and is wrong
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
  lines.push(known ? `Product ${known.id} found` : `Product ${PRODUCT_ID} created`);
  return known ?? stripe.products.create({ id: PRODUCT_ID, name: "Tapedeck Pro" });
}

async function findOrCreatePrice(stripe: Stripe, plan: Plan, product: string, lines: string[]): Promise<string> {
  const { lookupKey, interval, unitAmountCents } = PLAN_PRICES[plan];
  const known = (await stripe.prices.list({ lookup_keys: [lookupKey], active: true, limit: 1 })).data[0];
  const difference = known === undefined ? null : describePriceDifference(plan, known);
  if (difference !== null) throw new CatalogError(`The price ${lookupKey} ${difference}. ${HOW_TO_CORRECT_A_PRICE}`);
  const price =
    known ??
    (await stripe.prices.create({
      product,
      currency: CURRENCY,
      unit_amount: unitAmountCents,
      recurring: { interval },
      lookup_key: lookupKey,
    }));
  lines.push(`Price ${lookupKey} ${known ? "found" : "created"}: ${price.id}`);
  return price.id;
}

async function findOrCreatePortal(stripe: Stripe, product: string, prices: string[], lines: string[]): Promise<void> {
  for await (const known of stripe.billingPortal.configurations.list({ active: true, limit: 100 })) {
    if (known.metadata?.["tapedeck"] !== PORTAL_METADATA.tapedeck) continue;
    const { conditions } = known.features.subscription_update.schedule_at_period_end;
    const isComplete = conditions.some(({ type }) => type === SHORTER_PERIOD.type);
    if (!isComplete)
      await stripe.billingPortal.configurations.update(known.id, {
        features: { subscription_update: { schedule_at_period_end: { conditions: [SHORTER_PERIOD] } } },
      });
    lines.push(`Portal ${known.id} ${isComplete ? "found" : "corrected"}`);
    return;
  }
  const created = await stripe.billingPortal.configurations.create({
    metadata: { ...PORTAL_METADATA },
    features: {
      invoice_history: { enabled: true },
      payment_method_update: { enabled: true },
      // Users keep Pro until the end of the period that they paid for.
      subscription_cancel: { enabled: true, mode: "at_period_end" },
      subscription_update: {
        enabled: true,
        default_allowed_updates: ["price"],
        proration_behavior: "always_invoice",
        schedule_at_period_end: { conditions: [SHORTER_PERIOD] },
        products: [{ product, prices }],
      },
    },
  });
  lines.push(`Portal ${created.id} created`);
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
      `Webhook endpoint ${url} ${isComplete ? "found" : "corrected"}; its secret is shown in the provider's dashboard`,
    );
    return null;
  }
  const created = await stripe.webhookEndpoints.create({ url, enabled_events: [...EVENT_TYPES] });
  lines.push(`Webhook endpoint ${url} created`);
  return created.secret ?? null;
}
