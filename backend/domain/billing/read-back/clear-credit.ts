import type { BillingAccount } from "../account-model.ts";
import { requirePayment, type Billing } from "../billing.ts";
import { CURRENCY } from "../provider/catalog.ts";
import type { Payments } from "./payments.ts";

/**
 * Removes the credit that a change of plan left from a charge that was then refunded or lost, so that it pays for
 * nothing. Done once for each charge: credit that an operator gives later stays.
 */
export async function clearCredit(
  billing: Billing,
  account: BillingAccount,
  customerId: string,
  { reversedCharges, planChangeCreditCents }: Payments,
): Promise<void> {
  const { stripe } = requirePayment(billing);
  for (const { id, amountCents, isRefunded, isLost } of reversedCharges) {
    if ((!isRefunded && !isLost) || account.settledCharges?.includes(id)) continue;
    const customer = await stripe.customers.retrieve(customerId);
    const creditCents = customer.deleted ? 0 : Math.max(0, -customer.balance);
    const cents = Math.min(creditCents, planChangeCreditCents, amountCents);
    if (cents > 0)
      await stripe.customers.createBalanceTransaction(
        customerId,
        {
          amount: cents,
          currency: CURRENCY,
          description: "Credit from a payment that was given back",
          metadata: { charge: id },
        },
        { idempotencyKey: `credit:${id}` },
      );
    await billing.accounts.updateOne({ _id: account._id }, { $addToSet: { settledCharges: id } });
  }
}
