/**
 * The one way in which a tier follows a payment: ask the provider how things stand, write that down,
 * and derive the tier from it. Whoever has news, however late or often, comes here; so messages may
 * arrive in any order, twice or never.
 */
import type { Stripe } from "stripe";
import type { StoredUser } from "../../accounts/user-model.ts";
import { setTierSource } from "../../accounts/tier-sources.ts";
import type { BillingAccount } from "../account-model.ts";
import { requirePayment, type Billing } from "../billing.ts";
import { clearCredit } from "./clear-credit.ts";
import { holdWhileDisputed } from "./dispute-hold.ts";
import { endSubscription } from "../provider/end-subscription.ts";
import { endingCharge, isDisputed, paymentsOf, type Payments } from "./payments.ts";
import { incompleteOnes, listSubscriptions, liveOne, stateOf } from "../provider/subscription-state.ts";
import { isMissing } from "../provider/stripe-client.ts";
import { nextTurn, tierOf, type SubscriptionState } from "../tier-rules.ts";

/** Each reading may end or hold a subscription and then be made again; more often than this, something is at odds. */
const MAX_ROUNDS = 5;
/** Customers without a subscription are read back that much less often: somebody may have made one by hand. */
const IDLE_FACTOR = 7;

/** Reads are numbered by when they begin: of two, the one begun later knows all that the other knew. */
async function beginRead(billing: Billing, userId: string): Promise<BillingAccount | null> {
  return billing.accounts
    .findOneAndUpdate({ _id: userId }, { $inc: { readsBegun: 1 } }, { returnDocument: "after" })
    .lean<BillingAccount>();
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
  if (eventIds.length > 0)
    await billing.events.updateMany({ _id: { $in: eventIds } }, { $set: { handledAt: new Date(), lastError: null } });
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
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const subscriptions = await subscriptionsOf(stripe, account.customerId);
    const live = liveOne(subscriptions);
    const payments = await paymentsOf(stripe, account.customerId);
    await clearCredit(billing, account, account.customerId, payments);
    if (live && (await followMoney(stripe, live, payments))) continue;
    const state = live && { ...stateOf(live, account.subscription), isDisputed: isDisputed(payments, live.id) };
    return write(billing, account, state, incompleteOnes(subscriptions)[0]?.id ?? null);
  }
  throw new Error(`the subscription of ${account._id} changes faster than it can be read`);
}

/** Ends a subscription whose money went back, and holds a disputed one. @returns whether it has to be read again */
async function followMoney(stripe: Stripe, live: Stripe.Subscription, payments: Payments): Promise<boolean> {
  if (endingCharge(payments, live) === null) return holdWhileDisputed(stripe, live, isDisputed(payments, live.id));
  // Renewed since the list was made: what went back was not this period's payment.
  const { latest_invoice: latest } = await stripe.subscriptions.retrieve(live.id);
  if (idOf(latest) === idOf(live.latest_invoice)) await endSubscription(stripe, live.id);
  return true;
}

function idOf(reference: string | { readonly id?: string } | null): string | null {
  return typeof reference === "string" ? reference : (reference?.id ?? null);
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

async function write(
  billing: Billing,
  account: BillingAccount,
  subscription: SubscriptionState | null,
  pendingId: string | null,
): Promise<void> {
  const now = billing.now();
  const isIdle = subscription === null && pendingId === null;
  const regular = new Date(now.getTime() + billing.reconcileMs * (isIdle ? IDLE_FACTOR : 1));
  const turn = nextTurn(subscription, now, billing.graceMs);
  const nextReadAt = turn !== null && turn < regular ? turn : regular;
  const { modifiedCount } = await billing.accounts.updateOne(
    { _id: account._id, lastReadWritten: { $lt: account.readsBegun }, closedAt: null },
    { $set: { subscription, pendingId, nextReadAt, lastReadWritten: account.readsBegun, failures: 0 } },
  );
  if (modifiedCount > 0) await writeTier(billing, account, subscription);
}

/**
 * Writes the tier with the read it comes from, and moves the mark that browsers are told by when anything can be seen
 * to differ.
 */
async function writeTier(
  billing: Billing,
  account: BillingAccount,
  subscription: SubscriptionState | null,
): Promise<void> {
  const tier = tierOf(subscription, billing.now(), billing.graceMs);
  const user = await billing.users.findOne({ _id: account._id, deletedAt: null }).lean<StoredUser>();
  if (!user) return;
  const isNews =
    user.subscriptionTier !== tier || JSON.stringify(account.subscription) !== JSON.stringify(subscription);
  await setTierSource(
    billing.users,
    { _id: account._id, deletedAt: null, subscriptionRead: { $lt: account.readsBegun } },
    "subscriptionTier",
    tier,
    { subscriptionRead: account.readsBegun, ...(isNews ? { tierChangedAt: new Date() } : {}) },
  );
}

/**
 * The user is gone: nothing may be charged any more, and the provider forgets them. The record goes when that is done.
 */
async function settleClosed(
  billing: Billing,
  stripe: Stripe,
  { _id, customerId, leaseUntil }: BillingAccount,
): Promise<void> {
  // An operator may have given one customer to two users: it then stays for the other.
  const isShared =
    customerId !== null && (await billing.accounts.exists({ _id: { $ne: _id }, customerId, closedAt: null })) !== null;
  if (customerId !== null && !isShared)
    for (const { id, ended_at: endedAt } of await subscriptionsOf(stripe, customerId))
      if (endedAt === null) await endSubscription(stripe, id);
  // A checkout that is under way may still be making one; it looks for this record when it has.
  if (leaseUntil > new Date()) {
    await billing.accounts.updateOne({ _id }, { $set: { nextReadAt: billing.now() } });
    return;
  }
  if (customerId !== null && !isShared) await deleteCustomer(stripe, customerId);
  await billing.accounts.deleteOne({ _id });
}

/** Name, address and cards go; the provider keeps payments without them, as the law asks. */
async function deleteCustomer(stripe: Stripe, id: string): Promise<void> {
  try {
    await stripe.customers.del(id);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}
