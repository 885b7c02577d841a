/**
 * From 'Subscribe' to the secret with which the browser confirms a payment. However often and from
 * however many tabs it is asked for, a customer has one subscription at most: one that waits for
 * its first payment is used again, and one of the other plan is cancelled.
 */
import type { Stripe } from "stripe";
import type { Plan, SubscriptionSecret } from "../../../../common/api.ts";
import { UserError } from "../../../../common/errors.ts";
import type { StoredUser } from "../../accounts/user-model.ts";
import type { BillingAccount } from "../account-model.ts";
import { requirePayment, type Billing } from "../billing.ts";
import { findOrCreateCustomer } from "./find-or-create-customer.ts";
import { openAccount, withCheckoutLease } from "./checkout-lease.ts";
import { incompleteOnes, listSubscriptions, liveOne } from "../provider/subscription-state.ts";
import { readBack } from "../read-back/read-back.ts";
import { endSubscription } from "../provider/end-subscription.ts";
import { askProvider, isMissing, isRefusedPrice, wasAnswered } from "../provider/stripe-client.ts";
import type { SubscriptionState } from "../tier-rules.ts";
import { dropUnpaid, isPaid } from "./unpaid-subscription.ts";

const GRANTED = "You have Pro already, with our compliments: there is nothing to pay.";
const OVERDUE = "You have a subscription whose last payment failed. Update the card behind Manage billing.";
const PAUSED =
  "Your subscription is paused: nothing is charged, and Pro is off. Write to us, by the address on the contact page, and it goes on.";
const DISPUTED =
  "Your bank has taken a payment for your subscription back, so Pro is off until that is decided. Write to us, by the address on the contact page, if this is a mistake.";
const CREDITED = "Credit on your account has paid for Pro: it is active, and there is nothing more to pay.";
const CONFIRMING = "Your payment is being confirmed. Pro appears here in a moment.";

/**
 * @throws UserError payment_unconfigured, already_subscribed, payment_provider, or sign_in_required
 * when the account is gone
 */
export async function createSubscription(billing: Billing, userId: string, plan: Plan): Promise<SubscriptionSecret> {
  requirePayment(billing);
  await openAccount(billing, userId);
  return withCheckoutLease(billing, userId, async (account) => {
    const user = await billing.users.findOne({ _id: userId, deletedAt: null }).lean<StoredUser>();
    if (!user) throw new UserError("sign_in_required");
    if (user.grantedTier === "pro" && user.subscriptionTier !== "pro")
      throw new UserError("already_subscribed", GRANTED);
    try {
      return await askProvider(() => checkOutAtCurrentPrice(billing, user, account, plan));
    } catch (error) {
      // The provider repeats its answer to a key it knows, an error too.
      if (wasAnswered(error)) await billing.accounts.updateOne({ _id: userId }, { $inc: { keySeries: 1 } });
      throw error;
    }
  });
}

/** A price may have been replaced by its like since it was looked up: it is then looked up anew, once. */
async function checkOutAtCurrentPrice(
  billing: Billing,
  user: StoredUser,
  account: BillingAccount,
  plan: Plan,
): Promise<SubscriptionSecret> {
  const { catalog } = requirePayment(billing);
  const price = await catalog.priceOf(plan);
  try {
    return await checkOut(billing, user, account, { plan, price });
  } catch (error) {
    if (!isRefusedPrice(error)) throw error;
    catalog.forget();
    const current = await catalog.priceOf(plan);
    if (current === price) throw error;
    return checkOut(billing, user, account, { plan, price: current });
  }
}

async function checkOut(
  billing: Billing,
  user: StoredUser,
  account: BillingAccount,
  { plan, price }: { plan: Plan; price: string },
): Promise<SubscriptionSecret> {
  const { stripe } = requirePayment(billing);
  const customerId = account.customerId ?? (await findOrCreateCustomer(billing, user, account));
  const subscriptions = await listSubscriptions(stripe, customerId).catch((error: unknown) => {
    if (!isMissing(error)) throw error;
    return [];
  });
  const live = liveOne(subscriptions);
  if (live) {
    await readBack(billing, user._id);
    const read = await billing.accounts.findById(user._id).lean<BillingAccount>();
    throw new UserError("already_subscribed", hindrance(read?.subscription ?? null));
  }

  let open: Stripe.Subscription | undefined;
  for (const waiting of incompleteOnes(subscriptions)) {
    if (isPaid(waiting)) throw new UserError("already_subscribed", CONFIRMING);
    if (open === undefined && waiting.items.data[0]?.price.id === price && secretOf(waiting)) open = waiting;
    else if (!(await dropUnpaid(stripe, waiting))) throw new UserError("already_subscribed", CONFIRMING);
  }
  const create = async (customer: string): Promise<Stripe.Subscription> =>
    stripe.subscriptions.create(
      {
        customer,
        items: [{ price }],
        payment_behavior: "default_incomplete",
        payment_settings: { save_default_payment_method: "on_subscription", payment_method_types: ["card"] },
        metadata: { userId: user._id },
        expand: ["latest_invoice.confirmation_secret", "pending_setup_intent"],
      },
      // Whoever sees the same past makes the same subscription, even in two processes at once.
      { idempotencyKey: `subscription:${customer}:${plan}:${price}:${subscriptions.length}:${account.keySeries}` },
    );
  open ??= await create(customerId).catch(async (error: unknown) => {
    // Removed at the provider's; the account starts over.
    if (!isMissing(error, "customer")) throw error;
    return create(await findOrCreateCustomer(billing, user, account));
  });
  // From now on it is looked after, whether or not a message about it ever comes.
  const { matchedCount } = await billing.accounts.updateOne(
    { _id: user._id, closedAt: null },
    { $set: { pendingId: open.id, nextReadAt: new Date(billing.now().getTime() + billing.reconcileMs) } },
  );
  if (matchedCount === 0) {
    await endSubscription(stripe, open.id);
    throw new UserError("sign_in_required");
  }
  const secret = secretOf(open);
  if (secret !== null) return secret;
  if (liveOne([open]) === null) throw new UserError("payment_provider");
  await readBack(billing, user._id);
  throw new UserError("already_subscribed", CREDITED);
}

/** Why somebody who has a subscription may not have Pro, and where it goes on; undefined: they have. */
function hindrance(subscription: SubscriptionState | null): string | undefined {
  if (subscription?.isDisputed) return DISPUTED;
  if (subscription?.status === "paused") return PAUSED;
  return subscription?.status === "past_due" || subscription?.status === "unpaid" ? OVERDUE : undefined;
}

/** What the browser confirms: the first invoice's payment or, when nothing is due, the card's set-up. */
function secretOf({
  latest_invoice: invoice,
  pending_setup_intent: intent,
}: Stripe.Subscription): SubscriptionSecret | null {
  // One that is void is on its way out, should a call before this one have been cut short.
  const isOpen = invoice !== null && typeof invoice !== "string" && invoice.status !== "void";
  if (isOpen && invoice.confirmation_secret)
    return { clientSecret: invoice.confirmation_secret.client_secret, isSetupIntent: false };
  if (intent !== null && typeof intent !== "string" && intent.client_secret !== null)
    return { clientSecret: intent.client_secret, isSetupIntent: true };
  return null;
}
