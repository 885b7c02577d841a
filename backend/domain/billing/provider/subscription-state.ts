/** Reads the provider's subscriptions and turns them into the state that we store. */
import type { Stripe } from "stripe";
import { z } from "zod";
import { isLive, type ProviderStatus, type SubscriptionState } from "../tier-rules.ts";
import { isMissing } from "./stripe-client.ts";

const Status = z.enum([
  "active",
  "trialing",
  "past_due",
  "unpaid",
  "paused",
  "incomplete",
  "incomplete_expired",
  "canceled",
]);

/** An unknown status counts as canceled, so that it never gives Pro. */
function statusOf(subscription: Stripe.Subscription): ProviderStatus {
  return Status.catch("canceled").parse(subscription.status);
}

function dateOf(unixSeconds: number): Date {
  return new Date(unixSeconds * 1_000);
}

/**
 * Lists all subscriptions of a customer, of any status, with latest invoice and setup intent.
 * @returns an empty list when the customer does not exist or was deleted
 */
export async function listSubscriptions(stripe: Stripe, customerId: string): Promise<Stripe.Subscription[]> {
  const found: Stripe.Subscription[] = [];
  const pages = stripe.subscriptions.list({
    customer: customerId,
    status: "all",
    limit: 100,
    expand: ["data.latest_invoice.confirmation_secret", "data.pending_setup_intent"],
  });
  try {
    for await (const subscription of pages) found.push(subscription);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
  return found;
}

/** The live statuses, best first. */
const PREFERENCE: readonly ProviderStatus[] = ["active", "trialing", "past_due", "unpaid", "paused"];

/** @returns the subscription that decides the tier: the best status first, then the newest; null if none is live */
export function findLiveSubscription(subscriptions: readonly Stripe.Subscription[]): Stripe.Subscription | null {
  const live = subscriptions.filter((subscription) => isLive(statusOf(subscription)));
  const rank = (subscription: Stripe.Subscription) => PREFERENCE.indexOf(statusOf(subscription));
  return live.toSorted((a, b) => rank(a) - rank(b) || b.created - a.created)[0] ?? null;
}

/** @returns the subscriptions that wait for their first payment */
export function incompleteSubscriptions(subscriptions: readonly Stripe.Subscription[]): Stripe.Subscription[] {
  return subscriptions.filter(({ status }) => status === "incomplete");
}

/** @returns null without one, or if it was not expanded */
export function latestInvoiceOf({ latest_invoice: invoice }: Stripe.Subscription): Stripe.Invoice | null {
  return typeof invoice === "string" ? null : invoice;
}

/** The invoice is paid shortly before the status of the subscription changes. */
export function isLatestInvoicePaid(subscription: Stripe.Subscription): boolean {
  return latestInvoiceOf(subscription)?.status === "paid";
}

/**
 * Whether a change of plan was made without a payment, while collection was paused. The provider calls the subscription
 * active, for the whole period of the new plan.
 */
function isChangeUnpaid(subscription: Stripe.Subscription): boolean {
  const invoice = latestInvoiceOf(subscription);
  const isChange = invoice?.billing_reason === "subscription_update";
  return isChange && (invoice.status === "void" || invoice.status === "uncollectible");
}

/**
 * @param before the state stored so far: if a payment was already overdue, the earlier time is kept
 * @throws Error when the subscription has no item
 */
export function toSubscriptionState(
  subscription: Stripe.Subscription,
  before: SubscriptionState | null,
): SubscriptionState {
  const item = subscription.items.data[0];
  if (!item) throw new Error(`the subscription ${subscription.id} has no item`);
  const periodEndsAt = dateOf(item.current_period_end);
  const isPaused = isPausedAtRenewal(subscription, periodEndsAt);
  // A paused subscription stays active until the end of the period that was paid.
  const isUnpaid = (isPaused && !isLatestInvoicePaid(subscription)) || isChangeUnpaid(subscription);
  const status = isUnpaid ? "paused" : statusOf(subscription);
  const endsWithPeriod = subscription.cancel_at_period_end || (isPaused && status !== "paused");
  // The provider sets `cancel_at` or `cancel_at_period_end`, depending on the age of the account.
  const endsAt =
    subscription.cancel_at === null ? (endsWithPeriod ? periodEndsAt : null) : dateOf(subscription.cancel_at);
  const isOverdue = status === "past_due" || status === "unpaid";
  const overdue = isOverdue ? overdueSince(subscription) : null;
  const earlier = before?.id === subscription.id ? before.pastDueSince : null;
  return {
    id: subscription.id,
    plan: item.price.recurring?.interval === "year" ? "yearly" : "monthly",
    status,
    periodEndsAt,
    isDisputed: false,
    endsAt,
    pastDueSince: overdue && earlier && earlier < overdue ? earlier : overdue,
  };
}

/** Whether collection is still paused at the renewal: https://docs.stripe.com/billing/subscriptions/pause-payment. */
function isPausedAtRenewal({ pause_collection: pause }: Stripe.Subscription, renewal: Date): boolean {
  if (pause === null) return false;
  const resumesAt = pause.resumes_at ?? null;
  return resumesAt === null || dateOf(resumesAt) > renewal;
}

/** @returns when the unpaid invoice became due and the card was first tried */
function overdueSince(subscription: Stripe.Subscription): Date {
  const invoice = latestInvoiceOf(subscription);
  const item = subscription.items.data[0];
  if (invoice === null) return dateOf(item?.current_period_start ?? subscription.start_date);
  return dateOf(invoice.status_transitions.finalized_at ?? invoice.created);
}
