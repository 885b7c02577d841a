/** Subscriptions that wait for their first payment, which may come at any moment from another tab. */
import { Stripe } from "stripe";
import { endSubscription } from "../provider/end-subscription.ts";

/** Paid, and only the subscription does not say so yet. */
export function isPaid({ latest_invoice: invoice }: Stripe.Subscription): boolean {
  return invoice !== null && typeof invoice !== "string" && invoice.status === "paid";
}

/**
 * Takes a waiting subscription away. Its invoice goes first: the provider cancels a subscription
 * that was paid a moment ago without giving the money back, but does not void what was paid.
 * @returns false when a payment was faster, or is under way; the subscription then stays
 */
export async function dropUnpaid(
  stripe: Stripe,
  { id, latest_invoice: invoice }: Stripe.Subscription,
): Promise<boolean> {
  const invoiceId = typeof invoice === "string" ? invoice : invoice?.id;
  if (invoiceId !== undefined && !(await voidUnpaid(stripe, invoiceId))) return false;
  await endSubscription(stripe, id);
  return true;
}

async function voidUnpaid(stripe: Stripe, invoiceId: string): Promise<boolean> {
  try {
    await stripe.invoices.voidInvoice(invoiceId);
    return true;
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
    // Void already, if a call before this one was cut short.
    return (await stripe.invoices.retrieve(invoiceId)).status === "void";
  }
}
