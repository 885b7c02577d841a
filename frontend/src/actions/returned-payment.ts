/** What the payment provider adds to our address when it sends a person back. */
import type { Notify } from "../stores/notice.ts";
import type { UserStore } from "../stores/user.ts";
import { currentTexts } from "../texts/store.ts";

const OWN_PARAMETERS = [
  "payment_intent",
  "payment_intent_client_secret",
  "setup_intent",
  "setup_intent_client_secret",
  "redirect_status",
];

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

export interface ReturnParts {
  readonly window: Pick<Window, "location" | "history">;
  readonly user: UserStore;
  readonly notify: Notify;
  /** Waits for the server to say what the payment is worth. */
  readonly awaitPro: () => void;
}

/** Takes up where the bank's page left off, and cleans the address before anything else reads it. */
export function takeUpPayment({ window, user, notify, awaitPro }: ReturnParts): void {
  const address = new URL(window.location.href);
  const outcome = readReturn(address.searchParams);
  if (outcome === null) return;
  address.search = withoutReturn(address.searchParams).toString();
  window.history.replaceState(window.history.state, "", address);
  if (outcome === "confirmed") return awaitPro();
  // Told once it is known to whom: nobody pays without having signed in.
  const stop = user.subscribe(({ phase }) => {
    if (phase === "loading") return;
    stop();
    if (phase === "signed-in") notify({ kind: "error", ...currentTexts().billing.notices.notConfirmed });
  });
}
