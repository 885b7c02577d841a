/** Products and prices. */
import type { Account } from "../account.ts";
import type { Plan, Price, Product } from "../state.ts";
import { blank } from "./blank.ts";

export interface ProductDetails {
  readonly id?: string | undefined;
  readonly name: string;
}

export function newProduct(account: Account, { id, name }: ProductDetails): Product {
  return {
    ...blank(account, "product"),
    id: id ?? account.newId("product"),
    name,
    tax_details: null,
    type: "service",
    updated: account.now(),
  };
}

export interface PriceDetails {
  readonly product: string;
  readonly currency: string;
  readonly unitAmount: number;
  readonly interval: "day" | "week" | "month" | "year";
  readonly lookupKey?: string | undefined;
  readonly active?: boolean | undefined;
  readonly metadata?: Record<string, string> | undefined;
}

export function newPrice(account: Account, details: PriceDetails): Price {
  return {
    ...blank(account, "price"),
    currency: details.currency,
    lookup_key: details.lookupKey ?? null,
    product: details.product,
    recurring: {
      interval: details.interval,
      interval_count: 1,
      meter: null,
      trial_period_days: null,
      usage_type: "licensed",
    },
    tax_behavior: "unspecified",
    unit_amount: details.unitAmount,
    unit_amount_decimal: String(details.unitAmount),
  };
}

/** The older form of a price, which the API still sends. */
export function planOf(price: Price): Plan {
  return {
    id: price.id,
    object: "plan",
    active: price.active,
    amount: price.unit_amount,
    amount_decimal: price.unit_amount_decimal,
    billing_scheme: "per_unit",
    created: price.created,
    currency: price.currency,
    interval: price.recurring.interval,
    interval_count: price.recurring.interval_count,
    livemode: false,
    metadata: price.metadata,
    meter: null,
    nickname: price.nickname,
    product: price.product,
    tiers_mode: null,
    transform_usage: null,
    trial_period_days: null,
    usage_type: "licensed",
  };
}

/** @returns end of a period: the same day of a later month, or its last day, in UTC */
export function periodEndSeconds(price: Price, startSeconds: number, anchorSeconds: number): number {
  const { interval, interval_count: count } = price.recurring;
  if (interval === "day") return startSeconds + count * 86_400;
  if (interval === "week") return startSeconds + count * 7 * 86_400;
  const start = new Date(startSeconds * 1_000);
  const month = start.getUTCMonth() + count * (interval === "year" ? 12 : 1);
  const lastDay = new Date(Date.UTC(start.getUTCFullYear(), month + 1, 0)).getUTCDate();
  const day = Math.min(new Date(anchorSeconds * 1_000).getUTCDate(), lastDay);
  return (
    Date.UTC(start.getUTCFullYear(), month, day, start.getUTCHours(), start.getUTCMinutes(), start.getUTCSeconds()) /
    1_000
  );
}
