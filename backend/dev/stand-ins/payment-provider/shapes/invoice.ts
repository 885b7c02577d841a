import type { Stripe } from "stripe";
import type { Account } from "../account.ts";
import type { Invoice, InvoiceLine, InvoicePayment, PaymentIntent, Subscription, SubscriptionItem } from "../state.ts";
import { blank } from "./blank.ts";

export interface LineDetails {
  readonly item: SubscriptionItem;
  readonly amount: number;
  readonly description: string;
  readonly isProration?: boolean;
  readonly period: { readonly start: number; readonly end: number };
}

/** @returns a draft; finalizing adds a number and a payment intent */
export function newInvoice(
  account: Account,
  subscription: Subscription,
  reason: Stripe.Invoice.BillingReason,
  lines: readonly LineDetails[],
): Invoice {
  const id = account.newId("invoice");
  const customer = account.get("customer", subscription.customer);
  const subtotal = lines.reduce((sum, { amount }) => sum + amount, 0);
  const now = account.now();
  // The customer's credit is used first; credit from the lines is left for the next invoice.
  const due = Math.max(0, subtotal + customer.balance);
  return {
    ...blank(account, "invoice"),
    id,
    account_country: "US",
    account_name: "Stand-in for development",
    amount_due: due,
    amount_overpaid: 0,
    amount_remaining: due,
    auto_advance: true,
    billing_reason: reason,
    currency: subscription.currency,
    customer: customer.id,
    customer_email: customer.email,
    customer_name: customer.name ?? null,
    customer_phone: customer.phone ?? null,
    customer_tax_exempt: "none",
    customer_tax_ids: [],
    lines: {
      object: "list",
      data: lines.map((line) => newLine(account, id, subscription, line)),
      has_more: false,
      url: `/v1/invoices/${id}/lines`,
    },
    parent: {
      quote_details: null,
      subscription_details: { metadata: subscription.metadata, subscription: subscription.id },
      type: "subscription_details",
    },
    payment_settings: {
      default_mandate: null,
      payment_method_options: null,
      payment_method_types: subscription.payment_settings?.payment_method_types ?? null,
    },
    period_end: now,
    period_start: now,
    starting_balance: customer.balance,
    status: "draft",
    subtotal,
    subtotal_excluding_tax: subtotal,
    total: subtotal,
    total_discount_amounts: [],
    total_excluding_tax: subtotal,
    total_pretax_credit_amounts: [],
    total_taxes: [],
    webhooks_delivered_at: now,
  };
}

function newLine(
  account: Account,
  invoice: string,
  subscription: Subscription,
  { item, amount, description, isProration = false, period }: LineDetails,
): InvoiceLine {
  return {
    id: account.newId("invoice").replace(/^in_/, "il_"),
    object: "line_item",
    amount,
    currency: subscription.currency,
    description,
    discount_amounts: [],
    discountable: !isProration,
    discounts: [],
    invoice,
    livemode: false,
    metadata: subscription.metadata,
    parent: {
      invoice_item_details: null,
      subscription_item_details: {
        invoice_item: null,
        proration: isProration,
        proration_details: isProration ? { credited_items: null } : null,
        subscription: subscription.id,
        subscription_item: item.id,
      },
      type: "subscription_item_details",
    },
    period: { ...period },
    pretax_credit_amounts: [],
    pricing: {
      price_details: { price: item.price.id, product: item.price.product },
      type: "price_details",
      unit_amount_decimal: item.price.unit_amount_decimal,
    },
    quantity: item.quantity,
    quantity_decimal: String(item.quantity),
    subscription: subscription.id,
    subtotal: amount,
    taxes: [],
  };
}

export function newInvoicePayment(account: Account, invoice: Invoice, intent: PaymentIntent): InvoicePayment {
  return {
    id: account.newId("invoice_payment"),
    object: "invoice_payment",
    amount_paid: null,
    amount_requested: invoice.amount_due,
    created: account.now(),
    currency: invoice.currency,
    invoice: invoice.id,
    is_default: true,
    livemode: false,
    payment: { type: "payment_intent", payment_intent: intent.id },
    status: "open",
    status_transitions: { canceled_at: null, paid_at: null },
  };
}
