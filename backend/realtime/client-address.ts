import type { IncomingMessage } from "node:http";

/**
 * Reads the address of a browser as Koa does for requests: with `n` trusted proxies it is the n-th last entry of
 * `X-Forwarded-For`, because only the last ones were written by our own proxies.
 * @param trustedProxies 0: the header is ignored; "all": every entry is trusted
 */
export function createAddressReader(trustedProxies: number | "all"): (request: IncomingMessage) => string {
  return ({ headers, socket }) => {
    const header = String(headers["x-forwarded-for"] ?? "");
    const entries = trustedProxies === 0 || header === "" ? [] : header.split(/\s*,\s*/);
    const trusted = trustedProxies === "all" ? entries : entries.slice(-trustedProxies);
    return trusted[0] || (socket.remoteAddress ?? "");
  };
}
