import type { Account } from "../account.ts";
import type { Price, Subscription, SubscriptionItem } from "../state.ts";
import { periodEndSeconds, planOf } from "./catalog.ts";
import { blank } from "./blank.ts";

export interface SubscriptionDetails {
  readonly customer: string;
  readonly prices: readonly Price[];
  readonly metadata?: Record<string, string> | undefined;
  readonly paymentMethodTypes?: readonly ("card" | "link")[] | undefined;
  readonly savesCard?: boolean | undefined;
  readonly trialEndSeconds?: number | undefined;
  /** What happens when a trial ends without a card; `create_invoice` unless given. */
  readonly withoutCard?: "cancel" | "create_invoice" | "pause" | undefined;
}

export function newSubscription(account: Account, details: SubscriptionDetails): Subscription {
  const id = account.newId("subscription");
  const now = account.now();
  const trialEnd = details.trialEndSeconds ?? null;
  const anchor = trialEnd ?? now;
  const endsAt = trialEnd ?? Math.max(...details.prices.map((price) => periodEndSeconds(price, now, anchor)));
  return {
    ...blank(account, "subscription"),
    id,
    billing_cycle_anchor: anchor,
    billing_mode: { flexible: { proration_discounts: "included" }, type: "flexible" },
    cancel_at_period_end: false,
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
    currency: details.prices[0]?.currency ?? "usd",
    customer: details.customer,
    default_tax_rates: [],
    invoice_settings: {
      account_tax_ids: null,
      custom_fields: null,
      description: null,
      footer: null,
      issuer: { type: "self" },
    },
    items: {
      object: "list",
      data: details.prices.map((price) => newItem(account, id, price, { startSeconds: now, endSeconds: endsAt })),
      has_more: false,
      url: `/v1/subscription_items?subscription=${id}`,
    },
    metadata: details.metadata ?? {},
    payment_settings: {
      payment_method_options: null,
      payment_method_types: details.paymentMethodTypes ? [...details.paymentMethodTypes] : null,
      save_default_payment_method: details.savesCard ? "on_subscription" : "off",
    },
    start_date: now,
    status: trialEnd === null ? "incomplete" : "trialing",
    trial_end: trialEnd,
    trial_settings: {
      end_behavior: { billing_cycle_anchor: null, missing_payment_method: details.withoutCard ?? "create_invoice" },
    },
    trial_start: trialEnd === null ? null : now,
  };
}

function newItem(
  account: Account,
  subscription: string,
  price: Price,
  period: { startSeconds: number; endSeconds: number },
): SubscriptionItem {
  return {
    id: account.newId("subscription").replace(/^sub_/, "si_"),
    object: "subscription_item",
    billing_thresholds: null,
    created: account.now(),
    current_period_end: period.endSeconds,
    current_period_start: period.startSeconds,
    current_trial: null,
    discounts: [],
    metadata: {},
    plan: planOf(price),
    price,
    quantity: 1,
    subscription,
    tax_rates: [],
  };
}

/** @returns end of the paid period; the latest one if items differ */
export function periodEndOf(subscription: Subscription): number {
  return Math.max(...subscription.items.data.map((item) => item.current_period_end));
}
