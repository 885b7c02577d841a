/**
 * Creates the subscription of a checkout and returns the secret with which the browser confirms its payment.
 * A customer has at most one subscription, however many tabs ask for one: an incomplete subscription of the same plan
 * is used again, and one of the other plan is canceled.
 */
import type { Stripe } from "stripe";
import type { SubscriptionSecret } from "../../../../common/account-calls.ts";
import type { Plan } from "../../../../common/api.ts";
import { UserError } from "../../../../common/errors.ts";
import type { ExactReason } from "../../../../common/reasons.ts";
import type { StoredUser } from "../../accounts/user-model.ts";
import type { BillingAccount } from "../account-model.ts";
import { requirePayment, type Billing } from "../billing.ts";
import { openAccount, withCheckoutLease } from "./checkout-lease.ts";
import { endSubscription } from "../provider/end-subscription.ts";
import { askProvider, isMissing, isRefusedPrice, wasAnswered } from "../provider/stripe-client.ts";
import {
  findLiveSubscription,
  incompleteSubscriptions,
  isLatestInvoicePaid,
  listSubscriptions,
} from "../provider/subscription-state.ts";
import { readBack } from "../read-back/read-back.ts";
import type { SubscriptionState } from "../tier-rules.ts";
import { findOrCreateCustomer } from "./find-or-create-customer.ts";
import { cancelUnpaid } from "./cancel-unpaid.ts";

/** A checkout in progress, under the lease of its account. */
interface Checkout {
  readonly billing: Billing;
  readonly stripe: Stripe;
  readonly user: StoredUser;
  readonly account: BillingAccount;
  readonly plan: Plan;
}

/**
 * Starts a checkout, or continues the one that waits for its payment.
 * @returns the secret that the browser confirms with the provider
 * @throws UserError payment_unconfigured, already_subscribed, payment_provider, or sign_in_required when the account
 * was deleted
 */
export async function createSubscription(billing: Billing, userId: string, plan: Plan): Promise<SubscriptionSecret> {
  const { stripe } = requirePayment(billing);
  await openAccount(billing, userId);
  return withCheckoutLease(billing, userId, async (account) => {
    const user = await billing.users.findOne({ _id: userId, deletedAt: null }).lean<StoredUser>();
    if (!user) throw new UserError("sign_in_required");
    if (user.grantedTier === "pro" && user.subscriptionTier !== "pro")
      throw UserError.because("already_subscribed", "pro_granted");
    try {
      return await askProvider(() => checkOutAtCurrentPrice({ billing, stripe, user, account, plan }));
    } catch (error) {
      // The provider would repeat its error for the same idempotency key, so the next checkout needs new keys.
      if (wasAnswered(error)) await billing.accounts.updateOne({ _id: userId }, { $inc: { keySeries: 1 } });
      throw error;
    }
  });
}

/** Checks out; if the cached price was replaced at the provider, looks it up again and retries once. */
async function checkOutAtCurrentPrice(checkout: Checkout): Promise<SubscriptionSecret> {
  const { catalog } = requirePayment(checkout.billing);
  const priceId = await catalog.priceOf(checkout.plan);
  try {
    return await checkOut(checkout, priceId);
  } catch (error) {
    if (!isRefusedPrice(error)) throw error;
    catalog.invalidate();
    const currentPriceId = await catalog.priceOf(checkout.plan);
    if (currentPriceId === priceId) throw error;
    return checkOut(checkout, currentPriceId);
  }
}

async function checkOut(checkout: Checkout, priceId: string): Promise<SubscriptionSecret> {
  const { billing, stripe, user, account } = checkout;
  const customerId = account.customerId ?? (await findOrCreateCustomer(billing, user, account));
  const subscriptions = await listSubscriptions(stripe, customerId);
  if (findLiveSubscription(subscriptions)) await rejectSubscribed(billing, user._id);
  const waiting = await reuseOrCancelIncomplete(stripe, subscriptions, priceId);
  const subscription = waiting ?? (await createAtProvider(checkout, customerId, priceId, subscriptions.length));
  await storePending(checkout, subscription.id);
  const secret = secretOf(subscription);
  if (secret !== null) return secret;
  if (findLiveSubscription([subscription]) === null) throw new UserError("payment_provider");
  await readBack(billing, user._id);
  throw UserError.because("already_subscribed", "pro_by_credit");
}

