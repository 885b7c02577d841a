/** Cards, charges and refunds as the API sends them. */
import { createHash } from "node:crypto";
import type { Account } from "../account.ts";
import { TEST_CARDS } from "../cards.ts";
import type { Charge, PaymentIntent, PaymentMethod, Refund } from "../state.ts";
import { blank } from "./blank.ts";

const NO_BILLING_DETAILS = {
  address: { city: null, country: null, line1: null, line2: null, postal_code: null, state: null },
  email: null,
  name: null,
  phone: null,
  tax_id: null,
};

export interface CardDetails {
  readonly number: string;
  readonly expMonth: number;
  readonly expYear: number;
}

export function newPaymentMethod(account: Account, { number, expMonth, expYear }: CardDetails): PaymentMethod {
  const brand = TEST_CARDS[number]?.brand ?? "visa";
  return {
    id: account.newId("payment_method"),
    object: "payment_method",
    allow_redisplay: "unspecified",
    billing_details: NO_BILLING_DETAILS,
    card: {
      brand,
      checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: "pass" },
      country: "US",
      display_brand: brand,
      exp_month: expMonth,
      exp_year: expYear,
      fingerprint: createHash("sha256").update(number).digest("base64url").slice(0, 16),
      funding: "credit",
      generated_from: null,
      last4: number.slice(-4),
      networks: { available: [brand], preferred: null },
      regulated_status: "unregulated",
      three_d_secure_usage: { supported: true },
      wallet: null,
    },
    created: account.now(),
    customer: null,
    customer_account: null,
    livemode: false,
    metadata: {},
    type: "card",
  };
}

interface Refusal {
  readonly code: string;
  readonly message: string;
}

export function newCharge(
  account: Account,
  intent: PaymentIntent,
  { id: paymentMethod, card }: PaymentMethod,
  refusal: Refusal | null,
): Charge {
  return {
    ...blank(account, "charge"),
    amount: intent.amount,
    amount_captured: refusal ? 0 : intent.amount,
    billing_details: NO_BILLING_DETAILS,
    calculated_statement_descriptor: "STAND-IN",
    captured: refusal === null,
    currency: intent.currency,
    customer: intent.customer,
    description: intent.description,
    failure_code: refusal?.code ?? null,
    failure_message: refusal?.message ?? null,
    fraud_details: {},
    outcome: outcomeOf(refusal),
    paid: refusal === null,
    payment_intent: intent.id,
    payment_method: paymentMethod,
    payment_method_details: { card: chargedCard(card, refusal ? null : intent.amount), type: "card" },
    source: null,
    status: refusal ? "failed" : "succeeded",
  };
}

function outcomeOf(refusal: Refusal | null): Charge["outcome"] {
  return {
    advice_code: null,
    network_advice_code: null,
    network_decline_code: null,
    network_status: refusal ? "declined_by_network" : "approved_by_network",
    reason: refusal?.code ?? null,
    risk_level: "normal",
    seller_message: refusal ? "The bank did not return any further details with this decline." : "Payment complete.",
    type: refusal ? "issuer_declined" : "authorized",
  };
}

/** @param amountAuthorized in cents; null when the charge was declined */
function chargedCard(
  card: PaymentMethod["card"],
  amountAuthorized: number | null,
): NonNullable<Charge["payment_method_details"]>["card"] {
  return {
    amount_authorized: amountAuthorized,
    authorization_code: null,
    brand: card.brand,
    checks: null,
    country: card.country,
    electronic_commerce_indicator: null,
    exp_month: card.exp_month,
    exp_year: card.exp_year,
    fingerprint: card.fingerprint ?? null,
    funding: card.funding,
    installments: null,
    last4: card.last4,
    mandate: null,
    network: card.brand,
    network_token: { used: false },
    network_transaction_id: null,
    regulated_status: "unregulated",
    three_d_secure: null,
    transaction_link_id: null,
    wallet: null,
  };
}

export function newRefund(account: Account, charge: Charge, amount: number): Refund {
  return {
    ...blank(account, "refund"),
    amount,
    charge: charge.id,
    currency: charge.currency,
    customer: charge.customer,
    destination_details: { card: { type: "refund" }, type: "card" },
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    status: "succeeded",
  };
}
