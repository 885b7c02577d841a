/**
 * Accepts the cookies that https sites had before their names got the prefix `__Host-`, so that the upgrade signs nobody
 * out and no device loses its jobs. Delete this file and its uses after {@link OLD_NAMES_UNTIL_MS}.
 */
import { parseCookie } from "cookie";
import Keygrip from "keygrip";
import { cookieNames, PLAIN_NAMES, signatureName } from "./cookie-names.ts";
import { DEVICE_COOKIE_MAX_AGE_MS } from "./device-cookie.ts";

/** Until then a site of the same domain can plant an old cookie in a browser that has no new one. */
export const OLD_NAMES_UNTIL_MS = Date.UTC(2027, 5, 1);

export interface OldCookies {
  /** @returns the header with the old cookies under their new names too, if it has no new device cookie */
  translate(cookieHeader: string | undefined): string | undefined;
  /** @returns `Set-Cookie` values that store the old cookies under their new names; none without valid old cookies */
  renew(cookieHeader: string | undefined): string[];
}

export interface OldCookieOptions {
  /** Newest first; the older ones only verify. */
  readonly keys: readonly string[];
  readonly isSecure: boolean;
  /** Lifetime of the session cookie; the record of the session may end sooner. */
  readonly sessionMs: number;
  readonly now?: () => number;
}

export function readOldCookies({ keys, isSecure, sessionMs, now = Date.now }: OldCookieOptions): OldCookies {
  const keygrip = new Keygrip([...keys]);
  const names = cookieNames(true);
  const lifetimesMs = { device: DEVICE_COOKIE_MAX_AGE_MS, session: sessionMs };

  /** @returns new name, value and lifetime of each valid old cookie; none when the browser has a new device cookie */
  function findOld(header: string | undefined) {
    if (!isSecure || header === undefined || now() >= OLD_NAMES_UNTIL_MS) return [];
    const cookies = parseCookie(header);
    if (cookies[names.device] !== undefined) return [];
    return (["device", "session"] as const).flatMap((kind) => {
      const oldName = PLAIN_NAMES[kind];
      const value = cookies[oldName];
      const signature = cookies[signatureName(oldName)];
      if (value === undefined || signature === undefined) return [];
      if (!keygrip.verify(`${oldName}=${value}`, signature)) return [];
      return [{ name: names[kind], value, maxAgeSeconds: Math.floor(lifetimesMs[kind] / 1_000) }];
    });
  }

  const pairs = (name: string, value: string) => [
    `${name}=${value}`,
    `${signatureName(name)}=${keygrip.sign(`${name}=${value}`)}`,
  ];
  return {
    translate(header) {
      const added = findOld(header).flatMap(({ name, value }) => pairs(name, value));
      return added.length === 0 ? header : [header, ...added].join("; ");
    },
    renew: (header) =>
      findOld(header).flatMap(({ name, value, maxAgeSeconds }) =>
        pairs(name, value).map((pair) => `${pair}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax; Secure`),
      ),
  };
}
