/**
 * Disputes: a bank takes a payment back until the case is won or lost.
 * https://docs.stripe.com/disputes/how-disputes-work
 */
import type { Account } from "../account.ts";
import { invalidRequest } from "../api-error.ts";
import { newDispute } from "../shapes/dispute.ts";
import type { Charge, Dispute } from "../state.ts";

export interface DisputeDetails {
  /** The bank's reason; `fraudulent` unless given. */
  readonly reason?: string | undefined;
  /** The bank only inquires and withdraws no money. */
  readonly isInquiry?: boolean | undefined;
}

/** @throws ApiError 400 when the charge was not paid or has an open dispute */
export function openDispute(
  account: Account,
  charge: Charge,
  { reason = "fraudulent", isInquiry = false }: DisputeDetails = {},
): Dispute {
  if (!charge.paid || disputesOf(account, charge).some(isOpen))
    throw invalidRequest(`Charge ${charge.id} cannot be disputed.`);
  const dispute = account.add("dispute", newDispute(account, charge, { reason, isInquiry }));
  charge.disputed = true;
  account.emit("charge.dispute.created", dispute);
  if (!isInquiry) account.emit("charge.dispute.funds_withdrawn", dispute);
  return dispute;
}

/** @throws ApiError 400 when it is closed already */
export function settleDispute(account: Account, dispute: Dispute, outcome: "lost" | "won"): void {
  if (!isOpen(dispute)) throw invalidRequest("This dispute is already closed", { code: "dispute_already_closed" });
  const isInquiry = dispute.status.startsWith("warning_");
  dispute.status = isInquiry ? "warning_closed" : outcome;
  account.emit("charge.dispute.closed", dispute);
  if (!isInquiry && outcome === "won") account.emit("charge.dispute.funds_reinstated", dispute);
}

export function disputesOf(account: Account, charge: Charge): Dispute[] {
  return account.list("dispute").filter((dispute) => dispute.charge === charge.id);
}

export function isOpen({ status }: Dispute): boolean {
  return !["lost", "prevented", "warning_closed", "won"].includes(status);
}
