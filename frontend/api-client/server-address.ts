/** The address of a server, as people write it. */
import { parseUrl } from "../../common/parse-url.ts";

const HERE = /^(?:localhost|127\.0\.0\.1|\[::1\])$/;

/** @returns its origin: http:// is added for this machine, https:// for all others; undefined if it is no address */
export function readServerAddress(address: string): string | undefined {
  const text = address.trim();
  const isHere = /^(?:localhost|127\.0\.0\.1|\[::1\])(?:[:/]|$)/.test(text);
  const url = parseUrl(/^https?:\/\//i.test(text) ? text : `${isHere ? "http" : "https"}://${text}`);
  return url?.origin;
}

/** Whether others on the way to the server can read the token. */
export function isOpenToReaders(server: string): boolean {
  const { protocol, hostname } = new URL(server);
  return protocol === "http:" && !HERE.test(hostname);
}
