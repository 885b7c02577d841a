/** Makes invoices for periods, finalizes them and collects them. */
import type { Stripe } from "stripe";
import type { Account } from "../account.ts";
import { ApiError, invalidRequest } from "../api-error.ts";
import { type LineDetails, newInvoice, newInvoicePayment } from "../shapes/invoice.ts";
import { newPaymentIntent } from "../shapes/intents.ts";
import type { Invoice, PaymentMethod, Subscription, SubscriptionItem } from "../state.ts";
import { charge } from "./charging.ts";
import { intentOf, markUncollectible, voidInvoice } from "./ending.ts";
import { markPaid, markFailed, subscriptionOf } from "./outcome.ts";

/** Time that a renewal's invoice stays a draft, in which a seller may add lines. */
export const DRAFT_SECONDS = 3_600;

export function draftInvoice(
  account: Account,
  subscription: Subscription,
  reason: Stripe.Invoice.BillingReason,
  lines: readonly LineDetails[],
): Invoice {
  const invoice = account.add("invoice", newInvoice(account, subscription, reason, lines));
  subscription.latest_invoice = invoice.id;
  account.emit("invoice.created", invoice);
  return invoice;
}

/** Gives an invoice its number and a payment intent; when nothing is due, it is paid at once. */
export function finalizeInvoice(account: Account, invoice: Invoice): void {
  if (invoice.status !== "draft")
    throw invalidRequest("This invoice is already finalized, you can't re-finalize a non-draft invoice.", {
      code: "invoice_not_editable",
    });
  const customer = account.get("customer", invoice.customer);
  const subscription = subscriptionOf(account, invoice);
  invoice.number = `${customer.invoice_prefix}-${String(customer.next_invoice_sequence ?? 1).padStart(4, "0")}`;
  customer.next_invoice_sequence = (customer.next_invoice_sequence ?? 1) + 1;
  // Uses the current balance, which may have changed since the draft; a negative balance is credit.
  const due = Math.max(0, invoice.total + customer.balance);
  Object.assign(invoice, { starting_balance: customer.balance, amount_due: due, amount_remaining: due });
  customer.balance += invoice.total - due;
  customer.currency = invoice.currency;
  invoice.ending_balance = customer.balance;
  Object.assign(invoice, { status: "open", automatically_finalizes_at: null, effective_at: account.now() });
  invoice.status_transitions.finalized_at = account.now();
  if (invoice.amount_due > 0) {
    const intent = account.add("payment_intent", newPaymentIntent(account, invoice, subscription));
    account.add("invoice_payment", newInvoicePayment(account, invoice, intent));
    const saved = savedCard(account, subscription);
    if (saved) Object.assign(intent, { payment_method: saved.id, status: "requires_confirmation" });
    account.emit("payment_intent.created", intent);
  }
  account.emit("invoice.finalized", invoice);
  if (invoice.amount_due === 0) markPaid(account, invoice, null);
}

/**
 * Charges the saved card while its owner is absent.
 * @returns the error when the card was declined or is missing
 */
export function collect(account: Account, invoice: Invoice): ApiError | undefined {
  const intent = intentOf(account, invoice);
  if (invoice.status !== "open" || !intent) return undefined;
  const method = savedCard(account, subscriptionOf(account, invoice));
  if (!method) {
    markFailed(account, invoice);
    return invalidRequest(
      "This customer has no attached payment source or default payment method. Please consider adding a " +
        "default payment method.",
      { code: "resource_missing" },
    );
  }
  try {
    charge(account, intent, method, { isOwnerPresent: false });
    return undefined;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

/**
 * Finalizes an invoice and collects it, or does with it what a pause of collection says.
 * @returns the error when the card was declined or is missing
 */
export function finalizeAndCollect(account: Account, invoice: Invoice): ApiError | undefined {
  const { pause_collection: pause } = subscriptionOf(account, invoice);
  if (pause?.behavior === "keep_as_draft") {
    Object.assign(invoice, { auto_advance: false, automatically_finalizes_at: null });
    return undefined;
  }
  finalizeInvoice(account, invoice);
  if (pause === null) return collect(account, invoice);
  if (invoice.status !== "open") return undefined;
  if (pause.behavior === "void") voidInvoice(account, invoice);
  else markUncollectible(account, invoice);
  return undefined;
}

/** @returns the card that a subscription is charged to: its own, or else the customer's */
export function savedCard(account: Account, subscription: Subscription): PaymentMethod | undefined {
  const id =
    subscription.default_payment_method ??
    account.get("customer", subscription.customer).invoice_settings.default_payment_method;
  return id === null ? undefined : account.find("payment_method", id);
}

/** @returns the line with the full price of an item for its current period */
export function periodLine(account: Account, item: SubscriptionItem): LineDetails {
  const { price, quantity } = item;
  const dollars = (price.unit_amount / 100).toFixed(2);
  return {
    item,
    amount: price.unit_amount * quantity,
    description: `${quantity} × ${productName(account, item)} (at $${dollars} / ${price.recurring.interval})`,
    period: { start: item.current_period_start, end: item.current_period_end },
  };
}

/** @returns the line that credits the unused time of an item whose price is changed */
export function unusedLine(account: Account, item: SubscriptionItem): LineDetails {
  const now = account.now();
  const unused = Math.max(0, item.current_period_end - now) / (item.current_period_end - item.current_period_start);
  return {
    item,
    amount: -Math.round(item.price.unit_amount * item.quantity * unused),
    description: `Unused time on ${productName(account, item)}`,
    isProration: true,
    period: { start: now, end: item.current_period_end },
  };
}

function productName(account: Account, item: SubscriptionItem): string {
  return account.find("product", item.price.product)?.name ?? item.price.product;
}
