import { type Account, randomLetters } from "../account.ts";
import type { BalanceTransaction, Customer } from "../state.ts";

export interface CustomerDetails {
  readonly email?: string | undefined;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly phone?: string | undefined;
  readonly metadata?: Record<string, string> | undefined;
}

export function newCustomer(
  account: Account,
  { email, name, description, phone, metadata }: CustomerDetails,
): Customer {
  return {
    id: account.newId("customer"),
    object: "customer",
    address: null,
    balance: 0,
    created: account.now(),
    currency: null,
    default_source: null,
    delinquent: false,
    description: description || null,
    discount: null,
    email: email || null,
    invoice_prefix: randomLetters(8).toUpperCase(),
    invoice_settings: { custom_fields: null, default_payment_method: null, footer: null, rendering_options: null },
    livemode: false,
    metadata: metadata ?? {},
    name: name || null,
    next_invoice_sequence: 1,
    phone: phone || null,
    preferred_locales: [],
    shipping: null,
    tax_exempt: "none",
    test_clock: null,
  };
}

/** @param details.amount in cents; positive reduces the credit, negative adds credit */
export function newBalanceTransaction(
  account: Account,
  customer: Customer,
  details: {
    amount: number;
    currency: string;
    description?: string | undefined;
    metadata?: Record<string, string> | undefined;
  },
): BalanceTransaction {
  return {
    id: account.newId("customer_balance_transaction"),
    object: "customer_balance_transaction",
    amount: details.amount,
    checkout_session: null,
    created: account.now(),
    credit_note: null,
    currency: details.currency,
    customer: customer.id,
    customer_account: null,
    description: details.description ?? null,
    ending_balance: customer.balance + details.amount,
    invoice: null,
    livemode: false,
    metadata: details.metadata ?? {},
    type: "adjustment",
  };
}
