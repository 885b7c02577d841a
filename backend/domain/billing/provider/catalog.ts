/**
 * What is for sale, as the provider has it: prices found by their lookup keys and held against our
 * own table. Asked for when first needed and remembered once it is right.
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

/** By which our own portal configuration is known among others. */
export const PORTAL_MARK = { tapedeck: "portal" } as const;

export interface Catalog {
  /**
   * @returns the price's id
   * @throws UserError payment_unconfigured when what is for sale is not what our pages say; the cause names the
   * difference
   */
  priceOf(plan: Plan): Promise<string>;
  /** Null: none of ours, so the account's default one is used. */
  portalConfiguration(): Promise<string | null>;
  /** Asks the provider again next time: prices have changed. */
  forget(): void;
}

/** What is for sale is not what the pages say. The message is for the operator. */
export class CatalogError extends Error {}

export function createCatalog(stripe: Stripe): Catalog {
  const prices = remembered(() => findPrices(stripe));
  const portal = remembered(() => findPortal(stripe));
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
    forget() {
      prices.forget();
      portal.forget();
    },
  };
}

/** What differs between a price and our table, in words; null: nothing. */
export function differenceOf(plan: Plan, price: Stripe.Price): string | null {
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
    const difference = differenceOf(plan, price);
    if (difference !== null)
      throw new CatalogError(`The price ${lookupKey} ${difference}, so it is not what the site says`);
    return price.id;
  };
  return { monthly: idOf("monthly"), yearly: idOf("yearly") };
}

async function findPortal(stripe: Stripe): Promise<string | null> {
  for await (const configuration of stripe.billingPortal.configurations.list({ active: true, limit: 100 }))
    if (configuration.metadata?.["tapedeck"] === PORTAL_MARK.tapedeck) return configuration.id;
  return null;
}

interface Remembered<T> {
  get(): Promise<T>;
  forget(): void;
}

/** A failure is not remembered: it may have been mended since. */
function remembered<T>(find: () => Promise<T>): Remembered<T> {
  let found: Promise<T> | undefined;
  return {
    async get() {
      const mine = (found ??= find());
      try {
        return await mine;
      } catch (error) {
        if (found === mine) found = undefined;
        throw error;
      }
    },
    forget() {
      found = undefined;
    },
  };
}
