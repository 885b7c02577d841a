/**
 * A forward proxy on loopback through which the tools reach the network. It connects to ports 80 and 443 of public
 * addresses that are not our own, and to the hosts and ports that the operator allowed. The address is checked when the
 * connection is opened, so a name that resolves to another address the second time (DNS rebinding) gains nothing. It
 * knows nothing about videos.
 */
import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { urlToHttpOptions } from "node:url";
import { RequestError, Server } from "proxy-chain";
import type { HostEntry } from "../../../common/hosts.ts";
import { DIRECT_EXIT, type Exit, familyOf } from "../exits/exit.ts";
import type { NetworkWay } from "../process/tool-sandbox.ts";
import { openForward } from "./socket-forward.ts";
import { Session, type GuardSession, type TargetCheck } from "./guard-session.ts";
import type { OwnAddresses } from "./own-addresses.ts";
import { isOperatorsOwn, isPublicAddress, normalizeHost, WEB_PORTS } from "./public-address.ts";
import { checkResolvable, publicLookup } from "./public-lookup.ts";

export type { GuardSession } from "./guard-session.ts";

export interface OpenOptions {
  readonly tooLargeMessage?: string;
  readonly exit?: Exit;
  readonly operatorsHost?: Required<HostEntry>;
}

export interface EgressGuard extends AsyncDisposable {
  /**
   * Opens a session.
   * @param maxBytes budget of received bytes
   * @param options.tooLargeMessage sentence for the visitor when the budget is exceeded; default: that of the error code
   * @param options.exit the route of all connections of the session; default: the machine's own route
   * @param options.operatorsHost a host that the operator named, and that this session alone may contact wherever it is
   */
  open(maxBytes: number, options?: OpenOptions): GuardSession;
  stop(): Promise<void>;
}

export interface EgressGuardOptions {
  /** Hosts that may have private addresses; those without a port are ignored. */
  readonly allow: readonly HostEntry[];
  /** Never contacted, except as one of `allow`. */
  readonly own?: Pick<OwnAddresses, "has" | "isOwnName">;
  /** Whether a host or an address is blocked. A session that wants to contact one ends. */
  readonly refusesHost?: (host: string) => boolean;
  readonly log?: (line: string) => void;
}

interface TargetListeners {
  /** Called with `host:port` of each refused target. */
  readonly onRefused: (target: string) => void;
  readonly onBlocked: (target: string) => void;
}

function targetCheck(
  { allow, own, refusesHost = () => false }: Pick<EgressGuardOptions, "allow" | "own" | "refusesHost">,
  { onRefused, onBlocked }: TargetListeners,
): TargetCheck {
  return (hostname, port) => {
    const host = normalizeHost(hostname);
    const isBlocked = (name: string): boolean => {
      if (!refusesHost(name)) return false;
      onBlocked(`${hostname}:${port}`);
      return true;
    };
    const isAllowed = (address: string): boolean =>
      isPublicAddress(address) && own?.has(address) !== true && !isBlocked(address);
    if (isBlocked(host)) return "refused";
    if (isOperatorsOwn(allow, hostname, port)) return {};
    const refuse = (): void => onRefused(`${hostname}:${port}`);
    // There is no lookup for a literal IP address, so it is checked here.
    const isRefusedAddress = isIP(host) !== 0 && !isAllowed(host);
    if (!WEB_PORTS.has(port) || own?.isOwnName(host) === true || isRefusedAddress) {
      refuse();
      return "refused";
    }
    return { lookup: publicLookup(isAllowed, refuse) };
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
export async function startEgressGuard({ allow, own, refusesHost, log }: EgressGuardOptions): Promise<EgressGuard> {
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
      if (target === "refused") throw new RequestError("This address is not public, or not a web page's.", 403);
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
  const socket = await openForward("127.0.0.1", server.port);
  const way: NetworkWay = { port: server.port, socketPath: socket.path };

  const open = (maxBytes: number, options: OpenOptions = {}): GuardSession => {
    const { tooLargeMessage, exit = DIRECT_EXIT, operatorsHost } = options;
    const allowed = operatorsHost ? [...allow, operatorsHost] : allow;
    const credentials = `${randomBytes(8).toString("hex")}:${randomBytes(24).toString("hex")}`;
    const session = new Session({
      proxyUrl: `http://${credentials}@127.0.0.1:${server.port}`,
      way,
      maxBytes,
      tooLargeMessage,
      exit,
      createCheck: (refuse, block) =>
        targetCheck(
          { allow: allowed, own, refusesHost },
          {
            onRefused: (target) => {
              refuse(target);
              log?.(`refused ${target}`);
            },
            onBlocked: block,
          },
        ),
      onClose: () => sessions.delete(credentials),
    });
    sessions.set(credentials, session);
    return session;
  };
  const stop = async (): Promise<void> => {
    for (const session of sessions.values()) session.close();
    await socket[Symbol.asyncDispose]();
    await server.close(true);
  };
  return { open, stop, [Symbol.asyncDispose]: stop };
}
