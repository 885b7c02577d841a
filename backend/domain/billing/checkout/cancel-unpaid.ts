import { Stripe } from "stripe";
import { endSubscription } from "../provider/end-subscription.ts";

/**
 * Cancels a subscription that waits for its first payment. Its invoice is voided first, which fails if another tab has
 * just paid it. Canceling alone would end a paid subscription without a refund.
 * @returns false when it has been paid or the payment is in progress; the subscription then stays
 */
export async function cancelUnpaid(
  stripe: Stripe,
  { id, latest_invoice: invoice }: Stripe.Subscription,
): Promise<boolean> {
  const invoiceId = typeof invoice === "string" ? invoice : invoice?.id;
  if (invoiceId !== undefined && !(await voidInvoice(stripe, invoiceId))) return false;
  await endSubscription(stripe, id);
  return true;
}

/** @returns whether the invoice is void now; false when it has been paid or its payment is in progress */
async function voidInvoice(stripe: Stripe, invoiceId: string): Promise<boolean> {
  try {
    await stripe.invoices.voidInvoice(invoiceId);
    return true;
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
    // An earlier call may have voided it and then been interrupted.
    return (await stripe.invoices.retrieve(invoiceId)).status === "void";
  }
}
