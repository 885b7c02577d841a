import { UserError } from "../../../common/errors.ts";
import type { BrowserSession } from "./session.ts";

/**
 * A borrowed or forgotten browser is signed in for weeks; some calls need the user.
 * @param freshMs how long ago the identity provider may have asked the user
 * @throws UserError fresh_sign_in_required
 */
export function requireFreshSignIn({ authenticatedAtMs }: BrowserSession, freshMs: number): void {
  if (authenticatedAtMs === undefined || Date.now() - authenticatedAtMs > freshMs)
    throw new UserError("fresh_sign_in_required");
}
