/** Who a user is at the provider: made once, whatever crashes in between. */
import type { StoredUser } from "../../accounts/user-model.ts";
import type { BillingAccount } from "../account-model.ts";
import { requirePayment, type Billing } from "../billing.ts";

/** @returns the customer's id, stored with the account. Called with the account's lease. */
export async function findOrCreateCustomer(
  billing: Billing,
  user: StoredUser,
  account: BillingAccount,
): Promise<string> {
  const { stripe } = requirePayment(billing);
  // One that was made and not written down: the address alone does not make it theirs.
  const alike = user.email === "" ? [] : (await stripe.customers.list({ email: user.email, limit: 100 })).data;
  const known = alike.find(({ metadata }) => metadata["userId"] === user._id);
  const customer =
    known ??
    (await stripe.customers.create(
      {
        ...(user.email === "" ? {} : { email: user.email }),
        ...(user.firstName === undefined ? {} : { name: user.firstName }),
        metadata: { userId: user._id },
      },
      { idempotencyKey: `customer:${user._id}:${account.customerId ?? "first"}:${account.keySeries}` },
    ));
  await billing.accounts.updateOne({ _id: user._id }, { $set: { customerId: customer.id } });
  return customer.id;
}
