/** Starts and resumes subscriptions and changes their price. */
import { type Account, DAY_SECONDS, randomLetters } from "../account.ts";
import { invalidRequest } from "../api-error.ts";
import type { Price, Subscription } from "../state.ts";
import { collect, draftInvoice, finalizeAndCollect, finalizeInvoice, savedCard } from "./invoicing.ts";

interface Wanted {
  readonly customer: string;
  readonly metadata?: Record<string, string> | undefined;
  readonly payment_behavior?: "default_incomplete" | undefined;
  readonly payment_settings?: { readonly save_default_payment_method?: "on_subscription" | undefined } | undefined;
  readonly trial_period_days?: number | undefined;
  readonly trial_settings?: { readonly end_behavior: { readonly missing_payment_method: "pause" } } | undefined;
}

/** A subscription starts with a trial, or waits for its first payment. Without a `payment_behavior`, that is tried. */
export function startSubscription(account: Account, wanted: Wanted, price: Price): Subscription {
  const now = account.now();
  const days = wanted.trial_period_days;
  const trialEnd = days === undefined ? null : now + days * DAY_SECONDS;
  const id = account.newId("subscription");
  const item = account.make("subscription_item", {
    current_period_end: trialEnd ?? periodEndSeconds(price, now, now),
    current_period_start: now,
    price,
    subscription: id,
  });
  const subscription = account.create("subscription", {
    id,
    billing_cycle_anchor: trialEnd ?? now,
    cancel_at_period_end: false,
    currency: price.currency,
    customer: wanted.customer,
    items: { object: "list", data: [item], has_more: false, url: `/v1/subscription_items?subscription=${id}` },
    metadata: wanted.metadata ?? {},
    payment_settings: {
      payment_method_options: null,
      payment_method_types: ["card"],
      save_default_payment_method: wanted.payment_settings?.save_default_payment_method ?? "off",
    },
    start_date: now,
    status: trialEnd === null ? "incomplete" : "trialing",
    trial_end: trialEnd,
    trial_settings: {
      end_behavior: {
        billing_cycle_anchor: null,
        missing_payment_method: wanted.trial_settings?.end_behavior.missing_payment_method ?? "create_invoice",
      },
    },
    trial_start: trialEnd === null ? null : now,
  });
  account.emit("customer.subscription.created", subscription);
  const total = trialEnd === null ? price.unit_amount : 0;
  const invoice = draftInvoice(account, subscription, "subscription_create", total);
  finalizeInvoice(account, invoice);
  if (trialEnd === null && wanted.payment_behavior !== "default_incomplete") collect(account, invoice);
  if (trialEnd !== null && !savedCard(account, subscription)) {
    const setUp = account.newId("setup_intent");
    subscription.pending_setup_intent = setUp;
    account.emit(
      "setup_intent.created",
      account.create("setup_intent", {
        id: setUp,
        client_secret: `${setUp}_secret_${randomLetters(31)}`,
        customer: wanted.customer,
        payment_method_types: ["card"],
      }),
    );
    account.emit("customer.subscription.updated", subscription);
  }
  return subscription;
}

/**
 * Resumes a subscription that was paused after its trial: a new period begins and is charged.
 * @throws ApiError 400 when it is not paused; the decline when the card is declined
 */
export function resumeSubscription(account: Account, subscription: Subscription): Subscription {
  if (subscription.status !== "paused") throw invalidRequest("You can only resume a subscription that is paused.");
  const [{ price }] = subscription.items.data;
  startPeriod(account, subscription, price);
  const invoice = draftInvoice(account, subscription, "subscription_cycle", price.unit_amount);
  finalizeInvoice(account, invoice);
  const refusal = collect(account, invoice);
  if (refusal) throw refusal;
  subscription.status = "active";
  account.emit("customer.subscription.resumed", subscription);
  return subscription;
}

/** Changes the price now: the unused time of the old price is credited, and a new period begins. */
export function changePrice(account: Account, subscription: Subscription, price: Price): void {
  const [{ price: old, current_period_start: start, current_period_end: end }] = subscription.items.data;
  if (old.id === price.id) return;
  const unused = Math.max(0, end - account.now()) / (end - start);
  startPeriod(account, subscription, price);
  const total = price.unit_amount - Math.round(old.unit_amount * unused);
  finalizeAndCollect(account, draftInvoice(account, subscription, "subscription_update", total));
}

function startPeriod(account: Account, subscription: Subscription, price: Price): void {
  const now = account.now();
  subscription.billing_cycle_anchor = now;
  const [item] = subscription.items.data;
  Object.assign(item, {
    current_period_end: periodEndSeconds(price, now, now),
    current_period_start: now,
    price,
  });
  if (subscription.cancel_at_period_end) subscription.cancel_at = item.current_period_end;
}

/** Plans or revokes the end of a subscription at the end of its period. */
export function setCancelAtPeriodEnd(account: Account, subscription: Subscription, ends: boolean): void {
  if (subscription.cancel_at_period_end === ends) return;
  subscription.cancel_at_period_end = ends;
  subscription.cancel_at = ends ? subscription.items.data[0].current_period_end : null;
  subscription.canceled_at = ends ? account.now() : null;
}

/** @returns end of a period: the same day of a later month, or its last day, in UTC */
export function periodEndSeconds({ recurring }: Price, startSeconds: number, anchorSeconds: number): number {
  return monthsLater(startSeconds, recurring.interval === "year" ? 12 : 1, anchorSeconds);
}

/** @returns a time of a later month on the anchor's day, or on the last day of that month, in UTC */
export function monthsLater(startSeconds: number, months: number, anchorSeconds: number = startSeconds): number {
  const end = new Date(startSeconds * 1_000);
  end.setUTCMonth(end.getUTCMonth() + months + 1, 0);
  end.setUTCDate(Math.min(new Date(anchorSeconds * 1_000).getUTCDate(), end.getUTCDate()));
  return end.getTime() / 1_000;
}
