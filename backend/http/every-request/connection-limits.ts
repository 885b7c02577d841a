/** Bounds of connections that have not sent a request yet, or send it slowly, and of their number. */
import type { Server } from "node:http";
import { OpenByNetwork } from "../../domain/accounts/open-by-network.ts";

export interface ConnectionLimits {
  /** A connection that has not sent the head of a request within this time is closed. */
  readonly headersMs: number;
  /** The same for a whole request. At least `headersMs`. */
  readonly requestMs: number;
  /** Open connections of a network; null behind a proxy, whose connections carry the requests of all visitors. */
  readonly perNetwork: number | null;
}

/** Answers have no such bound: a download may take hours. Upgraded connections have the bounds of sockets. */
export function limitConnections(http: Server, { headersMs, requestMs, perNetwork }: ConnectionLimits): void {
  // An idle connection that has sent a request before has the longer `keepAliveTimeout`.
  http.headersTimeout = headersMs;
  http.requestTimeout = requestMs;
  if (perNetwork === null) return;
  const open = new OpenByNetwork(perNetwork);
  http.prependListener("connection", (socket) => {
    const address = socket.remoteAddress;
    // Without an address it is closed already.
    if (address === undefined || !open.mayOpen(address)) return socket.destroy();
    socket.once("close", open.add(address));
  });
}
