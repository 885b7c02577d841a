/**
 * The only way out for the tools: a forward proxy on loopback that connects to public addresses and to
 * the operator's own hosts, and to nothing else. Addresses are judged as they are connected to, so a
 * name that resolves differently the second time gains nothing. It knows nothing of videos.
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

/** How often a session's bytes are held against its budget; loopback moves about 25 MB in this time. */
const BUDGET_CHECK_MS = 25;

/** One conversion's use of the guard. */
export interface GuardSession extends Disposable {
  /** With the session's own credentials; nothing passes without. */
  readonly proxyUrl: string;
  /** The same way out for our own requests, without the proxy between: every connection is judged and counted alike. */
  readonly connect: buildConnector.connector;
  /** Bytes that have come so far, headers included. */
  readonly bytesFetched: number;
  /** Targets that were refused, as `host:port`. */
  readonly refusals: readonly string[];
  /** Aborts with a ConversionError "too_large" when the budget is spent; connections are cut by then. */
  readonly exceeded: AbortSignal;
  /** Cuts the session's connections; its credentials are void from here on. */
  close(): void;
}

export interface EgressGuard extends AsyncDisposable {
  /** `tooLargeMessage` is what a person reads when the budget is spent; the code's own sentence when absent. */
  open(maxBytes: number, tooLargeMessage?: string): GuardSession;
  stop(): Promise<void>;
}

export interface EgressGuardOptions {
  /** Hosts that may be private. */
  readonly allow: readonly HostEntry[];
  readonly log?: (line: string) => void;
}

/** Whether an address may be connected to, and how its name is to be looked up if it is one. A refusal is noted. */
type Judge = (session: Session, hostname: string, port: number) => "refused" | { readonly lookup?: typeof resolveName };

class Session implements GuardSession {
  readonly proxyUrl: string;
  readonly connect: buildConnector.connector;
  readonly refusals: string[] = [];
  readonly #sockets = new Set<Socket>();
  /** Our own, straight to where the bytes come from. */
  readonly #direct = new Set<Socket>();
  readonly #maxBytes: number;
  readonly #tooLargeMessage: string | undefined;
  readonly #exceeded = new AbortController();
  readonly #budgetCheck: NodeJS.Timeout;
  readonly #onClose: () => void;
  #closedBytes = 0;
  #isClosed = false;

  constructor(proxyUrl: string, judge: Judge, maxBytes: number, tooLargeMessage: string | undefined, onClose: () => void) {
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

  /** Counts a connection of a tool to the guard; the same one may carry several requests. */
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
    // With an error: undici takes a body without length for complete when its connection closes without one, and throws
    // outside of any promise if its request was aborted by then.
    for (const socket of this.#direct) socket.destroy(new Error("the session is closed"));
  }

  #connector(judge: Judge): buildConnector.connector {
    return (options, done) => {
      const port = Number(options.port || (options.protocol === "https:" ? 443 : 80));
      const verdict = judge(this, options.hostname, port);
      if (verdict === "refused") return done(new Error(`${options.hostname}:${port} is not public`), null);
      // One request at a time and connection: what is counted and cut is then always a whole connection.
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
    // The first listener, so that undici sees the changed code: it takes ECONNRESET for the end of a body without length.
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

/** A failed look-up must not read as "404": proxy-chain answers that to ENOTFOUND, and to nothing else. */
function lookupFailure(error: NodeJS.ErrnoException): NodeJS.ErrnoException {
  return error.code === "ENOTFOUND" ? Object.assign(new Error(error.message), { code: "EAI_AGAIN" }) : error;
}

/** dns.lookup, but answering with public addresses only. `refuse` hears of names that have none. */
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

/** Throws RequestError for an address of which `http.request` throws: proxy-chain calls it outside of any promise that is awaited. */
function checkTarget({ method, url = "" }: IncomingMessage): void {
  if (method === "CONNECT") return;
  try {
    urlToHttpOptions(new URL(url));
  } catch {
    throw new RequestError("This address cannot be read.", 400);
  }
}

/** Listens on a free loopback port until stopped. */
export async function startEgressGuard({ allow, log }: EgressGuardOptions): Promise<EgressGuard> {
  const sessions = new Map<string, Session>();

  const judge: Judge = (session, hostname, port) => {
    if (isOperatorsOwn(allow, hostname, port)) return {};
    const refuse = (): void => {
      session.refusals.push(`${hostname}:${port}`);
      log?.(`refused ${hostname}:${port}`);
    };
    const host = normalizeHost(hostname);
    // Addresses written out are connected to without a look-up.
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
      const [name, secret] = [randomBytes(8).toString("hex"), randomBytes(24).toString("hex")];
      const session = new Session(`http://${name}:${secret}@127.0.0.1:${server.port}`, judge, maxBytes, tooLargeMessage, () =>
        sessions.delete(`${name}:${secret}`),
      );
      sessions.set(`${name}:${secret}`, session);
      return session;
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}
