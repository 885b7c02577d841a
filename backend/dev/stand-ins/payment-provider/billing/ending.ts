/** Ends subscriptions, with their open invoices and intents. */
import type { Account } from "../account.ts";
import { invalidRequest } from "../api-error.ts";
import type { Invoice, PaymentIntent, Subscription } from "../state.ts";

/** Whether the subscription has ended for good. */
export function isOver(subscription: Subscription): boolean {
  return subscription.status === "canceled" || subscription.status === "incomplete_expired";
}

/** Ends a subscription now. One that was never paid expires instead, and its invoice is voided. */
export function cancelNow(
  account: Account,
  subscription: Subscription,
  reason: "cancellation_requested" | "payment_failed",
): void {
  const wasIncomplete = subscription.status === "incomplete";
  const now = account.now();
  subscription.status = wasIncomplete ? "incomplete_expired" : "canceled";
  subscription.ended_at = now;
  subscription.canceled_at ??= now;
  if (subscription.cancellation_details) subscription.cancellation_details.reason ??= reason;
  if (wasIncomplete) voidLatestInvoice(account, subscription);
  else stopCollecting(account, subscription);
  account.emit("customer.subscription.deleted", subscription);
}

/** Ends a subscription whose first payment was not made in time. */
export function expire(account: Account, subscription: Subscription): void {
  const now = account.now();
  Object.assign(subscription, { status: "incomplete_expired", ended_at: now, canceled_at: now });
  voidLatestInvoice(account, subscription);
  account.emit("customer.subscription.updated", subscription);
}

function voidLatestInvoice(account: Account, subscription: Subscription): void {
  const invoice =
    subscription.latest_invoice === null ? undefined : account.find("invoice", subscription.latest_invoice);
  if (invoice?.status === "open") voidInvoice(account, invoice);
}

/** @throws ApiError 400 when the invoice is not open */
export function voidInvoice(account: Account, invoice: Invoice): void {
  if (invoice.status !== "open")
    throw invalidRequest("You can only pass in open invoices. This invoice isn't open.", {
      code: "invoice_not_editable",
    });
  Object.assign(invoice, { status: "void", amount_remaining: 0, next_payment_attempt: null, auto_advance: false });
  invoice.status_transitions.voided_at = account.now();
  const intent = intentOf(account, invoice);
  if (intent && intent.status !== "succeeded") cancelIntent(account, intent);
  account.emit("invoice.voided", invoice);
}

/** Stops collecting an invoice, which stays unpaid. */
export function markUncollectible(account: Account, invoice: Invoice): void {
  Object.assign(invoice, { status: "uncollectible", next_payment_attempt: null, auto_advance: false });
  invoice.status_transitions.marked_uncollectible_at = account.now();
  account.emit("invoice.marked_uncollectible", invoice);
}

/** Stops collecting drafts and open invoices, which stay unpaid. */
function stopCollecting(account: Account, subscription: Subscription): void {
  for (const invoice of account.list("invoice")) {
    if (
      invoice.parent.subscription_details.subscription !== subscription.id ||
      (invoice.status !== "open" && invoice.status !== "draft")
    )
      continue;
    Object.assign(invoice, { auto_advance: false, next_payment_attempt: null, automatically_finalizes_at: null });
    account.emit("invoice.updated", invoice);
  }
}

function cancelIntent(account: Account, intent: PaymentIntent): void {
  Object.assign(intent, {
    status: "canceled",
    canceled_at: account.now(),
    cancellation_reason: "void_invoice",
    next_action: null,
  });
  delete account.state.secrets.challenges[intent.id];
  account.emit("payment_intent.canceled", intent);
}

/** @returns the intent that collects an invoice; undefined for a draft or when nothing is due */
export function intentOf(account: Account, invoice: Invoice): PaymentIntent | undefined {
  const payment = account
    .list("invoice_payment")
    .find((candidate) => candidate.invoice === invoice.id && candidate.is_default);
  return payment && account.find("payment_intent", payment.payment.payment_intent);
}
