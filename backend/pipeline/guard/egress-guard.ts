/**
 * A forward proxy on loopback through which the tools reach the network. It connects to public addresses and to the
 * hosts that the operator allowed. The address is checked when the connection is opened, so a name that resolves to
 * another address the second time (DNS rebinding) gains nothing. It knows nothing about videos.
 */
import { randomBytes } from "node:crypto";
import { lookup as resolveName, type LookupAddress } from "node:dns";
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { isIP } from "node:net";
import { urlToHttpOptions } from "node:url";
import { RequestError, Server } from "proxy-chain";
import { buildConnector } from "undici";
import { ConversionError } from "../../../common/errors.ts";
import type { HostEntry } from "../../../common/hosts.ts";
import { isOperatorsOwn, isPublicAddress, normalizeHost } from "./public-address.ts";

/** Interval between budget checks of a session; loopback transfers about 25 MB in this time. */
const BUDGET_CHECK_MS = 25;

/** The connections of one conversion. */
export interface GuardSession extends Disposable {
  /** Contains the credentials of the session. */
  readonly proxyUrl: string;
  /** Connects our own HTTP client without the proxy; connections are checked and counted like those of the tools. */
  readonly connect: buildConnector.connector;
  /** Received bytes, headers included. */
  readonly bytesFetched: number;
  /** Targets that were refused, as `host:port`. */
  readonly refusals: readonly string[];
  /** Aborts with ConversionError "too_large" when more than the budget was received; connections are closed by then. */
  readonly exceeded: AbortSignal;
  /** Closes the connections and revokes the credentials. */
  close(): void;
}

export interface EgressGuard extends AsyncDisposable {
  /**
   * Opens a session.
   * @param maxBytes budget of received bytes
   * @param tooLargeMessage sentence for the visitor when the budget is exceeded; by default that of the error code
   */
  open(maxBytes: number, tooLargeMessage?: string): GuardSession;
  stop(): Promise<void>;
}

export interface EgressGuardOptions {
  /** Hosts that may have private addresses. */
  readonly allow: readonly HostEntry[];
  readonly log?: (line: string) => void;
}

/** Checks a target and records a refusal. @returns the DNS lookup to use for an allowed target */
type Judge = (session: Session, hostname: string, port: number) => "refused" | { readonly lookup?: typeof resolveName };

class Session implements GuardSession {
  readonly proxyUrl: string;
  readonly connect: buildConnector.connector;
  readonly refusals: string[] = [];
  readonly #sockets = new Set<Socket>();
  /** Connections of our own HTTP client, without the proxy. */
  readonly #direct = new Set<Socket>();
  readonly #maxBytes: number;
  readonly #tooLargeMessage: string | undefined;
  readonly #exceeded = new AbortController();
  readonly #budgetCheck: NodeJS.Timeout;
  readonly #onClose: () => void;
  #closedBytes = 0;
  #isClosed = false;

  constructor(
    proxyUrl: string,
    judge: Judge,
    maxBytes: number,
    tooLargeMessage: string | undefined,
    onClose: () => void,
  ) {
    this.proxyUrl = proxyUrl;
    this.connect = this.#connector(judge);
    this.#maxBytes = maxBytes;
    this.#tooLargeMessage = tooLargeMessage;
    this.#onClose = onClose;
    this.#budgetCheck = setInterval(() => this.#checkBudget(), BUDGET_CHECK_MS).unref();
  }

  get exceeded(): AbortSignal {
    return this.#exceeded.signal;
  }

