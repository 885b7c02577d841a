/** The checkout store. Not in client.ts, so that only the pages of a purchase load its code. */
import { useStore } from "zustand";
import { api, live } from "../../client/client.ts";
import { notify } from "../../client/toaster.ts";
import { createCheckout } from "./checkout.ts";
import type { CheckoutState } from "./checkout.ts";

export const checkout = createCheckout({ api, notify, refreshIdentity: () => live.refreshIdentity() });

export const useCheckout = <Part>(select: (state: CheckoutState) => Part): Part => useStore(checkout.store, select);
