/** Handles the parameters that the payment provider adds to the URL when it sends the user back. */
import type { Notify } from "../stores/notice.ts";
import type { UserStore } from "../stores/user.ts";
import { currentTexts } from "../texts/store.ts";

const PROVIDER_PARAMETERS = [
  "payment_intent",
  "payment_intent_client_secret",
  "setup_intent",
  "setup_intent_client_secret",
  "redirect_status",
];

export type PaymentOutcome = "confirmed" | "failed";

/**
 * Reads the outcome of a payment. Anyone can forge the URL, so it only starts the waiting and proves nothing.
 * @returns null when the URL has no payment parameters
 */
export function readPaymentOutcome(search: URLSearchParams): PaymentOutcome | null {
  const status = search.get("redirect_status");
  if (status === null || !(search.has("payment_intent") || search.has("setup_intent"))) return null;
  return status === "succeeded" || status === "processing" || status === "pending" ? "confirmed" : "failed";
}

/** Removes the provider's parameters from a query, because they contain a secret. @returns the rest of the query */
export function withoutPaymentParameters(search: URLSearchParams): URLSearchParams {
  const rest = new URLSearchParams(search);
  for (const name of PROVIDER_PARAMETERS) rest.delete(name);
  return rest;
}

export interface ReturnParts {
  readonly window: Pick<Window, "location" | "history">;
  readonly user: UserStore;
  readonly notify: Notify;
  /** Starts waiting until the server has confirmed the payment. */
  readonly awaitPro: () => void;
}

/** Continues after the bank's page, and cleans the URL before other code reads it. */
export function handlePaymentReturn({ window, user, notify, awaitPro }: ReturnParts): void {
  const address = new URL(window.location.href);
  const outcome = readPaymentOutcome(address.searchParams);
  if (outcome === null) return;
  address.search = withoutPaymentParameters(address.searchParams).toString();
  window.history.replaceState(window.history.state, "", address);
  if (outcome === "confirmed") return awaitPro();
  // Reported once the user is known to be signed in, because payments need a sign-in.
  const stop = user.subscribe(({ phase }) => {
    if (phase === "loading") return;
    stop();
    if (phase === "signed-in") notify({ kind: "error", ...currentTexts().billing.notices.notConfirmed });
  });
}
