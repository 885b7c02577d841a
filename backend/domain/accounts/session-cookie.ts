/** The session cookie as the cookie layer writes it: an id and, beside it, our signature. */
import { parseCookie } from "cookie";
import Keygrip from "keygrip";

export const SESSION_COOKIE = "tapedeck.session";

/** @returns reads the session id that a `Cookie` header proves, or null. @param keys newest first */
export function createSessionCookieReader(
  keys: readonly string[],
): (cookieHeader: string | undefined) => string | null {
  const keygrip = new Keygrip([...keys]);
  return (cookieHeader) => {
    if (cookieHeader === undefined) return null;
    const cookies = parseCookie(cookieHeader);
    const id = cookies[SESSION_COOKIE];
    const signature = cookies[`${SESSION_COOKIE}.sig`];
    if (id === undefined || signature === undefined) return null;
    return keygrip.verify(`${SESSION_COOKIE}=${id}`, signature) ? id : null;
  };
}
