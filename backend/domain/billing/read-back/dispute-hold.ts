/**
 * While a bank has taken a payment back and has not decided, Pro is off, so nothing may be charged
 * either: collection is paused, and goes on when the dispute is won.
 */
import type { Stripe } from "stripe";

/** Marks the pauses that are ours among those that an operator has made. */
const MARK = "tapedeck_paused_for";
const DISPUTE = "dispute";

/** @returns whether something was changed at the provider */
export async function holdWhileDisputed(
  stripe: Stripe,
  { id, pause_collection: pause, metadata }: Stripe.Subscription,
  isDisputed: boolean,
): Promise<boolean> {
  const isHeld = metadata[MARK] === DISPUTE;
  if (isDisputed && pause === null) {
    await stripe.subscriptions.update(id, { pause_collection: { behavior: "void" }, metadata: { [MARK]: DISPUTE } });
    return true;
  }
  if (!isDisputed && isHeld) {
    await stripe.subscriptions.update(id, { pause_collection: "", metadata: { [MARK]: "" } });
    return true;
  }
  return false;
}