  get bytesFetched(): number {
    let bytes = this.#closedBytes;
    for (const socket of this.#sockets) bytes += socket.bytesWritten;
    for (const socket of this.#direct) bytes += socket.bytesRead;
    return bytes;
  }

  /** Counts a connection of a tool to the proxy. Called for each request; a connection may carry several. */
  adopt(socket: Socket): void {
    if (this.#sockets.has(socket)) return;
    this.#sockets.add(socket);
    socket.once("close", () => {
      this.#sockets.delete(socket);
      this.#closedBytes += socket.bytesWritten;
    });
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearInterval(this.#budgetCheck);
    this.#onClose();
    for (const socket of this.#sockets) socket.destroy();
    // Pass an error: without one, undici treats a body without length as complete, and throws outside of any promise if
    // the request is aborted already.
    for (const socket of this.#direct) socket.destroy(new Error("the session is closed"));
  }

  #connector(judge: Judge): buildConnector.connector {
    return (options, done) => {
      const port = Number(options.port || (options.protocol === "https:" ? 443 : 80));
      const verdict = judge(this, options.hostname, port);
      if (verdict === "refused") return done(new Error(`${options.hostname}:${port} is not public`), null);
      // No HTTP/2: with one request at a time, counting and closing whole connections is exact.
      const connect = buildConnector({ allowH2: false, ...(verdict.lookup ? { lookup: verdict.lookup } : {}) });
      connect(options, (...outcome) => {
        const [, socket] = outcome;
        if (socket && this.#isClosed) {
          socket.destroy();
          return done(new Error("the session is closed"), null);
        }
        if (socket) this.#adoptDirect(socket);
        done(...outcome);
      });
    };
  }

  #adoptDirect(socket: Socket): void {
    this.#direct.add(socket);
    // Added before undici's listener, which would treat ECONNRESET as the end of a body without length.
    socket.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "ECONNRESET") error.code = "UND_ERR_SOCKET";
    });
    socket.once("close", () => {
      this.#direct.delete(socket);
      this.#closedBytes += socket.bytesRead;
    });
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #checkBudget(): void {
    if (this.bytesFetched <= this.#maxBytes) return;
    this.close();
    const message = this.#tooLargeMessage;
    const detail = `more than ${this.#maxBytes} bytes were fetched`;
    this.#exceeded.abort(new ConversionError("too_large", message === undefined ? { detail } : { detail, message }));
  }
}

/** Replaces ENOTFOUND, because proxy-chain would answer it with status 404. */
function lookupFailure(error: NodeJS.ErrnoException): NodeJS.ErrnoException {
  return error.code === "ENOTFOUND" ? Object.assign(new Error(error.message), { code: "EAI_AGAIN" }) : error;
}

/** @returns a dns.lookup that returns public addresses only, and calls `refuse` for names without any */
function publicLookup(refuse: () => void): typeof resolveName {
  const look = (
    host: string,
    options: { all?: boolean; family?: number | "IPv4" | "IPv6" },
    done: (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void,
  ): void => {
    resolveName(host, { ...options, all: true }, (error, addresses) => {
      if (error) return done(lookupFailure(error), []);
      const allowed = addresses.filter(({ address }) => isPublicAddress(address));
      const [first] = allowed;
      if (!first) {
        refuse();
        return done(Object.assign(new Error(`${host} has no public address`), { code: "EACCES" }), []);
      }
      return options.all ? done(null, allowed) : done(null, first.address, first.family);
    });
  };
  return look as typeof resolveName;
}

/**
 * Rejects an address for which `http.request` throws: proxy-chain calls it where no promise is awaited.
 * @throws RequestError
 */
function checkTarget({ method, url = "" }: IncomingMessage): void {
  if (method === "CONNECT") return;
  try {
    urlToHttpOptions(new URL(url));
  } catch {
    throw new RequestError("This address cannot be read.", 400);
  }
}

/** Starts the proxy on a free loopback port. */
export async function startEgressGuard({ allow, log }: EgressGuardOptions): Promise<EgressGuard> {
  const sessions = new Map<string, Session>();

  const judge: Judge = (session, hostname, port) => {
    if (isOperatorsOwn(allow, hostname, port)) return {};
    const refuse = (): void => {
      session.refusals.push(`${hostname}:${port}`);
      log?.(`refused ${hostname}:${port}`);
    };
    const host = normalizeHost(hostname);
    // There is no lookup for a literal IP address, so it is checked here.
    if (isIP(host) !== 0 && !isPublicAddress(host)) {
      refuse();
      return "refused";
    }
    return { lookup: publicLookup(refuse) };
  };
  const server = new Server({
    host: "127.0.0.1",
    port: 0,
    authRealm: "guard",
    prepareRequestFunction: ({ request, username, password, hostname, port }) => {
      const session = sessions.get(`${username}:${password}`);
      if (!session) return { requestAuthentication: true };
      session.adopt(request.socket);
      checkTarget(request);
      const verdict = judge(session, hostname, port);
      if (verdict === "refused") throw new RequestError("This address is not public.", 403);
      return verdict.lookup ? { dnsLookup: verdict.lookup } : {};
    },
  });
  await server.listen();

  const stop = async (): Promise<void> => {
    for (const session of sessions.values()) session.close();
    await server.close(true);
  };
  return {
    open(maxBytes, tooLargeMessage) {
      const name = randomBytes(8).toString("hex");
      const secret = randomBytes(24).toString("hex");
      const session = new Session(
        `http://${name}:${secret}@127.0.0.1:${server.port}`,
        judge,
        maxBytes,
        tooLargeMessage,
        () => sessions.delete(`${name}:${secret}`),
      );
      sessions.set(`${name}:${secret}`, session);
      return session;
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}
