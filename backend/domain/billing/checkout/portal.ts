import { UserError } from "../../../../common/errors.ts";
import type { BillingAccount } from "../account-model.ts";
import { requirePayment, type Billing } from "../billing.ts";
import { askProvider } from "../provider/stripe-client.ts";

/**
 * Opens the provider's page for card, invoices and cancellation.
 * @param returnUrl the page that its "back" link leads to
 * @returns the URL of the page, valid for a few minutes
 * @throws UserError conflict when the user has no customer at the provider; payment_unconfigured, payment_provider
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
      configuration: configuration ?? undefined,
    });
    return session.url;
  });
}
