/** When a subscription is worth Pro: plain functions over what the payment provider said last. */
import type { Plan, Subscription } from "../../../common/api.ts";
import type { Tier } from "../../../common/tiers.ts";

/** The provider's words for how a subscription stands. */
export type ProviderStatus =
  "active" | "trialing" | "past_due" | "unpaid" | "paused" | "incomplete" | "incomplete_expired" | "canceled";

/** What we keep of a subscription. Every field is the provider's; none is ours to decide. */
export interface SubscriptionState {
  /** The provider's id. */
  id: string;
  plan: Plan;
  status: ProviderStatus;
  /** When the period that was paid last, or should have been, is over. */
  periodEndsAt: Date;
  /** Set: it ends then instead of being renewed. */
  endsAt: Date | null;
  /** Since when a payment is overdue; null while none is. */
  pastDueSince: Date | null;
  /** The payer's bank has taken a payment of it back, and has not decided yet. */
  isDisputed: boolean;
}

/** Statuses in which a subscription exists and another one beside it would be charged twice. */
const LIVE: ReadonlySet<ProviderStatus> = new Set(["active", "trialing", "past_due", "unpaid", "paused"]);

export function isLive(status: ProviderStatus): boolean {
  return LIVE.has(status);
}

/** Until when Pro is kept while a payment is overdue; null while none is. */
export function graceEndOf({ pastDueSince }: SubscriptionState, graceMs: number): Date | null {
  return pastDueSince && new Date(pastDueSince.getTime() + graceMs);
}

/** The tier that a subscription pays for at a moment. */
export function tierOf(subscription: SubscriptionState | null, now: Date, graceMs: number): Tier {
  if (subscription?.isDisputed) return "free";
  switch (subscription?.status) {
    case "active":
    case "trialing":
      return subscription.endsAt !== null && subscription.endsAt <= now ? "free" : "pro";
    case "past_due": {
      const graceEndsAt = graceEndOf(subscription, graceMs);
      const isOver =
        (subscription.endsAt !== null && subscription.endsAt <= now) || (graceEndsAt !== null && graceEndsAt <= now);
      return isOver ? "free" : "pro";
    }
    default:
      return "free";
  }
}

/**
 * The next moment at which time alone may change something, so that the provider is asked again
 * then; null: none.
 */
export function nextTurn(subscription: SubscriptionState | null, now: Date, graceMs: number): Date | null {
  if (subscription === null || !isLive(subscription.status)) return null;
  const ahead = [subscription.periodEndsAt, subscription.endsAt, graceEndOf(subscription, graceMs)].filter(
    (date) => date !== null && date > now,
  );
  return ahead.reduce((first, date) => (first === null || (date !== null && date < first) ? date : first), null);
}

/** As pages and banners see it; null once it has ended, and before its first payment. */
export function presentSubscription(
  subscription: SubscriptionState | null,
  now: Date,
  graceMs: number,
): Subscription | null {
  if (subscription === null || !isLive(subscription.status)) return null;
  if (subscription.endsAt !== null && subscription.endsAt <= now) return null;
  const { plan, endsAt } = subscription;
  return {
    plan,
    status: shownStatus(subscription),
    periodEndsAt: (endsAt ?? subscription.periodEndsAt).toISOString(),
    cancelsAtPeriodEnd: endsAt !== null,
    graceEndsAt: graceEndOf(subscription, graceMs)?.toISOString() ?? null,
  };
}

function shownStatus({ status, isDisputed }: SubscriptionState): Subscription["status"] {
  if (isDisputed || status === "paused") return "paused";
  // Unpaid is overdue for so long that the provider has stopped trying; the way out is the same.
  return status === "active" || status === "trialing" ? status : "past_due";
}
