import type { Stripe } from "stripe";
import { voidInvoice } from "../provider/void-invoice.ts";

/** Metadata that distinguishes our pauses from those of an operator. */
const PAUSED_FOR_KEY = "tapedeck_paused_for";
const DISPUTE = "dispute";

/**
 * Pauses payment collection while a payment is disputed, because the user has no Pro during that time, and resumes it
 * when the dispute is won. The provider still collects an invoice that was made before the pause, so an open one is
 * voided and a draft is never finalized.
 * @returns whether the subscription was changed at the provider
 */
export async function pauseWhileDisputed(
  stripe: Stripe,
  { id, pause_collection: pause, metadata, latest_invoice: latest }: Stripe.Subscription,
  isDisputed: boolean,
): Promise<boolean> {
  const isOurPause = metadata[PAUSED_FOR_KEY] === DISPUTE;
  const invoice = latest === null || typeof latest === "string" ? null : latest;
  if (isDisputed && pause === null) {
    if (invoice?.status === "draft") await stripe.invoices.update(invoice.id, { auto_advance: false });
    await stripe.subscriptions.update(id, {
      pause_collection: { behavior: "void" },
      metadata: { [PAUSED_FOR_KEY]: DISPUTE },
    });
    return true;
  }
  if (isDisputed && invoice?.status === "open") return voidInvoice(stripe, invoice.id);
  if (!isDisputed && isOurPause) {
    await stripe.subscriptions.update(id, { pause_collection: "", metadata: { [PAUSED_FOR_KEY]: "" } });
    return true;
  }
  return false;
}
