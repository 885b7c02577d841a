import { Stripe } from "stripe";

/** @returns whether the invoice is void now; false when it has been paid or its payment is in progress */
export async function voidInvoice(stripe: Stripe, invoiceId: string): Promise<boolean> {
  try {
    await stripe.invoices.voidInvoice(invoiceId);
    return true;
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
    // An earlier call may have voided it and then been interrupted.
    return (await stripe.invoices.retrieve(invoiceId)).status === "void";
  }
}
