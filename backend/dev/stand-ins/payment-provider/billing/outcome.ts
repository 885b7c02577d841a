/** Applies a paid or failed invoice to its subscription. */
import { type Account, DAY_SECONDS } from "../account.ts";
import type { Invoice, PaymentMethod, Subscription } from "../state.ts";
import { cancelNow, paymentOf } from "./ending.ts";

/** Days between failed attempts of a renewal; after the last one the subscription ends. */
const RETRY_AFTER_DAYS: readonly number[] = [3, 5, 7];

/** @param method the charged card; null when nothing was due */
export function markPaid(account: Account, invoice: Invoice, method: PaymentMethod | null): void {
  Object.assign(invoice, {
    status: "paid",
    amount_paid: invoice.amount_due,
    amount_remaining: 0,
    attempted: true,
    attempt_count: invoice.attempt_count + (method ? 1 : 0),
    next_payment_attempt: null,
    auto_advance: false,
  });
  invoice.status_transitions.paid_at = account.now();
  const payment = paymentOf(account, invoice);
  if (payment) Object.assign(payment, { status: "paid", amount_paid: invoice.amount_due });
  const subscription = subscriptionOf(account, invoice);
  if (subscription.payment_settings?.save_default_payment_method === "on_subscription" && method)
    subscription.default_payment_method = method.id;
  const isUnpaid = subscription.status === "incomplete" || subscription.status === "past_due";
  if (isUnpaid && subscription.latest_invoice === invoice.id) subscription.status = "active";
  account.emit("customer.subscription.updated", subscription);
  account.emit("invoice.paid", invoice);
}

/** Counts a failed attempt, and plans the next one or ends the subscription. */
export function markFailed(account: Account, invoice: Invoice): void {
  const subscription = subscriptionOf(account, invoice);
  invoice.attempted = true;
  invoice.attempt_count += 1;
  const days = RETRY_AFTER_DAYS[invoice.attempt_count - 1];
  const isFirst = subscription.status === "incomplete";
  if (!isFirst) invoice.next_payment_attempt = days === undefined ? null : account.now() + days * DAY_SECONDS;
  account.emit("invoice.payment_failed", invoice);
  if (isFirst) return;
  if (subscription.status === "active" || subscription.status === "trialing") {
    subscription.status = "past_due";
    account.emit("customer.subscription.updated", subscription);
  }
  if (days === undefined) cancelNow(account, subscription);
}

export function subscriptionOf(account: Account, invoice: Invoice): Subscription {
  return account.get("subscription", invoice.parent.subscription_details.subscription);
}
