/** What only the pages of signed-in visitors need of the client, so that it is not part of the first scripts. */
import { createAccountActions } from "../../actions/account-actions.ts";
import { accountApi } from "../../api/account-api.ts";
import { ApiError } from "../../api/errors.ts";
import { user } from "../../client/stores.ts";
import { notify } from "../../client/toaster.ts";

export const accountActions = createAccountActions({
  api: accountApi,
  user,
  notify,
  goTo: (path) => window.location.assign(path),
});

/** Loads this month's usage again; after a failed request the old figures stay. */
export async function refreshUsage(): Promise<void> {
  try {
    user.getState().receiveUsage(await accountApi.getUsage());
  } catch (error) {
    if (!(error instanceof ApiError || error instanceof TypeError)) throw error;
  }
}
