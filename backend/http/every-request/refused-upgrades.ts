/** The security headers of answers that refuse an upgrade. */
import type { Duplex } from "node:stream";
import type { SecurityHeaders } from "./security-headers.ts";

/** `write` or `end` of a stream. */
type Send = (...parameters: unknown[]) => unknown;

const REFUSAL = /^HTTP\/1\.1 [45]\d\d [^\r\n]*\r\n/;

/**
 * Adds the headers to the first answer on a connection if it refuses the upgrade. The socket libraries write it as a
 * text, because Node creates no response object for an upgrade.
 */
export function addHeadersToRefusal(socket: Duplex, headers: SecurityHeaders): void {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const write = socket.write.bind(socket) as Send;
  const end = socket.end.bind(socket) as Send;
  const withHeaders =
    (send: Send): Send =>
    (text, ...rest) => {
      Object.assign(socket, { write, end });
      const isRefusal = typeof text === "string" && REFUSAL.test(text);
      return send(isRefusal ? text.replace(REFUSAL, (line) => `${line}${lines.join("")}`) : text, ...rest);
    };
  Object.assign(socket, { write: withHeaders(write), end: withHeaders(end) });
}
