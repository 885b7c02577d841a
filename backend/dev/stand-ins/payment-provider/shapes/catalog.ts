/** Products and prices. */
import type { Account } from "../account.ts";
import type { Plan, Price, Product } from "../state.ts";

export interface ProductDetails {
  readonly id?: string | undefined;
  readonly name: string;
  readonly description?: string | undefined;
  readonly active?: boolean | undefined;
  readonly metadata?: Record<string, string> | undefined;
}

export function newProduct(account: Account, { id, name, description, active, metadata }: ProductDetails): Product {
  return {
    id: id ?? account.newId("product"),
    object: "product",
    active: active ?? true,
    created: account.now(),
    default_price: null,
    description: description || null,
    images: [],
    livemode: false,
    marketing_features: [],
    metadata: metadata ?? {},
    name,
    package_dimensions: null,
    shippable: null,
    statement_descriptor: null,
    tax_code: null,
    tax_details: null,
    type: "service",
    unit_label: null,
    updated: account.now(),
    url: null,
  };
}

export interface PriceDetails {
  readonly product: string;
  readonly currency: string;
  readonly unitAmount: number;
  readonly interval: "day" | "week" | "month" | "year";
  readonly intervalCount?: number | undefined;
  readonly lookupKey?: string | undefined;
  readonly nickname?: string | undefined;
  readonly active?: boolean | undefined;
  readonly metadata?: Record<string, string> | undefined;
}

export function newPrice(account: Account, details: PriceDetails): Price {
  return {
    id: account.newId("price"),
    object: "price",
    active: details.active ?? true,
    billing_scheme: "per_unit",
    created: account.now(),
    currency: details.currency,
    custom_unit_amount: null,
    livemode: false,
    lookup_key: details.lookupKey ?? null,
    metadata: details.metadata ?? {},
    nickname: details.nickname ?? null,
    product: details.product,
    recurring: {
      interval: details.interval,
      interval_count: details.intervalCount ?? 1,
      meter: null,
      trial_period_days: null,
      usage_type: "licensed",
    },
    tax_behavior: "unspecified",
    tiers_mode: null,
    transform_quantity: null,
    type: "recurring",
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
