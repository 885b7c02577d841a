/**
 * Reads an account back from the provider, stores its state and derives the user's tier. This is the only place where a
 * payment changes a tier, so events may arrive late, twice, in any order, or never.
 */
import type { Stripe } from "stripe";
import { setTierSource } from "../../accounts/tier-sources.ts";
import type { StoredUser } from "../../accounts/user-model.ts";
import type { BillingAccount } from "../account-model.ts";
import { requirePayment, type Billing } from "../billing.ts";
import { endSubscription } from "../provider/end-subscription.ts";
import { idOf } from "../provider/id-of.ts";
import { isMissing } from "../provider/stripe-client.ts";
import {
  findLiveSubscription,
  incompleteSubscriptions,
  listSubscriptions,
  toSubscriptionState,
} from "../provider/subscription-state.ts";
import { nextChangeAt, tierOf, type SubscriptionState } from "../tier-rules.ts";
import { clearCredit } from "./clear-credit.ts";
import { findDifference } from "./disagreements.ts";
import { pauseWhileDisputed } from "./pause-while-disputed.ts";
import { findEndingCharge, isDisputed, readPayments, type Payments } from "./payments.ts";

/** A read that ends or pauses a subscription is repeated; more repetitions than this are an error. */
const MAX_ROUNDS = 5;
/**
 * Accounts without a subscription are read back this many times less often. They are read at all because an operator
 * may create a subscription at the provider's site.
 */
const IDLE_FACTOR = 7;

/**
 * Reads an account back from the provider. For a deleted account, cancels its subscriptions instead. Marks all events
 * of the account as handled that were received before the read.
 * @throws the client's errors and UserError payment_unconfigured; the account is then unchanged
 */
export async function readBack(billing: Billing, userId: string): Promise<void> {
  requirePayment(billing);
  const account = await beginRead(billing, userId);
  if (account === null) return;
  const eventIds = await unhandledEvents(billing, account.customerId);
  await readAccount(billing, account, eventIds.length > 0);
  if (eventIds.length > 0)
    await billing.events.updateMany({ _id: { $in: eventIds } }, { $set: { handledAt: new Date(), lastError: null } });
}

/** Derives the tier from the stored state and the current time, while the provider cannot be reached. */
export async function updateTierFromStoredState(billing: Billing, userId: string): Promise<void> {
  const account = await beginRead(billing, userId);
  if (account === null || account.closedAt !== null) return;
  await writeTier(billing, account, account.subscription);
}

/** Numbers the read. Of two reads, the one that begins later has the newer state. */
async function beginRead(billing: Billing, userId: string): Promise<BillingAccount | null> {
  return billing.accounts
    .findOneAndUpdate({ _id: userId }, { $inc: { readsBegun: 1 } }, { returnDocument: "after" })
    .lean<BillingAccount>();
}

async function unhandledEvents({ events }: Billing, customerId: string | null): Promise<string[]> {
  if (customerId === null) return [];
  const found = await events.find({ customerId, handledAt: null }, { _id: 1 }).lean<{ _id: string }[]>();
  return found.map(({ _id }) => _id);
}

/** @param isAnnounced a message of the provider has said that something changed */
async function readAccount(billing: Billing, account: BillingAccount, isAnnounced: boolean): Promise<void> {
  const { stripe } = requirePayment(billing);
  if (account.closedAt !== null) return deleteAtProvider(billing, stripe, account);
  if (account.customerId === null) return;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const subscriptions = await listSubscriptions(stripe, account.customerId);
    const live = findLiveSubscription(subscriptions);
    const payments = await readPayments(stripe, account.customerId);
    await clearCredit(billing, account, account.customerId, payments);
    if (live && (await applyReversals(stripe, live, payments))) continue;
    const state = live && {
      ...toSubscriptionState(live, account.subscription),
      isDisputed: isDisputed(payments, live.id),
    };
    const before = await writeState(billing, account, state, incompleteSubscriptions(subscriptions)[0]?.id ?? null);
    const difference = before && findDifference(before, state, billing.now(), billing.graceMs);
    if (difference && !isAnnounced) await billing.accounts.updateOne({ _id: account._id }, { $set: { difference } });
    return;
  }
  throw new Error(`the subscription of ${account._id} still changes after ${MAX_ROUNDS} reads`);
}

/**
 * Ends a subscription whose payment was refunded or lost, and pauses a disputed one.
 * @returns whether the subscription must be read again
 */
