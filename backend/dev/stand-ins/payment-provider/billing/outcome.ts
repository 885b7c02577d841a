/** Applies a paid or failed invoice to its subscription. */
import type { Account } from "../account.ts";
import type { Invoice, PaymentMethod, Subscription } from "../state.ts";
import { cancelNow } from "./ending.ts";

const DAY_SECONDS = 86_400;
/** Days between failed attempts of a renewal; after the last one the subscription ends. */
export const RETRY_AFTER_DAYS: readonly number[] = [3, 5, 7];

/** @param method the charged card; null when nothing was due */
export function markPaid(account: Account, invoice: Invoice, method: PaymentMethod | null): void {
  const now = account.now();
  Object.assign(invoice, {
    status: "paid",
    amount_paid: invoice.amount_due,
    amount_remaining: 0,
    attempted: true,
    next_payment_attempt: null,
    auto_advance: false,
  });
  if (method) invoice.attempt_count += 1;
  invoice.status_transitions.paid_at = now;
  const payment = account
    .list("invoice_payment")
    .find((candidate) => candidate.invoice === invoice.id && candidate.is_default);
  if (payment) {
    Object.assign(payment, { status: "paid", amount_paid: invoice.amount_due });
    payment.status_transitions.paid_at = now;
    account.emit("invoice_payment.paid", payment);
  }
  const subscription = subscriptionOf(account, invoice);
  if (subscription.payment_settings?.save_default_payment_method === "on_subscription" && method)
    subscription.default_payment_method = method.id;
  const isUnpaid =
    subscription.status === "incomplete" || subscription.status === "past_due" || subscription.status === "unpaid";
  if (isUnpaid && subscription.latest_invoice === invoice.id) subscription.status = "active";
  account.get("customer", invoice.customer).delinquent = false;
  account.emit("customer.subscription.updated", subscription);
  account.emit("invoice.paid", invoice);
  account.emit("invoice.payment_succeeded", invoice);
}

/** Counts a failed attempt, and plans the next one or ends the subscription. */
export function markFailed(account: Account, invoice: Invoice): void {
  const subscription = subscriptionOf(account, invoice);
  invoice.attempted = true;
  invoice.attempt_count += 1;
  if (subscription.status === "incomplete") {
    account.emit("invoice.payment_failed", invoice);
    return;
  }
  const days = RETRY_AFTER_DAYS[invoice.attempt_count - 1];
  invoice.next_payment_attempt = days === undefined ? null : account.now() + days * DAY_SECONDS;
  account.get("customer", invoice.customer).delinquent = true;
  account.emit("invoice.payment_failed", invoice);
  if (subscription.status === "active" || subscription.status === "trialing") {
    subscription.status = "past_due";
    account.emit("customer.subscription.updated", subscription);
  }
  if (days === undefined) cancelNow(account, subscription, "payment_failed");
}

export function subscriptionOf(account: Account, invoice: Invoice): Subscription {
  return account.get("subscription", invoice.parent.subscription_details.subscription);
}
