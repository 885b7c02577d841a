import type { Stripe } from "stripe";
import { isMissing } from "./stripe-client.ts";

/** Ends a subscription at once. One that has ended already is no error. */
export async function endSubscription(stripe: Stripe, id: string): Promise<void> {
  try {
    await stripe.subscriptions.cancel(id);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}
