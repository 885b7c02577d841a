/** The stored objects of the provider, with ids where an answer may expand them. */
import type { Stripe } from "stripe";

/** An object as stored and sent. Some fields are narrower than in the client's types, which allow expanded objects. */
type Stored<T, Narrowed> = Omit<T, keyof Narrowed> & Narrowed;

export type Customer = Stored<
  Stripe.Customer,
  { invoice_settings: Stored<Stripe.Customer.InvoiceSettings, { default_payment_method: string | null }> }
>;
export type Product = Stripe.Product;
export type Price = Stored<Stripe.Price, { product: string; recurring: Stripe.Price.Recurring; unit_amount: number }>;
export type SubscriptionItem = Stored<Stripe.SubscriptionItem, { price: Price }>;
/** The stand-in has only subscriptions with one price. */
export type Subscription = Stored<
  Stripe.Subscription,
  {
    customer: string;
    items: Stored<Stripe.ApiList<Stripe.SubscriptionItem>, { data: [SubscriptionItem] }>;
    latest_invoice: string | null;
    pending_setup_intent: string | null;
    default_payment_method: string | null;
  }
>;
export type Invoice = Stored<
  Stripe.Invoice,
  {
    customer: string;
    parent: {
      quote_details: null;
      type: "subscription_details";
      subscription_details: { metadata: Stripe.Metadata; subscription: string };
    };
  }
>;
export type InvoicePayment = Stored<
  Stripe.InvoicePayment,
  { invoice: string; payment: { type: "payment_intent"; payment_intent: string } }
>;
export type PaymentIntent = Stored<
  Stripe.PaymentIntent,
  { client_secret: string; customer: string; latest_charge: string | null; payment_method: string | null }
>;
export type SetupIntent = Stored<
  Stripe.SetupIntent,
  { client_secret: string; customer: string; payment_method: string | null }
>;
export type PaymentMethod = Stored<Stripe.PaymentMethod, { customer: string | null; card: Stripe.PaymentMethod.Card }>;
export type Charge = Stored<Stripe.Charge, { customer: string; payment_intent: string }>;
export type Refund = Stored<Stripe.Refund, { charge: string }>;
export type Dispute = Stored<Stripe.Dispute, { charge: string; payment_intent: string }>;
export type BalanceTransaction = Stored<Stripe.CustomerBalanceTransaction, { customer: string }>;
export type WebhookEndpoint = Stripe.WebhookEndpoint;
export type PortalConfiguration = Stripe.BillingPortal.Configuration;
export type PortalSession = Stored<Stripe.BillingPortal.Session, { configuration: string }>;

/** An event as sent, with a snapshot of its object. */
export interface Event {
  id: string;
  created: number;
  data: { object: Record<string, unknown> };
  type: string;
}

export interface Collections {
  customer: Customer;
  product: Product;
  price: Price;
  subscription: Subscription;
  /** In their subscriptions only. */
  subscription_item: SubscriptionItem;
  invoice: Invoice;
  invoice_payment: InvoicePayment;
  payment_intent: PaymentIntent;
  setup_intent: SetupIntent;
  payment_method: PaymentMethod;
  charge: Charge;
  refund: Refund;
  dispute: Dispute;
  customer_balance_transaction: BalanceTransaction;
  webhook_endpoint: WebhookEndpoint;
  "billing_portal.configuration": PortalConfiguration;
  "billing_portal.session": PortalSession;
  event: Event;
}
export type Kind = keyof Collections;

/** The first letters of each kind's ids. */
export const ID_PREFIXES: { readonly [K in Kind]: string } = {
  customer: "cus",
  product: "prod",
  price: "price",
  subscription: "sub",
  subscription_item: "si",
  invoice: "in",
  invoice_payment: "inpay",
  payment_intent: "pi",
  setup_intent: "seti",
  payment_method: "pm",
  charge: "ch",
  refund: "re",
  dispute: "du",
  customer_balance_transaction: "cbtxn",
  webhook_endpoint: "we",
  "billing_portal.configuration": "bpc",
  "billing_portal.session": "bps",
  event: "evt",
};
export const KINDS = Object.keys(ID_PREFIXES) as Kind[];

export interface State {
  /** How far the stand-in's clock is ahead of the machine's. */
  clockOffsetSeconds: number;
  readonly objects: { readonly [K in Kind]: Record<string, Collections[K]> };
  /** Data that the API never sends. */
  readonly secrets: {
    /** Full number of each test card, by payment method. */
    cardNumbers: Record<string, string>;
    /** Payment method of an intent that waits for authentication, by intent. */
    challenges: Record<string, string>;
    /** Price that the billing page has scheduled for the next period, by subscription. */
    nextPrices: Record<string, string>;
    /** Secret that signs the events for an address, by webhook endpoint. */
    webhookSecrets: Record<string, string>;
  };
}

export function emptyState(): State {
  return {
    clockOffsetSeconds: 0,
    objects: Object.fromEntries(KINDS.map((kind) => [kind, {}])) as unknown as State["objects"],
    secrets: { cardNumbers: {}, challenges: {}, nextPrices: {}, webhookSecrets: {} },
  };
}
