/** Opens the payment provider's pages for card, invoices and cancellation. */
import { sentenceFor } from "../api/errors.ts";
import type { AccountApi } from "../api/account-api.ts";
import type { Notify } from "../stores/notice.ts";
import { currentTexts } from "../texts/store.ts";

export interface BillingActions {
  /** The browser leaves the page, or a toast reports the failure. */
  openPortal(): Promise<void>;
}

export interface BillingActionParts {
  readonly api: Pick<AccountApi, "openBillingPortal">;
  readonly notify: Notify;
  readonly goTo: (url: string) => void;
}

export function createBillingActions({ api, notify, goTo }: BillingActionParts): BillingActions {
  return {
    async openPortal() {
      try {
        goTo((await api.openBillingPortal()).url);
      } catch (error) {
        const { title, description } = currentTexts().billing.notices.portalFailed;
        notify({ kind: "error", title, description: sentenceFor(error, description) });
      }
    },
  };
}
