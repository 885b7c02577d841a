/** Decides from the stored state of a subscription whether the user has Pro. Pure functions. */
import type { Plan, Subscription } from "../../../common/api.ts";
import type { Tier } from "../../../common/tiers.ts";

/** The provider's subscription statuses. */
export type ProviderStatus =
  "active" | "trialing" | "past_due" | "unpaid" | "paused" | "incomplete" | "incomplete_expired" | "canceled";

/** The stored state of a subscription; every field comes from the provider. */
export interface SubscriptionState {
  /** The provider's id. */
  id: string;
  plan: Plan;
  status: ProviderStatus;
  /** End of the current period, paid or not. */
  periodEndsAt: Date;
  /** Set when the subscription ends at this time instead of being renewed. */
  endsAt: Date | null;
  /** Time since when a payment is overdue; null while none is. */
  pastDueSince: Date | null;
  /** True while the user's bank has taken back a payment and has not decided yet. */
  isDisputed: boolean;
}

/** Statuses of a subscription that still exists: a second one would charge the user twice. */
const LIVE: ReadonlySet<ProviderStatus> = new Set(["active", "trialing", "past_due", "unpaid", "paused"]);

export function isLive(status: ProviderStatus): boolean {
  return LIVE.has(status);
}

/** @returns the end of the grace period; null while no payment is overdue */
export function graceEndOf({ pastDueSince }: SubscriptionState, graceMs: number): Date | null {
  return pastDueSince && new Date(pastDueSince.getTime() + graceMs);
}

/** @returns the tier that a subscription pays for at the given time */
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
 * Finds the next time at which the state may change without any event: the end of the period, of the subscription or of
 * the grace period. The account is read back then.
 * @returns null if there is no such time
 */
export function nextChangeAt(subscription: SubscriptionState | null, now: Date, graceMs: number): Date | null {
  if (subscription === null || !isLive(subscription.status)) return null;
  const ahead = [subscription.periodEndsAt, subscription.endsAt, graceEndOf(subscription, graceMs)].filter(
    (date) => date !== null && date > now,
  );
  return ahead.reduce((first, date) => (first === null || (date !== null && date < first) ? date : first), null);
}

/** @returns the wire form for pages and banners; null before the first payment and after the end */
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
  // "unpaid" means that the provider has stopped retrying an overdue payment; the user can solve both in the same way.
  return status === "active" || status === "trialing" ? status : "past_due";
}
