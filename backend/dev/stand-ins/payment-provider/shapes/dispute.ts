/** Disputes as the API sends them. */
import type { Account } from "../account.ts";
import type { Charge, Dispute } from "../state.ts";
import { blank } from "./blank.ts";

const ANSWER_DAYS = 9;
const DAY_SECONDS = 86_400;

/** @param isInquiry the bank only inquires and withdraws no money */
export function newDispute(
  account: Account,
  charge: Charge,
  { reason, isInquiry }: { reason: string; isInquiry: boolean },
): Dispute {
  const now = account.now();
  return {
    ...blank(account, "dispute"),
    amount: charge.amount,
    charge: charge.id,
    currency: charge.currency,
    evidence_details: {
      due_by: now + ANSWER_DAYS * DAY_SECONDS,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: "not_submitted",
    },
    intended_submission_method: null,
    is_charge_refundable: isInquiry,
    payment_intent: charge.payment_intent,
    payment_method_details: {
      card: {
        brand: charge.payment_method_details?.card?.brand ?? "visa",
        case_type: isInquiry ? "inquiry" : "chargeback",
        network: charge.payment_method_details?.card?.network ?? "visa",
        network_reason_code: "10",
      },
      type: "card",
    },
    reason,
    status: isInquiry ? "warning_needs_response" : "needs_response",
  };
}
