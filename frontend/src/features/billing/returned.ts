/** What the payment provider adds to our address when it sends a person back. */

const OWN_PARAMETERS = ["payment_intent", "payment_intent_client_secret", "setup_intent", "setup_intent_client_secret", "redirect_status"];

export type PaymentOutcome = "confirmed" | "failed";

/**
 * Anybody can write such an address, so it is a hint on what to wait for and never a proof.
 * @returns null when nobody comes back from a payment
 */
export function readReturn(search: URLSearchParams): PaymentOutcome | null {
  const status = search.get("redirect_status");
  if (status === null || !(search.has("payment_intent") || search.has("setup_intent"))) return null;
  return status === "succeeded" || status === "processing" || status === "pending" ? "confirmed" : "failed";
}

/** The same query without the provider's part, which holds a secret. */
export function withoutReturn(search: URLSearchParams): URLSearchParams {
  const rest = new URLSearchParams(search);
  for (const name of OWN_PARAMETERS) rest.delete(name);
  return rest;
}
