import type { Account } from "../account.ts";
import { invalidRequest } from "../api-error.ts";
import { disputesOf, isOpen } from "./disputing.ts";
import { newRefund } from "../shapes/payment.ts";
import type { Charge, Refund } from "../state.ts";

/**
 * Refunds a charge.
 * @param given in cents; the rest of the charge unless given
 * @throws ApiError 400 when the charge was not paid, is refunded already, or is less than the amount
 */
export function refundCharge(account: Account, charge: Charge, given?: number): Refund {
  const left = charge.amount_captured - charge.amount_refunded;
  const amount = given ?? left;
  if (charge.refunded)
    throw invalidRequest(`Charge ${charge.id} has already been refunded.`, { code: "charge_already_refunded" });
  if (!charge.paid) throw invalidRequest("You cannot refund a charge that has not been paid.", { param: "charge" });
  if (disputesOf(account, charge).some((dispute) => isOpen(dispute) && !dispute.is_charge_refundable))
    throw invalidRequest(`Charge ${charge.id} has been charged back; cannot issue a refund.`, {
      code: "charge_disputed",
    });
  if (amount > left || amount <= 0)
    throw invalidRequest(
      `Refund amount ($${(amount / 100).toFixed(2)}) is greater than unrefunded amount on charge ` +
        `($${(left / 100).toFixed(2)})`,
      { param: "amount" },
    );
  const refund = account.add("refund", newRefund(account, charge, amount));
  charge.amount_refunded += amount;
  charge.refunded = charge.amount_refunded === charge.amount_captured;
  account.emit("refund.created", refund);
  account.emit("charge.refunded", charge);
  return refund;
}
