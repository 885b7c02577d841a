/**
 * The one way in which a tier follows a payment: ask the provider how things stand, write that down,
 * and derive the tier from it. Whoever has news, however late or often, comes here; so messages may
 * arrive in any order, twice or never.
 */
import type { Stripe } from "stripe";
import type { StoredUser } from "../user-model.ts";
import { setTierSource } from "../tier-sources.ts";
import type { BillingAccount } from "./account-model.ts";
import { requirePayment, type Billing } from "./billing.ts";
import { incompleteOnes, listSubscriptions, liveOne, stateOf } from "./provider-state.ts";
import { endSubscription, wasLatestRefunded } from "./refunds.ts";
import { isMissing } from "./stripe-client.ts";
import { nextTurn, tierOf, type SubscriptionState } from "./tier-rules.ts";

/** Reads are numbered by when they begin: of two, the one begun later knows all that the other knew. */
async function beginRead(billing: Billing, userId: string): Promise<BillingAccount | null> {
  return billing.accounts.findOneAndUpdate({ _id: userId }, { $inc: { readsBegun: 1 } }, { returnDocument: "after" }).lean<BillingAccount>();
}

/**
 * Reads an account back from the provider. A closed account's subscriptions are cancelled instead.
 * All messages about it that came in before are handled with that.
 * @throws the client's errors and payment_unconfigured; the account is then as it was
 */
export async function readBack(billing: Billing, userId: string): Promise<void> {
  requirePayment(billing);
  const account = await beginRead(billing, userId);
  if (account === null) return;
  const eventIds = await unhandledEvents(billing, account.customerId);
  await readAccount(billing, account);
  if (eventIds.length > 0) await billing.events.updateMany({ _id: { $in: eventIds } }, { $set: { handledAt: new Date(), lastError: null } });
}

async function unhandledEvents({ events }: Billing, customerId: string | null): Promise<string[]> {
  if (customerId === null) return [];
  const found = await events.find({ customerId, handledAt: null }, { _id: 1 }).lean<{ _id: string }[]>();
  return found.map(({ _id }) => _id);
}

async function readAccount(billing: Billing, account: BillingAccount): Promise<void> {
  const { stripe } = requirePayment(billing);
  if (account.closedAt !== null) return settleClosed(billing, stripe, account);
  if (account.customerId === null) return;
  let subscriptions = await subscriptionsOf(stripe, account.customerId);
  const live = liveOne(subscriptions);
  if (live && (await wasLatestRefunded(stripe, live))) {
    await endSubscription(stripe, live.id);
    subscriptions = await subscriptionsOf(stripe, account.customerId);
  }
  const current = liveOne(subscriptions);
  await write(billing, account, current && stateOf(current, account.subscription), incompleteOnes(subscriptions)[0]?.id ?? null);
}

/** Applies what time alone has changed to what is known, while the provider cannot be asked. */
export async function applyTime(billing: Billing, userId: string): Promise<void> {
  const account = await beginRead(billing, userId);
  if (account === null || account.closedAt !== null) return;
  await writeTier(billing, account, account.subscription);
}

async function subscriptionsOf(stripe: Stripe, customerId: string): Promise<Stripe.Subscription[]> {
  try {
    return await listSubscriptions(stripe, customerId);
  } catch (error) {
    // Removed over there, and every subscription with it.
    if (isMissing(error)) return [];
    throw error;
  }
}

async function write(billing: Billing, account: BillingAccount, subscription: SubscriptionState | null, pendingId: string | null): Promise<void> {
  const now = billing.now();
  const daily = new Date(now.getTime() + billing.reconcileMs);
  const turn = nextTurn(subscription, now, billing.graceMs);
  const nextReadAt = subscription === null && pendingId === null ? null : turn !== null && turn < daily ? turn : daily;
  const { modifiedCount } = await billing.accounts.updateOne(
    { _id: account._id, lastReadWritten: { $lt: account.readsBegun }, closedAt: null },
    { $set: { subscription, pendingId, nextReadAt, lastReadWritten: account.readsBegun, failures: 0 } },
  );
  if (modifiedCount > 0) await writeTier(billing, account, subscription);
}

/** Writes the tier with the read it comes from, and moves the mark that browsers are told by when anything can be seen to differ. */
async function writeTier(billing: Billing, account: BillingAccount, subscription: SubscriptionState | null): Promise<void> {
  const tier = tierOf(subscription, billing.now(), billing.graceMs);
  const user = await billing.users.findOne({ _id: account._id, deletedAt: null }).lean<StoredUser>();
  if (!user) return;
  const isNews = user.subscriptionTier !== tier || JSON.stringify(account.subscription) !== JSON.stringify(subscription);
  await setTierSource(
    billing.users,
    { _id: account._id, deletedAt: null, subscriptionRead: { $lt: account.readsBegun } },
    "subscriptionTier",
    tier,
    { subscriptionRead: account.readsBegun, ...(isNews ? { tierChangedAt: new Date() } : {}) },
  );
}

/** The user is gone: nothing may be charged any more. The record goes when that is certain. */
async function settleClosed(billing: Billing, stripe: Stripe, { _id, customerId, leaseUntil }: BillingAccount): Promise<void> {
  if (customerId !== null)
    for (const { id, ended_at: endedAt } of await subscriptionsOf(stripe, customerId)) if (endedAt === null) await endSubscription(stripe, id);
  // A checkout that is under way may still be making one; it looks for this record when it has.
  if (leaseUntil <= new Date()) await billing.accounts.deleteOne({ _id });
  else await billing.accounts.updateOne({ _id }, { $set: { nextReadAt: billing.now() } });
}
