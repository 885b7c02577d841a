/** Billing's part in the deletion and the export of an account. */
import type { AccountHook } from "../domain.ts";
import type { BillingAccount } from "./account-model.ts";
import type { Billing } from "./billing.ts";

export function billingAccountHook(billing: Billing): AccountHook {
  return {
    async onDeleted(userId) {
      // Stored before the provider is called: the read-back is repeated until the provider answers.
      const { matchedCount } = await billing.accounts.updateOne(
        { _id: userId },
        { $set: { closedAt: new Date(), nextReadAt: billing.now() } },
      );
      if (matchedCount > 0) await billing.queue.enqueue({ kind: "account", id: userId });
    },
    async export(userId) {
      const account = await billing.accounts.findById(userId).lean<BillingAccount>();
      return {
        billing: account && {
          customerId: account.customerId,
          subscription: account.subscription,
          since: account.createdAt,
        },
      };
    },
  };
}
