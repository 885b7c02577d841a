/** Disputes as the API sends them. */
import type { Account } from "../account.ts";
import type { Charge, Dispute } from "../state.ts";

const ANSWER_DAYS = 9;
const DAY_SECONDS = 86_400;
const NO_EVIDENCE: Dispute["evidence"] = {
  access_activity_log: null,
  billing_address: null,
  cancellation_policy: null,
  cancellation_policy_disclosure: null,
  cancellation_rebuttal: null,
  customer_communication: null,
  customer_email_address: null,
  customer_name: null,
  customer_purchase_ip: null,
  customer_signature: null,
  duplicate_charge_documentation: null,
  duplicate_charge_explanation: null,
  duplicate_charge_id: null,
  enhanced_evidence: {},
  product_description: null,
  receipt: null,
  refund_policy: null,
  refund_policy_disclosure: null,
  refund_refusal_explanation: null,
  service_date: null,
  service_documentation: null,
  shipping_address: null,
  shipping_carrier: null,
  shipping_date: null,
  shipping_documentation: null,
  shipping_tracking_number: null,
  uncategorized_file: null,
  uncategorized_text: null,
};

/** @param isInquiry the bank only inquires and withdraws no money */
export function newDispute(
  account: Account,
  charge: Charge,
  { reason, isInquiry }: { reason: string; isInquiry: boolean },
): Dispute {
  const now = account.now();
  return {
    id: account.newId("dispute"),
    object: "dispute",
    amount: charge.amount,
    balance_transactions: [],
    charge: charge.id,
    created: now,
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: { ...NO_EVIDENCE },
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
    livemode: false,
    metadata: {},
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
