import type { Stripe } from "stripe";

/** Metadata that distinguishes our pauses from those of an operator. */
const PAUSED_FOR_KEY = "tapedeck_paused_for";
const DISPUTE = "dispute";

/**
 * Pauses payment collection while a payment is disputed, because the user has no Pro during that time, and resumes it
 * when the dispute is won.
 * @returns whether the subscription was changed at the provider
 */
export async function pauseWhileDisputed(
  stripe: Stripe,
  { id, pause_collection: pause, metadata }: Stripe.Subscription,
  isDisputed: boolean,
): Promise<boolean> {
  const isOurPause = metadata[PAUSED_FOR_KEY] === DISPUTE;
  if (isDisputed && pause === null) {
    await stripe.subscriptions.update(id, {
      pause_collection: { behavior: "void" },
      metadata: { [PAUSED_FOR_KEY]: DISPUTE },
    });
    return true;
  }
  if (!isDisputed && isOurPause) {
    await stripe.subscriptions.update(id, { pause_collection: "", metadata: { [PAUSED_FOR_KEY]: "" } });
    return true;
  }
  return false;
}
