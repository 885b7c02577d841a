/** A full refund of what a subscription's running period cost ends it; a part of it back does not. */
import type { Stripe } from "stripe";
import { isMissing } from "./stripe-client.ts";
import { dateOf } from "./provider-state.ts";

/** Whether the payment of the subscription's latest invoice was given back in full. */
export async function wasLatestRefunded(stripe: Stripe, subscription: Stripe.Subscription): Promise<boolean> {
  const invoice = subscription.latest_invoice;
  if (invoice === null || typeof invoice === "string" || invoice.id === undefined || invoice.amount_paid === 0) return false;
  const payments = await stripe.invoicePayments.list({ invoice: invoice.id, status: "paid", expand: ["data.payment.payment_intent.latest_charge"], limit: 10 });
  return payments.data.some(({ payment }) => {
    const intent = payment.payment_intent;
    if (intent === undefined || typeof intent === "string") return false;
    const charge = intent.latest_charge;
    return charge !== null && typeof charge !== "string" && charge.refunded;
  });
}

/**
 * The subscription that a fully refunded charge has paid a period of that still runs.
 * @returns its id; null: only a part came back, or the charge was for something else or long ago
 */
export async function subscriptionRefundedBy(stripe: Stripe, chargeId: string, now: Date): Promise<string | null> {
  const charge = await stripe.charges.retrieve(chargeId).catch((error: unknown) => {
    if (isMissing(error)) return null;
    throw error;
  });
  const intent = charge?.payment_intent ?? null;
  if (!charge?.refunded || intent === null) return null;
  const payments = await stripe.invoicePayments.list({
    payment: { type: "payment_intent", payment_intent: typeof intent === "string" ? intent : intent.id },
    expand: ["data.invoice"],
    limit: 10,
  });
  for (const { invoice } of payments.data) {
    if (typeof invoice === "string" || invoice.deleted) continue;
    const runsUntil = Math.max(0, ...invoice.lines.data.map(({ period }) => period.end));
    const subscription = invoice.parent?.subscription_details?.subscription;
    if (subscription === undefined || dateOf(runsUntil) <= now) continue;
    return typeof subscription === "string" ? subscription : subscription.id;
  }
  return null;
}

/** Ends a subscription at once. One that has ended already is no error. */
export async function endSubscription(stripe: Stripe, id: string): Promise<void> {
  try {
    await stripe.subscriptions.cancel(id);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}
