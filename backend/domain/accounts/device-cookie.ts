/**
 * The device cookie: a random id that the server issues at the first request and signs. The jobs of anonymous visitors
 * belong to this id, so a cookie with a wrong signature is ignored.
 */
import { randomUUID } from "node:crypto";
import { parseCookie } from "cookie";
import Keygrip from "keygrip";
import { cookieNames, signatureName } from "./cookie-names.ts";
import { UUID } from "../uuid.ts";

/** A browser keeps a cookie at most 400 days (RFC 6265bis, section 5.5). */
export const DEVICE_COOKIE_MAX_AGE_MS = 400 * 24 * 60 * 60 * 1_000;

export interface DeviceCookies {
  /** @returns the device id of a `Cookie` header; null without a valid signature */
  read(cookieHeader: string | undefined): string | null;
  /** Creates a device id and the two `Set-Cookie` values that store it. */
  issue(): { deviceId: string; setCookie: string[] };
}

/**
 * @param keys signing keys, newest first; the older ones only verify
 * @param isSecure whether the site uses https
 */
export function createDeviceCookies(keys: readonly string[], isSecure: boolean): DeviceCookies {
  const keygrip = new Keygrip([...keys]);
  const name = cookieNames(isSecure).device;
  const attributes = [
    "Path=/",
    `Max-Age=${DEVICE_COOKIE_MAX_AGE_MS / 1_000}`,
    "HttpOnly",
    "SameSite=Lax",
    ...(isSecure ? ["Secure"] : []),
  ].join("; ");
  return {
    read(cookieHeader) {
      if (cookieHeader === undefined) return null;
      const cookies = parseCookie(cookieHeader);
      const deviceId = cookies[name];
      const signature = cookies[signatureName(name)];
      if (deviceId === undefined || signature === undefined || !UUID.test(deviceId)) return null;
      return keygrip.verify(`${name}=${deviceId}`, signature) ? deviceId : null;
    },
    issue() {
      const deviceId = randomUUID();
      const signature = keygrip.sign(`${name}=${deviceId}`);
      return {
        deviceId,
        setCookie: [`${name}=${deviceId}; ${attributes}`, `${signatureName(name)}=${signature}; ${attributes}`],
      };
    },
  };
}
