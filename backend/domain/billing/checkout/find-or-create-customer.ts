import type { StoredUser } from "../../accounts/user-model.ts";
import type { BillingAccount } from "../account-model.ts";
import { requirePayment, type Billing } from "../billing.ts";

/**
 * Finds the user's customer at the provider or creates it, and stores its id with the account. A crash before the id is
 * stored does not lead to a second customer. Call it under the account's lease.
 * @returns the customer's id
 */
export async function findOrCreateCustomer(
  billing: Billing,
  user: StoredUser,
  account: BillingAccount,
): Promise<string> {
  const { stripe } = requirePayment(billing);
  // Several customers may share an email address; the user id in the metadata identifies the right one.
  const sameEmail = user.email === "" ? [] : (await stripe.customers.list({ email: user.email, limit: 100 })).data;
  const known = sameEmail.find(({ metadata }) => metadata["userId"] === user._id);
  const customer =
    known ??
    (await stripe.customers.create(
      {
        email: user.email === "" ? undefined : user.email,
        name: user.firstName,
        metadata: { userId: user._id },
      },
      { idempotencyKey: `customer:${user._id}:${account.customerId ?? "first"}:${account.keySeries}` },
    ));
  await billing.accounts.updateOne({ _id: user._id }, { $set: { customerId: customer.id } });
  return customer.id;
}