async function applyReversals(stripe: Stripe, live: Stripe.Subscription, payments: Payments): Promise<boolean> {
  if (findEndingCharge(payments, live) === null) return pauseWhileDisputed(stripe, live, isDisputed(payments, live.id));
  // If the subscription was renewed since it was listed, the charge did not pay for the current period.
  const { latest_invoice: latest } = await stripe.subscriptions.retrieve(live.id);
  if (idOf(latest) === idOf(live.latest_invoice)) await endSubscription(stripe, live.id);
  return true;
}

/** @returns the account as it was before; null if a later read-back has been written already */
async function writeState(
  billing: Billing,
  account: BillingAccount,
  subscription: SubscriptionState | null,
  pendingId: string | null,
): Promise<BillingAccount | null> {
  const now = billing.now();
  const isIdle = subscription === null && pendingId === null;
  const regular = new Date(now.getTime() + billing.reconcileMs * (isIdle ? IDLE_FACTOR : 1));
  const change = nextChangeAt(subscription, now, billing.graceMs);
  const nextReadAt = change !== null && change < regular ? change : regular;
  const before = await billing.accounts
    .findOneAndUpdate(
      { _id: account._id, lastReadWritten: { $lt: account.readsBegun }, closedAt: null },
      { $set: { subscription, pendingId, nextReadAt, lastReadWritten: account.readsBegun, failures: 0, readAt: now } },
      { returnDocument: "before" },
    )
    .lean<BillingAccount>();
  if (before !== null) await writeTier(billing, account, subscription);
  return before;
}

/**
 * Writes the user's tier. If tier or subscription changed, also sets `tierChangedAt`, so that the user's browsers are
 * informed.
 */
async function writeTier(
  billing: Billing,
  account: BillingAccount,
  subscription: SubscriptionState | null,
): Promise<void> {
  const tier = tierOf(subscription, billing.now(), billing.graceMs);
  const user = await billing.users.findOne({ _id: account._id, deletedAt: null }).lean<StoredUser>();
  if (!user) return;
  const hasChanged =
    user.subscriptionTier !== tier || JSON.stringify(account.subscription) !== JSON.stringify(subscription);
  const fields: Partial<StoredUser> = { subscriptionRead: account.readsBegun };
  if (hasChanged) fields.tierChangedAt = new Date();
  await setTierSource(
    billing.users,
    { _id: account._id, deletedAt: null, subscriptionRead: { $lt: account.readsBegun } },
    "subscriptionTier",
    tier,
    fields,
  );
}

/**
 * Cancels the subscriptions of a deleted account and deletes its customer at the provider. Deletes our record when that
 * is done.
 */
async function deleteAtProvider(billing: Billing, stripe: Stripe, account: BillingAccount): Promise<void> {
  const { _id, leaseUntil } = account;
  const customerIds = await customersToDelete(billing, stripe, account);
  for (const customerId of customerIds)
    for (const { id, ended_at: endedAt } of await listSubscriptions(stripe, customerId))
      if (endedAt === null) await endSubscription(stripe, id);
  // A running checkout may still create a subscription. It needs this record to see that the account was deleted.
  if (leaseUntil > new Date()) {
    await billing.accounts.updateOne({ _id }, { $set: { nextReadAt: billing.now() } });
    return;
  }
  for (const customerId of customerIds) await deleteCustomer(stripe, customerId);
  await billing.accounts.deleteOne({ _id });
}

/** @returns ids of the customers that belong to the account alone */
async function customersToDelete(
  billing: Billing,
  stripe: Stripe,
  { _id, customerId }: BillingAccount,
): Promise<string[]> {
  if (customerId !== null) {
    // An operator may have given one customer to two users; it then stays for the other user.
    const isShared = await billing.accounts.exists({ _id: { $ne: _id }, customerId, closedAt: null });
    return isShared === null ? [customerId] : [];
  }
  // The answer to the request that created the customer may have been lost, and with it the id. The email address, by
  // which a checkout looks for it, was removed with the account.
  const found = await stripe.customers.search({ query: `metadata["userId"]:"${_id}"` });
  return found.data.map(({ id }) => id);
}

/** Deletes name, address and cards. The provider keeps the payments without them, as the law requires. */
async function deleteCustomer(stripe: Stripe, id: string): Promise<void> {
  try {
    await stripe.customers.del(id);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}
