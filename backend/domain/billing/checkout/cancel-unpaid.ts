import type { Stripe } from "stripe";
import { endSubscription } from "../provider/end-subscription.ts";
import { voidInvoice } from "../provider/void-invoice.ts";

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
