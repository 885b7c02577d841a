import type { Stripe } from "stripe";
import { isMissing } from "./stripe-client.ts";

/** Cancels a subscription immediately. Does nothing if it has already ended. */
export async function endSubscription(stripe: Stripe, id: string): Promise<void> {
  try {
    await stripe.subscriptions.cancel(id);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}
