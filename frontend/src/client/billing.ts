/** Whether Pro is being activated after a payment. */
import { session } from "../platform/runtime.ts";
import { ACTIVATION_KEY } from "../platform/storage-keys.ts";
import { createActivationStore } from "../stores/activation.ts";
import { hookOf } from "./store-hook.ts";
import { user } from "./stores.ts";
import { notify } from "./toaster.ts";

export const activationStore = createActivationStore();
export const useActivation = hookOf(activationStore);

/** Continues a payment that was in progress when the page was left or reloaded. */
export async function resumeBilling(): Promise<void> {
  // The provider adds it when it sends the user back.
  const hasReturned = new URLSearchParams(window.location.search).has("redirect_status");
  if (!hasReturned && session.getItem(ACTIVATION_KEY) === null) return;
  try {
    const { activation } = await import("./activation.ts");
    activation.resume();
    if (!hasReturned) return;
    const { handlePaymentReturn } = await import("../actions/returned-payment.ts");
    handlePaymentReturn({ window, user, notify, awaitPro: () => activation.begin() });
  } catch (error) {
    // Without a network: the page shows Pro when the server tells of it.
    if (!(error instanceof TypeError)) throw error;
  }
}
