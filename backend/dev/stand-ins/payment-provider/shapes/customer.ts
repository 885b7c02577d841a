import { type Account, randomLetters } from "../account.ts";
import type { BalanceTransaction, Customer } from "../state.ts";
import { blank } from "./blank.ts";

export interface CustomerDetails {
  readonly email?: string | undefined;
  readonly name?: string | undefined;
  readonly metadata?: Record<string, string> | undefined;
}

export function newCustomer(account: Account, { email, name, metadata }: CustomerDetails): Customer {
  return {
    ...blank(account, "customer"),
    delinquent: false,
    email: email || null,
    invoice_prefix: randomLetters(8).toUpperCase(),
    metadata: metadata ?? {},
    name: name || null,
    preferred_locales: [],
    tax_exempt: "none",
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
