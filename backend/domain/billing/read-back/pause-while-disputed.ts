import type { Stripe } from "stripe";
import { latestInvoiceOf } from "../provider/subscription-state.ts";

/** Metadata that distinguishes our pauses from those of an operator. */
const PAUSED_FOR_KEY = "tapedeck_paused_for";
const DISPUTE = "dispute";

/**
 * Pauses payment collection while a payment is disputed, because the user has no Pro during that time, and resumes it
 * when the dispute is won. The provider would still collect an invoice that was made before the pause, so that is stopped
 * and resumed too.
 * @returns whether the subscription was changed at the provider
 */
export async function pauseWhileDisputed(
  stripe: Stripe,
  subscription: Stripe.Subscription,
  isDisputed: boolean,
): Promise<boolean> {
  const { id, pause_collection: pause, metadata } = subscription;
  const isOurPause = metadata[PAUSED_FOR_KEY] === DISPUTE;
  const invoice = latestInvoiceOf(subscription);
  const unpaid = invoice?.status === "draft" || invoice?.status === "open" ? invoice : null;
  if (isDisputed && unpaid?.auto_advance === true) {
    await stripe.invoices.update(unpaid.id, { auto_advance: false });
    return true;
  }
  if (isDisputed && pause === null) {
    await stripe.subscriptions.update(id, {
      pause_collection: { behavior: "void" },
      metadata: { [PAUSED_FOR_KEY]: DISPUTE },
    });
    return true;
  }
  if (!isDisputed && isOurPause) {
    // Before the pause ends: afterwards nothing would tell that the invoice was stopped because of the dispute.
    if (unpaid?.auto_advance === false) await stripe.invoices.update(unpaid.id, { auto_advance: true });
    await stripe.subscriptions.update(id, { pause_collection: "", metadata: { [PAUSED_FOR_KEY]: "" } });
    return true;
  }
  return false;
}
