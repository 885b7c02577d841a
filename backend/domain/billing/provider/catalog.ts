/**
 * The prices at the payment provider. They are found by their lookup keys, compared with our own table, and cached
 * after the first successful request.
 */
import type { Stripe } from "stripe";
import type { Plan } from "../../../../common/api.ts";
import { UserError } from "../../../../common/errors.ts";
import { PRO_MONTHLY_USD, PRO_YEARLY_USD } from "../../../../common/prices.ts";

export interface PlanPrice {
  readonly lookupKey: string;
  readonly interval: "month" | "year";
  readonly unitAmountCents: number;
}

export const CURRENCY = "usd";
const CENTS = 100;

export const PLAN_PRICES: Readonly<Record<Plan, PlanPrice>> = {
  monthly: { lookupKey: "tapedeck_pro_monthly", interval: "month", unitAmountCents: PRO_MONTHLY_USD * CENTS },
  yearly: { lookupKey: "tapedeck_pro_yearly", interval: "year", unitAmountCents: PRO_YEARLY_USD * CENTS },
};

/** Metadata that identifies our portal configuration. */
export const PORTAL_METADATA = { tapedeck: "portal" } as const;

export interface Catalog {
  /**
   * @returns the price's id
   * @throws UserError payment_unconfigured when a price is missing or differs from our pages; the cause is a
   * {@link CatalogError}
   */
  priceOf(plan: Plan): Promise<string>;
  /** @returns the id of our portal configuration; null if there is none, so that the provider uses its default */
  portalConfiguration(): Promise<string | null>;
  /** Clears the cache, because prices have changed. */
  invalidate(): void;
}

/** A price at the provider is missing or differs from our pages. The message is for the operator. */
export class CatalogError extends Error {}

export function createCatalog(stripe: Stripe): Catalog {
  const prices = cached(() => findPrices(stripe));
  const portal = cached(() => findPortal(stripe));
  return {
    async priceOf(plan) {
      try {
        return (await prices.get())[plan];
      } catch (error) {
        if (error instanceof CatalogError) throw Object.assign(new UserError("payment_unconfigured"), { cause: error });
        throw error;
      }
    },
    portalConfiguration: () => portal.get(),
    invalidate() {
      prices.invalidate();
      portal.invalidate();
    },
  };
}

/**
 * Compares a price with our table.
 * @returns the difference as the end of a sentence, such as "is not active"; null if there is none
 */
export function describePriceDifference(plan: Plan, price: Stripe.Price): string | null {
  const { unitAmountCents, interval } = PLAN_PRICES[plan];
  if (!price.active) return "is not active";
  if (price.currency !== CURRENCY) return `is in ${price.currency} instead of ${CURRENCY}`;
  if (price.unit_amount !== unitAmountCents)
    return `is ${price.unit_amount ?? "no whole number of"} cents instead of ${unitAmountCents}`;
  const { recurring } = price;
  if (recurring?.interval !== interval || recurring.interval_count !== 1) return `is not charged once a ${interval}`;
  if (recurring.usage_type !== "licensed") return "is charged by use";
  return null;
}

/** @throws CatalogError */
async function findPrices(stripe: Stripe): Promise<Record<Plan, string>> {
  const { data } = await stripe.prices.list({
    lookup_keys: Object.values(PLAN_PRICES).map(({ lookupKey }) => lookupKey),
    active: true,
    limit: 10,
  });
  const idOf = (plan: Plan): string => {
    const { lookupKey } = PLAN_PRICES[plan];
    const price = data.find(({ lookup_key: key }) => key === lookupKey);
    if (!price) throw new CatalogError(`The payment provider has no price ${lookupKey}: run npm run billing:setup`);
    const difference = describePriceDifference(plan, price);
    if (difference !== null)
      throw new CatalogError(`The price ${lookupKey} ${difference}, so it is not the price on the site`);
    return price.id;
  };
  return { monthly: idOf("monthly"), yearly: idOf("yearly") };
}

async function findPortal(stripe: Stripe): Promise<string | null> {
  for await (const configuration of stripe.billingPortal.configurations.list({ active: true, limit: 100 }))
    if (configuration.metadata?.["tapedeck"] === PORTAL_METADATA.tapedeck) return configuration.id;
  return null;
}

interface Cached<T> {
  get(): Promise<T>;
  invalidate(): void;
}

/** Caches the result of a request, but not a failure, so that the next call asks again. */
function cached<T>(find: () => Promise<T>): Cached<T> {
  let found: Promise<T> | undefined;
  return {
    async get() {
      const request = (found ??= find());
      try {
        return await request;
      } catch (error) {
        if (found === request) found = undefined;
        throw error;
      }
    },
    invalidate() {
      found = undefined;
    },
  };
}
