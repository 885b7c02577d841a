/** What a deleted account leaves at the provider is cancelled and deleted; what we know of it can be taken along. */
import type { AccountHook } from "../domain.ts";
import type { BillingAccount } from "./account-model.ts";
import type { Billing } from "./billing.ts";

export function billingAccountHook(billing: Billing): AccountHook {
  return {
    async onDeleted(userId) {
      // Written down first: the provider may be away, and is then asked until it is back.
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
