/**
 * A forward proxy on loopback through which the tools reach the network. It connects to ports 80 and 443 of public
 * addresses that are not our own, and to the private addresses and ports that the operator allowed. The address is
 * checked when the connection is opened, so a name that resolves to another address the second time (DNS rebinding)
 * gains nothing. It knows nothing about videos.
 */
import { randomBytes } from "node:crypto";
import type { lookup } from "node:dns";
import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { urlToHttpOptions } from "node:url";
import type { Explanation } from "../../../common/errors.ts";
import { RequestError, Server } from "proxy-chain";
import type { HostEntry } from "../../../common/hosts.ts";
import { DIRECT_EXIT, type Exit, familyOf } from "../exits/exit.ts";
import type { NetworkWay } from "../process/tool-sandbox.ts";
import { openForward } from "./socket-forward.ts";
import { Session, type GuardSession, type TargetCheck } from "./guard-session.ts";
import type { OwnAddresses } from "./own-addresses.ts";
import {
  addressBehind,
  isLoopbackAddress,
  isMetadataAddress,
  isPublicAddress,
  normalizeHost,
  operatorAllows,
  WEB_PORTS,
} from "./public-address.ts";
import { allowedLookup, checkResolvable } from "./public-lookup.ts";

export type { GuardSession } from "./guard-session.ts";

export interface OpenOptions {
  readonly tooLarge?: Explanation;
  readonly exit?: Exit;
  readonly operatorsHost?: Required<HostEntry>;
  readonly isPublicOnly?: true;
}

export interface EgressGuard extends AsyncDisposable {
  /**
   * Opens a session.
   * @param maxBytes budget of received bytes
   * @param options.tooLarge sentence for the visitor when the budget is exceeded; default: that of the error code
   * @param options.exit the route of all connections of the session; default: the machine's own route
   * @param options.operatorsHost a service that the operator named, and that this session alone may contact wherever it
   *   is, apart from the metadata services of clouds
   * @param options.isPublicOnly the private addresses that the operator allowed are not for this session
   */
  open(maxBytes: number, options?: OpenOptions): GuardSession;
  stop(): Promise<void>;
}

export interface EgressGuardOptions {
  /** See {@link operatorAllows}. */
  readonly allow: readonly HostEntry[];
  /** Never contacted, except as a private address of `allow`. */
  readonly own?: Pick<OwnAddresses, "has" | "isOwnName">;
  /** Whether a host or an address is blocked. A session that wants to contact one ends. */
  readonly refusesHost?: (host: string) => boolean;
  readonly log?: (line: string) => void;
  /** Default: the machine's own. */
  readonly resolve?: typeof lookup;
}

interface TargetListeners {
  /** Called with `host:port` of each refused target. */
  readonly onRefused: (target: string) => void;
  readonly onBlocked: (target: string) => void;
}

function targetCheck(
  { allow, own, refusesHost = () => false, resolve }: Omit<EgressGuardOptions, "log">,
  { operatorsHost, isPublicOnly, exit: { preferredFamily } = DIRECT_EXIT }: OpenOptions,
  { onRefused, onBlocked }: TargetListeners,
): TargetCheck {
  return (hostname, port) => {
    const host = normalizeHost(hostname);
    const refuse = (): void => onRefused(`${hostname}:${port}`);
    /** There is no lookup for a literal address, so it is checked here. */
    const only = (isAllowed: (address: string) => boolean): ReturnType<TargetCheck> => {
      if (isIP(host) === 0) return { lookup: allowedLookup({ isAllowed, refuse, resolve, preferredFamily }) };
      if (isAllowed(host)) return {};
      refuse();
      return "refused";
    };
    const isBlocked = (name: string): boolean => {
      if (!refusesHost(name)) return false;
      onBlocked(`${hostname}:${port}`);
      return true;
    };
    const isAllowed = (found: string): boolean => {
      const address = addressBehind(found);
      return isPublicAddress(address) && own?.has(address) !== true && !isBlocked(address);
    };
    if (isBlocked(host)) return "refused";
    if (operatorsHost?.host === host && operatorsHost.port === port)
      return only((address) => !isMetadataAddress(address));
    const allowed = isPublicOnly ? null : operatorAllows(allow, host, port);
    if (allowed === "private") return host === "localhost" ? only(isLoopbackAddress) : {};
    if ((allowed === null && !WEB_PORTS.has(port)) || own?.isOwnName(host) === true) {
      refuse();
      return "refused";
    }
    return only(isAllowed);
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
export async function startEgressGuard({ log, ...rules }: EgressGuardOptions): Promise<EgressGuard> {
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
        // With a proxy as exit, its own name is looked up: the operator chose it, and it may be a private address.
        dnsLookup: exit.proxyUrl === undefined ? target.lookup : undefined,
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
    const { tooLarge, exit = DIRECT_EXIT } = options;
    const credentials = `${randomBytes(8).toString("hex")}:${randomBytes(24).toString("hex")}`;
    const session = new Session({
      proxyUrl: `http://${credentials}@127.0.0.1:${server.port}`,
      way,
      maxBytes,
      tooLarge,
      exit,
      createCheck: (refuse, block) =>
        targetCheck(rules, options, {
          onRefused: (target) => {
            refuse(target);
            log?.(`refused ${target}`);
          },
          onBlocked: block,
        }),
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