/**
 * Reads the account back and rejects the checkout.
 * @throws UserError already_subscribed, with the reason if the user has no Pro in spite of the subscription
 */
async function rejectSubscribed(billing: Billing, userId: string): Promise<never> {
  await readBack(billing, userId);
  const account = await billing.accounts.findById(userId).lean<BillingAccount>();
  const reason = reasonWithoutPro(account?.subscription ?? null);
  throw reason ? UserError.because("already_subscribed", reason) : new UserError("already_subscribed");
}

/** @returns why a subscription gives no Pro, and what the user can do; undefined if it gives Pro */
function reasonWithoutPro(subscription: SubscriptionState | null): ExactReason | undefined {
  if (subscription?.isDisputed) return "payment_disputed";
  if (subscription?.status === "paused") return "subscription_paused";
  return subscription?.status === "past_due" || subscription?.status === "unpaid" ? "payment_overdue" : undefined;
}

/**
 * Goes through the subscriptions that wait for their first payment: keeps one at this price and cancels the others.
 * @returns the one that was kept; undefined if there is none
 * @throws UserError already_subscribed when one of them has just been paid
 */
async function reuseOrCancelIncomplete(
  stripe: Stripe,
  subscriptions: readonly Stripe.Subscription[],
  priceId: string,
): Promise<Stripe.Subscription | undefined> {
  let kept: Stripe.Subscription | undefined;
  for (const waiting of incompleteSubscriptions(subscriptions)) {
    if (isLatestInvoicePaid(waiting)) throw UserError.because("already_subscribed", "payment_confirming");
    const isReusable = kept === undefined && waiting.items.data[0]?.price.id === priceId && secretOf(waiting) !== null;
    if (isReusable) kept = waiting;
    else if (!(await cancelUnpaid(stripe, waiting)))
      throw UserError.because("already_subscribed", "payment_confirming");
  }
  return kept;
}

/** @param earlierCount number of the customer's subscriptions so far, of any status */
async function createAtProvider(
  { billing, stripe, user, account, plan }: Checkout,
  customerId: string,
  priceId: string,
  earlierCount: number,
): Promise<Stripe.Subscription> {
  const create = (customer: string) =>
    stripe.subscriptions.create(
      {
        customer,
        items: [{ price: priceId }],
        payment_behavior: "default_incomplete",
        payment_settings: { save_default_payment_method: "on_subscription", payment_method_types: ["card"] },
        metadata: { userId: user._id },
        expand: ["latest_invoice.confirmation_secret", "pending_setup_intent"],
      },
      // Two processes that see the same state send the same key, so the provider creates one subscription.
      { idempotencyKey: `subscription:${customer}:${plan}:${priceId}:${earlierCount}:${account.keySeries}` },
    );
  try {
    return await create(customerId);
  } catch (error) {
    // The customer was deleted at the provider: create a new one.
    if (!isMissing(error, "customer")) throw error;
    return create(await findOrCreateCustomer(billing, user, account));
  }
}

/**
 * Stores the subscription, so that the account is read back even if no event about it arrives.
 * @throws UserError sign_in_required when the account was deleted meanwhile; the subscription is then canceled
 */
async function storePending({ billing, stripe, user }: Checkout, pendingId: string): Promise<void> {
  const nextReadAt = new Date(billing.now().getTime() + billing.reconcileMs);
  const { matchedCount } = await billing.accounts.updateOne(
    { _id: user._id, closedAt: null },
    { $set: { pendingId, nextReadAt } },
  );
  if (matchedCount > 0) return;
  await endSubscription(stripe, pendingId);
  throw new UserError("sign_in_required");
}

/**
 * @returns the secret of the first invoice's payment or, when nothing is due, of the card's setup intent; null if the
 * subscription has neither
 */
function secretOf({
  latest_invoice: invoice,
  pending_setup_intent: intent,
}: Stripe.Subscription): SubscriptionSecret | null {
  // A void invoice belongs to a subscription whose cancellation was interrupted.
  const isOpen = invoice !== null && typeof invoice !== "string" && invoice.status !== "void";
  if (isOpen && invoice.confirmation_secret)
    return { clientSecret: invoice.confirmation_secret.client_secret, isSetupIntent: false };
  if (intent !== null && typeof intent !== "string" && intent.client_secret !== null)
    return { clientSecret: intent.client_secret, isSetupIntent: true };
  return null;
}
