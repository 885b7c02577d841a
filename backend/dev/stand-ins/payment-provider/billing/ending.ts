/** Ends subscriptions, with their open invoices and intents. */
import type { Account } from "../account.ts";
import { invalidRequest } from "../api-error.ts";
import type { Invoice, InvoicePayment, Subscription } from "../state.ts";

/** Whether the subscription has ended for good. */
export function isOver({ status }: Subscription): boolean {
  return status === "canceled" || status === "incomplete_expired";
}

/** Ends a subscription now. One that was never paid expires instead, and its invoice is voided. */
export function cancelNow(account: Account, subscription: Subscription): void {
  if (subscription.status === "incomplete") expire(account, subscription);
  else {
    subscription.status = "canceled";
    subscription.ended_at = account.now();
    subscription.canceled_at ??= account.now();
    for (const invoice of account.list("invoice"))
      if (invoice.parent.subscription_details.subscription === subscription.id)
        // Nothing collects it any more: it stays unpaid.
        Object.assign(invoice, { auto_advance: false, next_payment_attempt: null, automatically_finalizes_at: null });
  }
  account.emit("customer.subscription.deleted", subscription);
}

/** Ends a subscription whose first payment was not made in time. */
export function expire(account: Account, subscription: Subscription): void {
  const now = account.now();
  Object.assign(subscription, { status: "incomplete_expired", ended_at: now, canceled_at: now });
  const invoice = account.find("invoice", subscription.latest_invoice);
  if (invoice?.status === "open") voidInvoice(account, invoice);
  account.emit("customer.subscription.updated", subscription);
}

/** @throws ApiError 400 when the invoice is not open */
export function voidInvoice(account: Account, invoice: Invoice): void {
  if (invoice.status !== "open")
    throw invalidRequest("You can only pass in open invoices. This invoice isn't open.", {
      code: "invoice_not_editable",
    });
  Object.assign(invoice, { status: "void", amount_remaining: 0, next_payment_attempt: null, auto_advance: false });
  invoice.status_transitions.voided_at = account.now();
  const intent = account.find("payment_intent", paymentOf(account, invoice)?.payment.payment_intent ?? null);
  if (intent && intent.status !== "succeeded") {
    Object.assign(intent, { status: "canceled", canceled_at: account.now(), next_action: null });
    delete account.state.secrets.challenges[intent.id];
    account.emit("payment_intent.canceled", intent);
  }
  account.emit("invoice.voided", invoice);
}

/** @returns undefined for a draft or when nothing is due */
export function paymentOf(account: Account, { id }: Invoice): InvoicePayment | undefined {
  return account.list("invoice_payment").find(({ invoice }) => invoice === id);
}
