/** The names of our cookies. */

/** Names without a prefix, as http sites use them. Versions before the prefix used them everywhere. */
export const PLAIN_NAMES = { device: "tapedeck.device", session: "tapedeck.session" } as const;

export interface CookieNames {
  readonly device: string;
  readonly session: string;
}

/**
 * Browsers accept a name with the prefix `__Host-` only from the host itself and over https, so that no other site of
 * the same domain can plant one (RFC 6265bis, section 4.1.3.2).
 * @param isSecure whether the site uses https
 */
export function cookieNames(isSecure: boolean): CookieNames {
  const { device, session } = PLAIN_NAMES;
  return isSecure ? { device: `__Host-${device}`, session: `__Host-${session}` } : PLAIN_NAMES;
}

/** @returns the name of the cookie that signs another one; keygrip and koa-session use it too */
export function signatureName(name: string): string {
  return `${name}.sig`;
}
