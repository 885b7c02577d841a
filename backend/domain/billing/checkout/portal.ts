/** The provider's own page for card, invoices and cancelling. */
import { UserError } from "../../../../common/errors.ts";
import type { BillingAccount } from "../account-model.ts";
import { requirePayment, type Billing } from "../billing.ts";
import { askProvider } from "../provider/stripe-client.ts";

/**
 * @param returnUrl where its way back leads
 * @returns its address, good for a few minutes
 * @throws UserError conflict for somebody who has never been at the checkout; payment_unconfigured, payment_provider
 */
export async function openPortal(billing: Billing, userId: string, returnUrl: string): Promise<string> {
  const { stripe, catalog } = requirePayment(billing);
  const account = await billing.accounts.findOne({ _id: userId, closedAt: null }).lean<BillingAccount>();
  const customerId = account?.customerId ?? null;
  if (customerId === null) throw new UserError("conflict", "There is no subscription to manage yet.");
  return askProvider(async () => {
    const configuration = await catalog.portalConfiguration();
    const session = await stripe.billingPortal.sessions.create({
      customer: customerId,
      return_url: returnUrl,
      ...(configuration === null ? {} : { configuration }),
    });
    return session.url;
  });
}
