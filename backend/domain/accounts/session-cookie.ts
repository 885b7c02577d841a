/** Reads the session cookie that koa-session writes: an id, and its signature in a second cookie. */
import { parseCookie } from "cookie";
import Keygrip from "keygrip";

export const SESSION_COOKIE = "tapedeck.session";

/**
 * @param keys signing keys, newest first
 * @returns a function that reads the session id from a `Cookie` header; null without a valid signature
 */
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
