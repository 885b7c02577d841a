/** Reads the session cookie that koa-session writes: an id, and its signature in a second cookie. */
import { parseCookie } from "cookie";
import Keygrip from "keygrip";
import { cookieNames, signatureName } from "./cookie-names.ts";

/**
 * @param keys signing keys, newest first
 * @param isSecure whether the site uses https
 * @returns a function that reads the session id from a `Cookie` header; null without a valid signature
 */
export function createSessionCookieReader(
  keys: readonly string[],
  isSecure: boolean,
): (cookieHeader: string | undefined) => string | null {
  const keygrip = new Keygrip([...keys]);
  const name = cookieNames(isSecure).session;
  return (cookieHeader) => {
    if (cookieHeader === undefined) return null;
    const cookies = parseCookie(cookieHeader);
    const id = cookies[name];
    const signature = cookies[signatureName(name)];
    if (id === undefined || signature === undefined) return null;
    return keygrip.verify(`${name}=${id}`, signature) ? id : null;
  };
}
