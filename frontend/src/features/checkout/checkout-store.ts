/** The client's one checkout with its hook. Not in client.ts, so that only the payment page loads its code. */
import { useStore } from "zustand";
import { accountApi } from "../../api/account-api.ts";
import { live } from "../../client/live.ts";
import { notify } from "../../client/toaster.ts";
import { Checkout } from "./checkout.ts";
import type { CheckoutState } from "./checkout.ts";

export const checkout = new Checkout({ api: accountApi, notify, refreshIdentity: () => live.refreshIdentity() });

export const useCheckout = <Part>(select: (state: CheckoutState) => Part): Part => useStore(checkout.store, select);
