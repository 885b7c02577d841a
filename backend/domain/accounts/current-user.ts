import type { User } from "../../../common/api.ts";
import { UserError } from "../../../common/errors.ts";
import type { BillingAccount } from "../billing/account-model.ts";
import type { Billing } from "../billing/billing.ts";
import { requestReadBack } from "../billing/read-back/reconcile.ts";
import { presentSubscription } from "../billing/tier-rules.ts";
import type { Domain } from "../domain.ts";
import { usageOf } from "./usage.ts";
import type { StoredUser } from "./user-model.ts";
import type { Viewer } from "./viewer.ts";

/**
 * Reads the user of a viewer with tier, usage and subscription. Also queues a new read of the subscription
 * if a payment may have arrived.
 * @throws UserError sign_in_required if no user is signed in, or the account was removed
 */
export async function getCurrentUser(domain: Domain, billing: Billing, viewer: Viewer): Promise<User> {
  const { userId } = viewer;
  const user = userId === null ? null : await domain.users.findById(userId).lean<StoredUser>();
  if (!user) throw new UserError("sign_in_required");
  await requestReadBack(billing, user._id);
  const account = await billing.accounts.findById(user._id).lean<BillingAccount>();
  return {
    id: user._id,
    email: user.email,
    firstName: user.firstName,
    tier: user.tier,
    usage: await usageOf(domain, viewer),
    subscription: presentSubscription(account?.subscription ?? null, billing.now(), billing.graceMs),
  };
}
