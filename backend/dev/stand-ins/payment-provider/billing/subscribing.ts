/** Starts and resumes subscriptions and changes their price. */
import type { Stripe } from "stripe";
import type { Account } from "../account.ts";
import { invalidRequest } from "../api-error.ts";
import { periodEndSeconds, planOf } from "../shapes/catalog.ts";
import { newSetupIntent } from "../shapes/intents.ts";
import { type SubscriptionDetails, newSubscription, periodEndOf } from "../shapes/subscription.ts";
import type { Price, Subscription } from "../state.ts";
import { attach } from "./charging.ts";
import {
  collect,
  draftInvoice,
  finalizeAndCollect,
  finalizeInvoice,
  periodLine,
  savedCard,
  unusedLine,
} from "./invoicing.ts";

/** @throws ApiError 400 when there is no card and `behavior` needs one */
export function startSubscription(
  account: Account,
  details: SubscriptionDetails,
  behavior: "allow_incomplete" | "default_incomplete",
): Subscription {
  const subscription = newSubscription(account, details);
  const card = savedCard(account, subscription);
  const isDue = subscription.status === "incomplete" && details.prices.some((price) => price.unit_amount > 0);
  if (isDue && !card && behavior !== "default_incomplete")
    throw invalidRequest(
      "This customer has no attached payment source or default payment method. Please consider adding a " +
        "default payment method. For more information, visit " +
        "https://stripe.com/docs/billing/subscriptions/payment-methods-setting#payment-method-priority.",
      {
        code: "resource_missing",
      },
    );
  account.add("subscription", subscription);
  account.emit("customer.subscription.created", subscription);
  const isTrial = subscription.status === "trialing";
  const lines = subscription.items.data.map((item) => {
    const line = periodLine(account, item);
    return isTrial ? { ...line, amount: 0, description: `Trial period for ${line.description}` } : line;
  });
  const invoice = draftInvoice(account, subscription, "subscription_create", lines);
  finalizeInvoice(account, invoice);
  if (!isDue) {
    if (subscription.status === "incomplete") subscription.status = "active";
    if (!card) {
      const setUp = account.add("setup_intent", newSetupIntent(account, subscription.customer));
      subscription.pending_setup_intent = setUp.id;
      account.emit("setup_intent.created", setUp);
    }
    account.emit("customer.subscription.updated", subscription);
    return subscription;
  }
  if (behavior === "default_incomplete") return subscription;
  collect(account, invoice);
  return subscription;
}

/**
 * Resumes a subscription that was paused after its trial: a new period begins and is charged.
 * @throws ApiError 400 when it is not paused; the decline when the card is declined
 */
export function resumeSubscription(account: Account, subscription: Subscription): Subscription {
  if (subscription.status !== "paused")
    throw invalidRequest("You can only resume a subscription that is paused.", { code: "resource_missing" });
  const now = account.now();
  subscription.billing_cycle_anchor = now;
  for (const item of subscription.items.data)
    Object.assign(item, { current_period_start: now, current_period_end: periodEndSeconds(item.price, now, now) });
  const invoice = draftInvoice(
    account,
    subscription,
    "subscription_cycle",
    subscription.items.data.map((item) => periodLine(account, item)),
  );
  finalizeInvoice(account, invoice);
  const refusal = collect(account, invoice);
  if (refusal) throw refusal;
  subscription.status = "active";
  account.emit("customer.subscription.resumed", subscription);
  return subscription;
}

/** Assigns a card that was set up to the subscription that waits for it. */
export function assignSetUpCard(account: Account, setupIntentId: string, paymentMethodId: string): void {
  const subscription = account
    .list("subscription")
    .find((candidate) => candidate.pending_setup_intent === setupIntentId);
  if (!subscription) return;
  attach(account, account.get("payment_method", paymentMethodId), subscription.customer);
  Object.assign(subscription, { pending_setup_intent: null, default_payment_method: paymentMethodId });
  account.emit("customer.subscription.updated", subscription);
}

/**
 * Changes the price now: the unused time of the old price is credited, and a new period begins if its length differs.
 * @throws ApiError 400 when the first payment is still open
 */
export function changePrice(
  account: Account,
  subscription: Subscription,
  itemId: string,
  price: Price,
  proration: Stripe.SubscriptionUpdateParams.ProrationBehavior = "create_prorations",
): void {
  if (subscription.status === "incomplete")
    throw invalidRequest(
      "This subscription has an unpaid first invoice: only its metadata and payment settings can be " +
        "updated until it is paid.",
      { code: "resource_missing" },
    );
  const item = subscription.items.data.find(({ id }) => id === itemId);
  if (!item)
    throw invalidRequest(`No such subscription_item: '${itemId}'`, { code: "resource_missing", param: "items[0][id]" });
  if (item.price.id === price.id) return;
  const back = proration === "none" || subscription.status === "trialing" ? [] : [unusedLine(account, item)];
  const hasOtherLength =
    item.price.recurring.interval !== price.recurring.interval ||
    item.price.recurring.interval_count !== price.recurring.interval_count;
  Object.assign(item, { price, plan: planOf(price) });
  if (subscription.status === "trialing") return;
  const now = account.now();
  if (hasOtherLength) {
    subscription.billing_cycle_anchor = now;
    Object.assign(item, { current_period_start: now, current_period_end: periodEndSeconds(price, now, now) });
    if (subscription.cancel_at_period_end) subscription.cancel_at = item.current_period_end;
  } else if (proration !== "always_invoice") return;
  const invoice = draftInvoice(account, subscription, "subscription_update", [...back, periodLine(account, item)]);
  finalizeAndCollect(account, invoice);
}

/** Plans or revokes the end of a subscription at the end of its period. */
export function setCancelAtPeriodEnd(account: Account, subscription: Subscription, ends: boolean): void {
  if (subscription.cancel_at_period_end === ends) return;
  subscription.cancel_at_period_end = ends;
  subscription.cancel_at = ends ? periodEndOf(subscription) : null;
  subscription.canceled_at = ends ? account.now() : null;
  if (subscription.cancellation_details)
    subscription.cancellation_details.reason = ends ? "cancellation_requested" : null;
}
