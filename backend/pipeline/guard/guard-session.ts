/** The connections of one conversion: counts their bytes, enforces the budget, and closes them together. */
import type { lookup as resolveName } from "node:dns";
import type { Socket } from "node:net";
import { buildConnector } from "undici";
import { ConversionError, type Explanation } from "../../../common/errors.ts";
import { connectThrough } from "../exits/connect-through.ts";
import { type Exit, familyOf } from "../exits/exit.ts";
import type { NetworkWay } from "../process/tool-sandbox.ts";
import { checkResolvable } from "./public-lookup.ts";

/** Interval between budget checks of a session; loopback transfers about 25 MB in this time. */
const BUDGET_CHECK_MS = 25;

export interface GuardSession extends Disposable {
  /** Contains the credentials of the session. */
  readonly proxyUrl: string;
  /** The way to that proxy for a tool in a sandbox, which has the same port there. */
  readonly way: NetworkWay;
  /** Connects our own HTTP client without the proxy; connections are checked and counted like those of the tools. */
  readonly connect: buildConnector.connector;
  /** Received bytes, headers included. */
  readonly bytesFetched: number;
  /** Targets that were refused, as `host:port`. */
  readonly refusals: readonly string[];
  /**
   * Aborts with ConversionError "too_large" when more than the budget was received, and with "blocked" when a tool wants
   * to contact a blocked host; connections are closed by then.
   */
  readonly exceeded: AbortSignal;
  /** Closes the connections and revokes the credentials. */
  close(): void;
}

/** How to connect to an allowed target. */
export interface AllowedTarget {
  /** Resolves the name to allowed addresses only; absent for a private address of the operator. */
  readonly lookup?: typeof resolveName;
}

/** Checks a target. */
export type TargetCheck = (hostname: string, port: number) => AllowedTarget | "refused";

export interface SessionOptions {
  readonly proxyUrl: string;
  readonly way: NetworkWay;
  /** Budget of received bytes. */
  readonly maxBytes: number;
  /** Sentence for the visitor when the budget is exceeded; by default that of the error code. */
  readonly tooLarge: Explanation | undefined;
  /** The way that all connections take. */
  readonly exit: Exit;
  /**
   * @param refuse records a refused target in the session
   * @param block ends the session, because a target is blocked
   */
  readonly createCheck: (refuse: (target: string) => void, block: (target: string) => void) => TargetCheck;
  /** Revokes the credentials. */
  readonly onClose: () => void;
}

/** Counts, bounds and closes the connections of a {@link GuardSession}. */
export class Session implements GuardSession {
  readonly proxyUrl: string;
  readonly way: NetworkWay;
  readonly connect: buildConnector.connector;
  readonly check: TargetCheck;
  readonly exit: Exit;
  readonly refusals: string[] = [];
  /** Connections of tools to the proxy. */
  readonly #proxied = new Set<Socket>();
  /** Connections of our own HTTP client, without the proxy. */
  readonly #direct = new Set<Socket>();
  readonly #options: SessionOptions;
  readonly #exceeded = new AbortController();
  readonly #budgetCheck: NodeJS.Timeout;
  #closedBytes = 0;
  #isClosed = false;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.proxyUrl = options.proxyUrl;
    this.way = options.way;
    this.exit = options.exit;
    this.check = options.createCheck(
      (target) => this.refusals.push(target),
      (target) => this.#giveUp(new ConversionError("blocked", { detail: `${target} is blocked` })),
    );
    this.connect = (target, done) => this.#connect(target, done);
    this.#budgetCheck = setInterval(() => this.#checkBudget(), BUDGET_CHECK_MS).unref();
  }

  get exceeded(): AbortSignal {
    return this.#exceeded.signal;
  }

  get bytesFetched(): number {
    let bytes = this.#closedBytes;
    for (const socket of this.#proxied) bytes += socket.bytesWritten;
    for (const socket of this.#direct) bytes += socket.bytesRead;
    return bytes;
  }

  /** Counts a connection of a tool to the proxy. Called for each request; a connection may carry several. */
  addProxied(socket: Socket): void {
    if (this.#proxied.has(socket)) return;
    this.#proxied.add(socket);
    socket.once("close", () => {
      this.#proxied.delete(socket);
      this.#closedBytes += socket.bytesWritten;
    });
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearInterval(this.#budgetCheck);
    this.#options.onClose();
    for (const socket of this.#proxied) socket.destroy();
    // Pass an error: without one, undici treats a body without length as complete, and throws outside of any promise if
    // the request is aborted already.
    for (const socket of this.#direct) socket.destroy(new Error("the session is closed"));
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #connect(options: buildConnector.Options, done: buildConnector.Callback): void {
    const port = Number(options.port || (options.protocol === "https:" ? 443 : 80));
    const target = this.check(options.hostname, port);
    if (target === "refused") return done(new Error(`${options.hostname}:${port} is not public`), null);
    const finish: buildConnector.Callback = (...outcome) => {
      const socket = outcome[1];
      if (socket && this.#isClosed) {
        socket.destroy();
        return done(new Error("the session is closed"), null);
      }
      if (socket) this.#addDirect(socket);
      done(...outcome);
    };
    const { proxyUrl, localAddress = null } = this.exit;
    // No HTTP/2: with one request at a time, counting and closing whole connections is exact.
    const connect = buildConnector({ allowH2: false, lookup: target.lookup, family: familyOf(this.exit) });
    // undici takes the local address from the call only.
    if (proxyUrl === undefined) return connect({ ...options, localAddress }, finish);
    checkResolvable(options.hostname, target.lookup).then(
      () => connectThrough(proxyUrl, options, connect, finish),
      (error: Error) => finish(error, null),
    );
  }

  #addDirect(socket: Socket): void {
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

  #checkBudget(): void {
    const { maxBytes, tooLarge } = this.#options;
    if (this.bytesFetched <= maxBytes) return;
    const detail = `more than ${maxBytes} bytes were fetched`;
    this.#giveUp(new ConversionError("too_large", { detail, ...tooLarge }));
  }

  #giveUp(reason: ConversionError): void {
    this.close();
    this.#exceeded.abort(reason);
  }
}
