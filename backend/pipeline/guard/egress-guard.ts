/**
 * A forward proxy on loopback through which the tools reach the network. It connects to public addresses and to the
 * hosts that the operator allowed. The address is checked when the connection is opened, so a name that resolves to
 * another address the second time (DNS rebinding) gains nothing. It knows nothing about videos.
 */
import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { urlToHttpOptions } from "node:url";
import { RequestError, Server } from "proxy-chain";
import type { HostEntry } from "../../../common/hosts.ts";
import { DIRECT_EXIT, type Exit, familyOf } from "../exits/exit.ts";
import { Session, type GuardSession, type TargetCheck } from "./guard-session.ts";
import { isOperatorsOwn, isPublicAddress, normalizeHost } from "./public-address.ts";
import { checkResolvable, publicLookup } from "./public-lookup.ts";

export type { GuardSession } from "./guard-session.ts";

export interface OpenOptions {
  readonly tooLargeMessage?: string;
  readonly exit?: Exit;
}

export interface EgressGuard extends AsyncDisposable {
  /**
   * Opens a session.
   * @param maxBytes budget of received bytes
   * @param options.tooLargeMessage sentence for the visitor when the budget is exceeded; default: that of the error code
   * @param options.exit the route of all connections of the session; default: the machine's own route
   */
  open(maxBytes: number, options?: OpenOptions): GuardSession;
  stop(): Promise<void>;
}

export interface EgressGuardOptions {
  /** Hosts that may have private addresses. */
  readonly allow: readonly HostEntry[];
  readonly log?: (line: string) => void;
}

/** @param onRefused called with `host:port` of each refused target */
function targetCheck(allow: readonly HostEntry[], onRefused: (target: string) => void): TargetCheck {
  return (hostname, port) => {
    if (isOperatorsOwn(allow, hostname, port)) return {};
    const refuse = (): void => onRefused(`${hostname}:${port}`);
    const host = normalizeHost(hostname);
    // There is no lookup for a literal IP address, so it is checked here.
    if (isIP(host) !== 0 && !isPublicAddress(host)) {
      refuse();
      return "refused";
    }
    return { lookup: publicLookup(refuse) };
  };
}

/**
 * Rejects an address for which `http.request` throws: proxy-chain calls it where no promise is awaited.
 * @throws RequestError
 */
function checkAddress({ method, url = "" }: IncomingMessage): void {
  if (method === "CONNECT") return;
  try {
    urlToHttpOptions(new URL(url));
  } catch {
    throw new RequestError("This address cannot be read.", 400);
  }
}

/** Starts the proxy on a free loopback port. */
export async function startEgressGuard({ allow, log }: EgressGuardOptions): Promise<EgressGuard> {
  /** By `name:secret`. */
  const sessions = new Map<string, Session>();
  const server = new Server({
    host: "127.0.0.1",
    port: 0,
    authRealm: "guard",
    prepareRequestFunction: async ({ request, username, password, hostname, port }) => {
      const session = sessions.get(`${username}:${password}`);
      if (!session) return { requestAuthentication: true };
      session.addProxied(request.socket);
      checkAddress(request);
      const target = session.check(hostname, port);
      if (target === "refused") throw new RequestError("This address is not public.", 403);
      const { exit } = session;
      if (exit.proxyUrl !== undefined) await checkResolvable(hostname, target.lookup);
      return {
        dnsLookup: target.lookup,
        upstreamProxyUrl: exit.proxyUrl,
        localAddress: exit.localAddress,
        ipFamily: familyOf(exit),
      };
    },
  });
  await server.listen();

  const open = (maxBytes: number, { tooLargeMessage, exit = DIRECT_EXIT }: OpenOptions = {}): GuardSession => {
    const credentials = `${randomBytes(8).toString("hex")}:${randomBytes(24).toString("hex")}`;
    const session = new Session({
      proxyUrl: `http://${credentials}@127.0.0.1:${server.port}`,
      maxBytes,
      tooLargeMessage,
      exit,
      createCheck: (refuse) =>
        targetCheck(allow, (target) => {
          refuse(target);
          log?.(`refused ${target}`);
        }),
      onClose: () => sessions.delete(credentials),
    });
    sessions.set(credentials, session);
    return session;
  };
  const stop = async (): Promise<void> => {
    for (const session of sessions.values()) session.close();
    await server.close(true);
  };
  return { open, stop, [Symbol.asyncDispose]: stop };
}
