/** Sign out here, sign out everywhere, delete the account. After each the browser leaves the page. */
import { DELETE_ACCOUNT_PHRASE } from "../../../common/api.ts";
import { ApiError, sentenceFor } from "../api/errors.ts";
import type { Api } from "../api/api.ts";
import type { Notify } from "../stores/notice.ts";
import type { UserStore } from "../stores/user.ts";
import { currentTexts } from "../texts/store.ts";

export interface AccountActions {
  /** Opens the home page even when the request fails. */
  signOut(): Promise<void>;
  signOutEverywhere(): Promise<void>;
  deleteAccount(): Promise<void>;
}

export interface AccountActionParts {
  readonly api: Pick<Api, "signOut" | "signOutEverywhere" | "deleteAccount">;
  readonly user: UserStore;
  readonly notify: Notify;
  readonly goTo: (path: string) => void;
}

const SIGNED_OUT = "/?logged_out=true";

export function createAccountActions({ api, user, notify, goTo }: AccountActionParts): AccountActions {
  async function leaveAfter(
    request: () => Promise<unknown>,
    failure: "signOutFailed" | "deletionFailed",
  ): Promise<void> {
    try {
      await request();
    } catch (error) {
      const { title, description } = currentTexts().account.notices[failure];
      return notify({ kind: "error", title, description: sentenceFor(error, description) });
    }
    user.getState().leave();
    goTo(SIGNED_OUT);
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
    signOutEverywhere: () => leaveAfter(api.signOutEverywhere, "signOutFailed"),
    deleteAccount: () => leaveAfter(() => api.deleteAccount({ confirmation: DELETE_ACCOUNT_PHRASE }), "deletionFailed"),
  };
}
