/** Whether Pro is being activated after a payment. */
import { session } from "../platform/runtime.ts";
import { ACTIVATION_KEY } from "../platform/storage-keys.ts";
import { createActivationStore } from "../stores/activation.ts";
import { hookOf } from "./store-hook.ts";
import { user } from "./stores.ts";
import { notify } from "./toaster.ts";

export const activationStore = createActivationStore();
export const useActivation = hookOf(activationStore);

/**
 * Reads what the provider adds to the URL when it sends the user back, and cleans the URL.
 * @returns what continues a payment that was in progress when the page was left or reloaded; to be called once the page
 * is rendered, because Pro may be there already, and its welcome needs the texts
 */
export async function resumeBilling(): Promise<() => void> {
  const hasReturned = new URLSearchParams(window.location.search).has("redirect_status");
  if (!hasReturned && session.getItem(ACTIVATION_KEY) === null) return () => undefined;
  try {
    const [{ activation }, { handlePaymentReturn }] = await Promise.all([
      import("./activation.ts"),
      import("../actions/returned-payment.ts"),
    ]);
    let hasPaid = false;
    const awaitPro = (): void => {
      hasPaid = true;
    };
    handlePaymentReturn({ window, user, notify, awaitPro });
    return () => (hasPaid ? activation.begin() : activation.resume());
  } catch (error) {
    // Without a network: the page shows Pro when the server tells of it.
    if (!(error instanceof TypeError)) throw error;
    return () => undefined;
  }
}
