/**
 * Accounts whose tier or paid time here is not what the payment provider said. Reads the database only: what the provider
 * says is known from read-backs.
 */
import type { Tier } from "../../../../common/tiers.ts";
import type { StoredUser } from "../../accounts/user-model.ts";
import type { BillingAccount, FoundDifference, PaidTier } from "../account-model.ts";
import type { Billing } from "../billing.ts";
import { graceEndOf, isLive, tierOf, type SubscriptionState } from "../tier-rules.ts";

export interface Disagreement {
  readonly userId: string;
  readonly ours: PaidTier;
  readonly theirs: PaidTier;
  readonly since: Date;
  /** A read-back has found it and taken over what the provider said. */
  readonly isCorrected: boolean;
}

/** State and tier are written one after the other, and a state that ends by time is read back within seconds. */
const SETTLING_MS = 60_000;
/** A corrected difference is shown for so long: it tells that messages of the provider do not arrive. */
const SHOWN_MS = 24 * 60 * 60 * 1_000;

/** @returns what a subscription gives at the given time */
export function paidTierOf(subscription: SubscriptionState | null, now: Date, graceMs: number): PaidTier {
  const tier = tierOf(subscription, now, graceMs);
  return { tier, until: tier === "pro" && subscription ? (subscription.endsAt ?? subscription.periodEndsAt) : null };
}

/**
 * Compares what was stored with what a read-back found.
 * @param before the account as stored until the read-back
 * @returns null if both say the same, or if the change was to be expected: by a checkout in progress, or because a time
 *   has passed at which the subscription is renewed or ends
 */
export function findDifference(
  before: BillingAccount,
  found: SubscriptionState | null,
  now: Date,
  graceMs: number,
): FoundDifference | null {
  const stored = before.subscription;
  if (before.pendingId !== null || timesOf(stored, graceMs).some((time) => time <= now)) return null;
  const ours = paidTierOf(stored, now, graceMs);
  const theirs = paidTierOf(found, now, graceMs);
  const isSame = ours.tier === theirs.tier && ours.until?.getTime() === theirs.until?.getTime();
  return isSame ? null : { ours, theirs, at: now };
}

/** @returns those that disagree now, then those that were corrected in the last 24 hours, the newest first */
export async function findDisagreements(billing: Billing): Promise<Disagreement[]> {
  return [...(await findStanding(billing)), ...(await findCorrected(billing))];
}

/** Accounts whose user has another tier than follows from the state that was read back last. */
async function findStanding(billing: Billing): Promise<Disagreement[]> {
  const { accounts, users, graceMs } = billing;
  const now = billing.now();
  const disagreeing: Disagreement[] = [];
  const add = (userId: string, oursTier: Tier, subscription: SubscriptionState | null, since: Date): void => {
    const theirs = paidTierOf(subscription, now, graceMs);
    if (theirs.tier === oursTier || now.getTime() - since.getTime() < SETTLING_MS) return;
    disagreeing.push({ userId, ours: { tier: oursTier, until: null }, theirs, since, isCorrected: false });
  };
  const payers = await users
    .find({ subscriptionTier: "pro", deletedAt: null }, { tierChangedAt: 1 })
    .lean<Pick<StoredUser, "_id" | "tierChangedAt">[]>();
  const unseen = new Map(payers.map(({ _id, tierChangedAt }) => [_id, tierChangedAt]));
  const subscribed = await accounts
    .find({ "subscription.id": { $gt: "" }, closedAt: null }, { subscription: 1, readAt: 1, createdAt: 1 })
    .lean<BillingAccount[]>();
  for (const { _id, subscription, readAt, createdAt } of subscribed) {
    const oursTier: Tier = unseen.delete(_id) ? "pro" : "free";
    const passed = timesOf(subscription, graceMs).filter((time) => time <= now);
    add(_id, oursTier, subscription, latestOf([readAt ?? createdAt, ...passed]));
  }
  // These have Pro without any subscription that we know of.
  for (const [userId, since] of unseen) add(userId, "pro", null, since);
  return disagreeing.toSorted((a, b) => b.since.getTime() - a.since.getTime());
}

async function findCorrected(billing: Billing): Promise<Disagreement[]> {
  const after = new Date(billing.now().getTime() - SHOWN_MS);
  const found = await billing.accounts
    .find({ "difference.at": { $gt: after }, closedAt: null }, { difference: 1 })
    .sort({ "difference.at": -1 })
    .lean<Pick<BillingAccount, "_id" | "difference">[]>();
  return found.flatMap(({ _id, difference }) =>
    difference
      ? [{ userId: _id, ours: difference.ours, theirs: difference.theirs, since: difference.at, isCorrected: true }]
      : [],
  );
}

/** @returns the times at which the subscription changes by itself */
function timesOf(subscription: SubscriptionState | null, graceMs: number): Date[] {
  if (subscription === null || !isLive(subscription.status)) return [];
  return [subscription.periodEndsAt, subscription.endsAt, graceEndOf(subscription, graceMs)].filter(
    (time) => time !== null,
  );
}

function latestOf(times: readonly Date[]): Date {
  return new Date(Math.max(...times.map((time) => time.getTime())));
}
