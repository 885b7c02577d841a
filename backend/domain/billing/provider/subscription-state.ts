/** From the provider's objects to what we keep of them. */
import type { Stripe } from "stripe";
import { z } from "zod";
import { isLive, type ProviderStatus, type SubscriptionState } from "../tier-rules.ts";

/** What we can be in; a status that is new to us is nothing we could sell Pro for. */
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

function statusOf(subscription: Stripe.Subscription): ProviderStatus {
  return Status.catch("canceled").parse(subscription.status);
}

/** The provider counts in Unix seconds. */
export function dateOf(seconds: number): Date {
  return new Date(seconds * 1_000);
}

/** All of a customer's subscriptions, whatever became of them, with what a checkout and a read back look at. */
export async function listSubscriptions(stripe: Stripe, customerId: string): Promise<Stripe.Subscription[]> {
  const found: Stripe.Subscription[] = [];
  const pages = stripe.subscriptions.list({
    customer: customerId,
    status: "all",
    limit: 100,
    expand: ["data.latest_invoice.confirmation_secret", "data.pending_setup_intent"],
  });
  for await (const subscription of pages) found.push(subscription);
  return found;
}

/** What counts first; of two alike the newer. */
const ORDER: readonly ProviderStatus[] = ["active", "trialing", "past_due", "unpaid", "paused"];

/** The subscription that a customer's tier follows; null: none is live. */
export function liveOne(subscriptions: readonly Stripe.Subscription[]): Stripe.Subscription | null {
  const live = subscriptions.filter((subscription) => isLive(statusOf(subscription)));
  const rank = (subscription: Stripe.Subscription) => ORDER.indexOf(statusOf(subscription));
  return live.toSorted((a, b) => rank(a) - rank(b) || b.created - a.created)[0] ?? null;
}

export function incompleteOnes(subscriptions: readonly Stripe.Subscription[]): Stripe.Subscription[] {
  return subscriptions.filter(({ status }) => status === "incomplete");
}

/** @param before what was kept of it until now: a payment stays overdue since the first one that failed */
export function stateOf(subscription: Stripe.Subscription, before: SubscriptionState | null): SubscriptionState {
  const item = subscription.items.data[0];
  if (!item) throw new Error(`the subscription ${subscription.id} is for nothing`);
  const periodEndsAt = dateOf(item.current_period_end);
  const isPaused = isPausedAt(subscription, periodEndsAt);
  // What was paid for before the pause is still had.
  const status = isPaused && !isPeriodPaid(subscription) ? "paused" : statusOf(subscription);
  const isOverdue = status === "past_due" || status === "unpaid";
  const overdue = isOverdue ? overdueSince(subscription) : null;
  const earlier = before?.id === subscription.id ? before.pastDueSince : null;
  return {
    id: subscription.id,
    plan: item.price.recurring?.interval === "year" ? "yearly" : "monthly",
    status,
    periodEndsAt,
    isDisputed: false,
    // Newer accounts end at a time, older ones at a period's end: the provider uses either.
    endsAt:
      subscription.cancel_at === null
        ? subscription.cancel_at_period_end || (isPaused && status !== "paused")
          ? periodEndsAt
          : null
        : dateOf(subscription.cancel_at),
    pastDueSince: overdue && earlier && earlier < overdue ? earlier : overdue,
  };
}

/** Nothing is collected at the next renewal: https://docs.stripe.com/billing/subscriptions/pause-payment. */
function isPausedAt({ pause_collection: pause }: Stripe.Subscription, renewal: Date): boolean {
  if (pause === null) return false;
  const resumesAt = pause.resumes_at ?? null;
  return resumesAt === null || dateOf(resumesAt) > renewal;
}

function isPeriodPaid({ latest_invoice: invoice }: Stripe.Subscription): boolean {
  return invoice !== null && typeof invoice !== "string" && invoice.status === "paid";
}

/** When the invoice that was not paid became due, which is when the card was first tried. */
function overdueSince(subscription: Stripe.Subscription): Date {
  const invoice = subscription.latest_invoice;
  const item = subscription.items.data[0];
  if (invoice === null || typeof invoice === "string")
    return dateOf(item?.current_period_start ?? subscription.start_date);
  return dateOf(invoice.status_transitions.finalized_at ?? invoice.created);
}
