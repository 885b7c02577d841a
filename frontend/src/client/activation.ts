/** The activation of Pro after a payment. Not part of the first scripts: few visitors pay. */
import { Activation } from "../actions/activation.ts";
import { session } from "../platform/runtime.ts";
import { activationStore } from "./billing.ts";
import { live } from "./live.ts";
import { device, user } from "./stores.ts";
import { notify } from "./toaster.ts";

export const activation = new Activation({
  store: activationStore,
  device,
  user,
  storage: session,
  notify,
  refreshIdentity: () => live.refreshIdentity(),
  nowMs: Date.now,
});
