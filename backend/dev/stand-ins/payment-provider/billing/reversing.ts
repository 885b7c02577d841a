/** Refunds, and disputes, in which a bank takes a payment back: https://docs.stripe.com/disputes/how-disputes-work. */
import type { Account } from "../account.ts";
import { invalidRequest } from "../api-error.ts";
import type { Charge, Dispute, Refund } from "../state.ts";

/**
 * @param amount in cents; the rest of the charge unless given
 * @throws ApiError 400 when the charge was not paid, or is less than the amount
 */
export function refundCharge(
  account: Account,
  charge: Charge,
  amount: number = charge.amount_captured - charge.amount_refunded,
): Refund {
  const { id, currency, customer, payment_intent, payment_method } = charge;
  if (amount <= 0 || amount > charge.amount_captured - charge.amount_refunded)
    throw invalidRequest(`Charge ${id} has no ${amount} cents to refund.`, { param: "amount" });
  const refund = account.create("refund", {
    amount,
    charge: id,
    currency,
    customer,
    payment_intent,
    payment_method,
    status: "succeeded",
  });
  charge.amount_refunded += amount;
  charge.refunded = charge.amount_refunded === charge.amount_captured;
  account.emit("charge.refunded", charge);
  return refund;
}

/** @param isInquiry the bank only inquires and withdraws no money */
export function openDispute(account: Account, charge: Charge, isInquiry: boolean): Dispute {
  const dispute = account.create("dispute", {
    amount: charge.amount,
    charge: charge.id,
    currency: charge.currency,
    is_charge_refundable: isInquiry,
    payment_intent: charge.payment_intent,
    reason: "fraudulent",
    status: isInquiry ? "warning_needs_response" : "needs_response",
  });
  charge.disputed = true;
  account.emit("charge.dispute.created", dispute);
  if (!isInquiry) account.emit("charge.dispute.funds_withdrawn", dispute);
  return dispute;
}

export function settleDispute(account: Account, dispute: Dispute, outcome: "lost" | "won"): void {
  const isInquiry = dispute.status.startsWith("warning_");
  dispute.status = isInquiry ? "warning_closed" : outcome;
  account.emit("charge.dispute.closed", dispute);
  if (!isInquiry && outcome === "won") account.emit("charge.dispute.funds_reinstated", dispute);
}
