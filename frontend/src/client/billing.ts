/** The activation of Pro after a payment. */
import { Activation } from "../actions/activation.ts";
import { session } from "../platform/runtime.ts";
import { live } from "./live.ts";
import { hookOf } from "./store-hook.ts";
import { device, user } from "./stores.ts";
import { notify } from "./toaster.ts";

export const activation = new Activation({
  device,
  user,
  storage: session,
  notify,
  refreshIdentity: () => live.refreshIdentity(),
  nowMs: Date.now,
});

export const useActivation = hookOf(activation.store);

/** Continues a payment that was in progress when the page was left or reloaded. */
export async function resumeBilling(): Promise<void> {
  activation.resume();
  // The provider adds it when it sends the user back. Few visitors pay, so the rest is not part of the first scripts.
  if (!new URLSearchParams(window.location.search).has("redirect_status")) return;
  const { handlePaymentReturn } = await import("../actions/returned-payment.ts");
  handlePaymentReturn({ window, user, notify, awaitPro: () => activation.begin() });
}
