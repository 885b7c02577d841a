import type { Account } from "../account.ts";
import type { Price, Subscription, SubscriptionItem } from "../state.ts";
import { periodEndSeconds, planOf } from "./catalog.ts";

export interface SubscriptionDetails {
  readonly customer: string;
  readonly items: readonly { readonly price: Price; readonly quantity: number }[];
  readonly metadata?: Record<string, string> | undefined;
  readonly description?: string | undefined;
  readonly billingMode?: "classic" | "flexible" | undefined;
  readonly cancelAtPeriodEnd?: boolean | undefined;
  readonly defaultPaymentMethod?: string | undefined;
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
  const endsAt = trialEnd ?? Math.max(...details.items.map(({ price }) => periodEndSeconds(price, now, anchor)));
  const willEnd = details.cancelAtPeriodEnd ?? false;
  return {
    id,
    object: "subscription",
    application: null,
    application_fee_percent: null,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null },
    billing_cycle_anchor: anchor,
    billing_cycle_anchor_config: null,
    billing_mode:
      details.billingMode === "classic"
        ? { flexible: null, type: "classic" }
        : { flexible: { proration_discounts: "included" }, type: "flexible" },
    billing_schedules: [],
    billing_thresholds: null,
    cancel_at: willEnd ? endsAt : null,
    cancel_at_period_end: willEnd,
    canceled_at: willEnd ? now : null,
    cancellation_details: {
      comment: null,
      feedback: null,
      feedback_option: null,
      reason: willEnd ? "cancellation_requested" : null,
    },
    collection_method: "charge_automatically",
    created: now,
    currency: details.items[0]?.price.currency ?? "usd",
    customer: details.customer,
    customer_account: null,
    days_until_due: null,
    default_payment_method: details.defaultPaymentMethod ?? null,
    default_source: null,
    default_tax_rates: [],
    description: details.description ?? null,
    discounts: [],
    ended_at: null,
    invoice_settings: {
      account_tax_ids: null,
      custom_fields: null,
      description: null,
      footer: null,
      issuer: { type: "self" },
    },
    items: {
      object: "list",
      data: details.items.map(({ price, quantity }) =>
        newItem(account, id, price, { quantity, startSeconds: now, endSeconds: endsAt }),
      ),
      has_more: false,
      url: `/v1/subscription_items?subscription=${id}`,
    },
    latest_invoice: null,
    livemode: false,
    managed_payments: null,
    metadata: details.metadata ?? {},
    next_pending_invoice_item_invoice: null,
    on_behalf_of: null,
    pause_collection: null,
    payment_settings: {
      payment_method_options: null,
      payment_method_types: details.paymentMethodTypes ? [...details.paymentMethodTypes] : null,
      save_default_payment_method: details.savesCard ? "on_subscription" : "off",
    },
    pending_invoice_item_interval: null,
    pending_setup_intent: null,
    pending_update: null,
    schedule: null,
    start_date: now,
    status: trialEnd === null ? "incomplete" : "trialing",
    test_clock: null,
    transfer_data: null,
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
  period: { quantity: number; startSeconds: number; endSeconds: number },
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
    quantity: period.quantity,
    subscription,
    tax_rates: [],
  };
}

/** @returns end of the paid period; the latest one if items differ */
export function periodEndOf(subscription: Subscription): number {
  return Math.max(...subscription.items.data.map((item) => item.current_period_end));
}
