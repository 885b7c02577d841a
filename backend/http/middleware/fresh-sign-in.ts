import { UserError } from "../../../common/errors.ts";
import type { BrowserSession } from "./session.ts";

/** For what cannot be undone, and for secrets that outlast the session. */
export const FRESH_MS = 10 * 60 * 1_000;

/**
 * A borrowed or forgotten browser is signed in for weeks; some calls need the user.
 * @param freshMs how long ago the identity provider may have asked the user
 * @throws UserError fresh_sign_in_required
 */
export function requireFreshSignIn({ authenticatedAtMs }: BrowserSession, freshMs: number): void {
  if (authenticatedAtMs === undefined || Date.now() - authenticatedAtMs > freshMs)
    throw new UserError("fresh_sign_in_required");
}
