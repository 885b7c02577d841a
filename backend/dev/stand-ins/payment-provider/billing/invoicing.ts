/** Makes invoices for periods, finalizes them and collects them. */
import type { Stripe } from "stripe";
import { type Account, randomLetters } from "../account.ts";
import { ApiError, invalidRequest } from "../api-error.ts";
import type { Invoice, PaymentMethod, Subscription } from "../state.ts";
import { charge } from "./charging.ts";
import { paymentOf, voidInvoice } from "./ending.ts";
import { markPaid, markFailed, subscriptionOf } from "./outcome.ts";

/** Time that a renewal's invoice stays a draft, in which a seller may add lines. */
export const DRAFT_SECONDS = 3_600;

export function draftInvoice(
  account: Account,
  subscription: Subscription,
  reason: Stripe.Invoice.BillingReason,
  total: number,
): Invoice {
  const { id, currency, customer, metadata } = subscription;
  const invoice = account.create("invoice", {
    amount_due: total,
    amount_remaining: total,
    auto_advance: true,
    billing_reason: reason,
    currency,
    customer,
    parent: {
      quote_details: null,
      subscription_details: { metadata, subscription: id },
      type: "subscription_details",
    },
    status: "draft",
    subtotal: total,
    total,
  });
  subscription.latest_invoice = invoice.id;
  account.emit("invoice.created", invoice);
  return invoice;
}

/** Gives an invoice its number and a payment intent; when nothing is due, it is paid at once. */
export function finalizeInvoice(account: Account, invoice: Invoice): void {
  const customer = account.get("customer", invoice.customer);
  const number = customer.next_invoice_sequence ?? 1;
  customer.next_invoice_sequence = number + 1;
  // Uses the current balance, which may have changed since the draft; a negative balance is credit.
  const due = Math.max(0, invoice.total + customer.balance);
  invoice.starting_balance = customer.balance;
  customer.balance += invoice.total - due;
  Object.assign(invoice, {
    amount_due: due,
    amount_remaining: due,
    automatically_finalizes_at: null,
    ending_balance: customer.balance,
    number: `${customer.id.slice(-8).toUpperCase()}-${String(number).padStart(4, "0")}`,
    status: "open",
  });
  invoice.status_transitions.finalized_at = account.now();
  if (due > 0) createIntent(account, invoice);
  account.emit("invoice.finalized", invoice);
  if (due === 0) markPaid(account, invoice, null);
}

function createIntent(account: Account, invoice: Invoice): void {
  const subscription = subscriptionOf(account, invoice);
  const { save_default_payment_method: saving } = subscription.payment_settings ?? {};
  const id = account.newId("payment_intent");
  const saved = savedCard(account, subscription);
  const intent = account.create("payment_intent", {
    id,
    amount: invoice.amount_due,
    client_secret: `${id}_secret_${randomLetters(25)}`,
    currency: invoice.currency,
    customer: invoice.customer,
    description: invoice.billing_reason === "subscription_create" ? "Subscription creation" : "Subscription update",
    payment_method: saved?.id ?? null,
    payment_method_types: ["card"],
    setup_future_usage: saving === "on_subscription" ? "off_session" : null,
    status: saved ? "requires_confirmation" : "requires_payment_method",
  });
  account.create("invoice_payment", {
    amount_requested: invoice.amount_due,
    currency: invoice.currency,
    invoice: invoice.id,
    payment: { type: "payment_intent", payment_intent: id },
    status: "open",
  });
  account.emit("payment_intent.created", intent);
}

/**
 * Charges the saved card while its owner is absent.
 * @returns the error when the card was declined or is missing
 */
export function collect(account: Account, invoice: Invoice): ApiError | undefined {
  const payment = paymentOf(account, invoice);
  if (invoice.status !== "open" || !payment) return undefined;
  const method = savedCard(account, subscriptionOf(account, invoice));
  if (!method) {
    markFailed(account, invoice);
    return invalidRequest("This customer has no attached payment source or default payment method.");
  }
  try {
    charge(account, account.get("payment_intent", payment.payment.payment_intent), method, { isOwnerPresent: false });
    return undefined;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

/** Finalizes an invoice and collects it, or does with it what a pause of collection says. */
export function finalizeAndCollect(account: Account, invoice: Invoice): void {
  const { pause_collection: pause } = subscriptionOf(account, invoice);
  if (pause?.behavior === "keep_as_draft") {
    Object.assign(invoice, { auto_advance: false, automatically_finalizes_at: null });
    return;
  }
  finalizeInvoice(account, invoice);
  if (pause === null) collect(account, invoice);
  else if (invoice.status !== "open") return;
  else if (pause.behavior === "void") voidInvoice(account, invoice);
  else {
    Object.assign(invoice, { status: "uncollectible", next_payment_attempt: null, auto_advance: false });
    account.emit("invoice.marked_uncollectible", invoice);
  }
}

/** @returns the card that a subscription is charged to: its own, or else the customer's */
export function savedCard(account: Account, subscription: Subscription): PaymentMethod | undefined {
  const { invoice_settings: settings } = account.get("customer", subscription.customer);
  return account.find("payment_method", subscription.default_payment_method ?? settings.default_payment_method);
}
