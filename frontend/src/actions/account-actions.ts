/** Sign out here, sign out everywhere, delete the account. After each the browser leaves the page. */
import { DELETE_ACCOUNT_PHRASE } from "../../../common/account-calls.ts";
import { ApiError, sentenceFor } from "../api/errors.ts";
import type { AccountApi } from "../api/account-api.ts";
import type { Notify } from "../stores/notice.ts";
import type { UserStore } from "../stores/user.ts";
import { currentTexts } from "../texts/store.ts";

export interface AccountActions {
  /** Opens the home page even when the request fails. */
  signOut(): Promise<void>;
  signOutEverywhere(): Promise<void>;
  /** @returns whether the user has to sign in once more before */
  deleteAccount(): Promise<{ needsSignIn: boolean }>;
}

export interface AccountActionParts {
  readonly api: Pick<AccountApi, "signOut" | "signOutEverywhere" | "deleteAccount">;
  readonly user: UserStore;
  readonly notify: Notify;
  readonly goTo: (path: string) => void;
}

const SIGNED_OUT = "/?logged_out=true";

export function createAccountActions({ api, user, notify, goTo }: AccountActionParts): AccountActions {
  function leave(): void {
    user.getState().leave();
    goTo(SIGNED_OUT);
  }

  function notifyOfFailure(error: unknown, failure: "signOutFailed" | "deletionFailed"): void {
    const { title, description } = currentTexts().account.notices[failure];
    notify({ kind: "error", title, description: sentenceFor(error, description) });
  }

  return {
    async signOut() {
      user.getState().leave();
      try {
        await api.signOut();
      } catch (error) {
        // A failed request does not keep the user on the page.
        if (!(error instanceof ApiError || error instanceof TypeError)) throw error;
      } finally {
        goTo("/");
      }
    },
    async signOutEverywhere() {
      try {
        await api.signOutEverywhere();
      } catch (error) {
        return notifyOfFailure(error, "signOutFailed");
      }
      leave();
    },
    async deleteAccount() {
      try {
        await api.deleteAccount({ confirmation: DELETE_ACCOUNT_PHRASE });
      } catch (error) {
        if (error instanceof ApiError && error.code === "fresh_sign_in_required") return { needsSignIn: true };
        notifyOfFailure(error, "deletionFailed");
        return { needsSignIn: false };
      }
      leave();
      return { needsSignIn: false };
    },
  };
}
