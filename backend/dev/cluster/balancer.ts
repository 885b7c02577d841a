/**
 * A small load balancer before several web processes: round robin over those that say they are
 * ready. What it does is what an operator's own must do; docker/Caddyfile says the same to Caddy.
 */
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, ServerResponse, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { Readable } from "node:stream";
import { parseCookie } from "cookie";
import { createProxyServer } from "http-proxy-3";
import { DEVICE_COOKIE } from "../../domain/device-cookie.ts";
import { every } from "../../domain/every.ts";

/** Far below what a person notices, far above what a loaded process needs for an answer. */
const HEALTH_INTERVAL_MS = 250;
const HEALTH_TIMEOUT_MS = 2_000;
/** A process that was never reached can be asked again without harm; these may even have been answered. */
const REPEATABLE = new Set(["GET", "HEAD", "OPTIONS"]);
/** Our own calls carry far less; what is larger is passed on as it comes and not repeated. */
const MAX_KEPT_BODY_BYTES = 1_000_000;

export interface BalancerOptions {
  /** 0: a free one. */
  readonly port: number;
  /** The origins of the web processes, whether they run yet or not. */
  readonly targets: readonly string[];
  /** Answers before anybody else is asked; true: it did. */
  readonly intercept?: (request: IncomingMessage, response: ServerResponse) => boolean;
  readonly report?: (line: string) => void;
}

export interface Balancer {
  readonly origin: string;
  readonly port: number;
  /** The targets that are asked now. */
  ready(): string[];
  /** Looks at once who is ready. */
  check(): Promise<void>;
  stop(): Promise<void>;
}

interface Exchange {
  /** Targets that have failed this request. */
  readonly failed: Set<string>;
  readonly body: Buffer | undefined;
}

export async function startBalancer(options: BalancerOptions): Promise<Balancer> {
  const { targets, intercept, report = () => undefined } = options;
  const ready = new Set<string>();
  const exchanges = new WeakMap<IncomingMessage, Exchange>();
  const proxy = createProxyServer({ xfwd: true });
  let turn = 0;

  async function check(target: string): Promise<void> {
    const isReady = await fetch(`${target}/readyz`, { signal: AbortSignal.timeout(HEALTH_TIMEOUT_MS) }).then(
      async (answer) => {
        await answer.body?.cancel();
        return answer.ok;
      },
      () => false,
    );
    if (isReady === ready.has(target)) return;
    report(isReady ? `${target} is ready` : `${target} is left out`);
    if (isReady) ready.add(target);
    else ready.delete(target);
  }
  const checkAll = async () => {
    await Promise.all(targets.map(check));
  };
  await checkAll();
  const checking = every(HEALTH_INTERVAL_MS, checkAll, (error) => report(String(error)));

  function choose(request: IncomingMessage, failed: ReadonlySet<string>): string | undefined {
    const rest = targets.filter((target) => !failed.has(target));
    // Who has just died may be the only one listed, and who is starting not yet listed: better ask than refuse.
    const candidates = rest.some((target) => ready.has(target)) ? rest.filter((target) => ready.has(target)) : rest;
    const visitor = stickyVisitor(request);
    if (visitor !== undefined) return candidates.toSorted((a, b) => weight(visitor, b) - weight(visitor, a))[0];
    turn += 1;
    return candidates[turn % candidates.length];
  }

  function pass(request: IncomingMessage, response: ServerResponse, exchange: Exchange): void {
    const target = choose(request, exchange.failed);
    if (target === undefined) {
      response.writeHead(503, { "content-type": "application/json", "retry-after": "1" }).end('{"code":"unavailable","message":"Tapedeck is starting. Try again in a moment."}');
      return;
    }
    proxy.web(request, response, { target, ...(exchange.body === undefined ? {} : { buffer: Readable.from([exchange.body]) }) });
  }

  proxy.on("error", (error: NodeJS.ErrnoException, request, response, target) => {
    if (!(response instanceof ServerResponse)) {
      response.destroy();
      return;
    }
    const exchange = exchanges.get(request);
    const origin = originOf(target);
    // Nobody may be told twice what was done once: only what cannot have been begun is repeated.
    const mayRepeat = REPEATABLE.has(request.method ?? "") || (error.code === "ECONNREFUSED" && exchange?.body !== undefined);
    if (!exchange || origin === undefined || response.headersSent || response.destroyed || !mayRepeat) {
      if (response.headersSent) response.destroy();
      else response.writeHead(502, { "content-type": "application/json" }).end('{"code":"unavailable","message":"The connection broke. Try again."}');
      return;
    }
    if (error.code === "ECONNREFUSED" && ready.delete(origin)) report(`${origin} is left out: nobody listens`);
    exchange.failed.add(origin);
    pass(request, response, exchange);
  });
  // A process that dies in mid-answer must not leave its reader waiting.
  proxy.on("proxyRes", (answer, _request, response) => {
    answer.once("close", () => {
      if (!answer.complete) response.destroy();
    });
  });

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (intercept?.(request, response)) return;
    const length = Number(request.headers["content-length"] ?? Number.NaN);
    const body = length > 0 && length <= MAX_KEPT_BODY_BYTES ? await buffer(request) : undefined;
    const exchange: Exchange = { failed: new Set(), body };
    exchanges.set(request, exchange);
    pass(request, response, exchange);
  }

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      report(`a request could not be passed on: ${String(error)}`);
      response.destroy();
    });
  });
  server.on("upgrade", (request, socket, head) => {
    socket.on("error", () => socket.destroy());
    const target = choose(request, new Set());
    if (target === undefined) socket.destroy();
    else proxy.ws(request, socket, head, { target });
  });
  server.listen(options.port, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    port,
    origin: `http://127.0.0.1:${port}`,
    ready: () => [...ready],
    check: checkAll,
    async stop() {
      if (!server.listening) return;
      await checking.stop();
      proxy.close();
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/**
 * Long polling is many requests to one process, so all that a browser sends of it goes one way.
 * A WebSocket is one request and goes wherever its turn takes it.
 */
function stickyVisitor({ url = "/", headers }: IncomingMessage): string | undefined {
  const { pathname, searchParams } = new URL(url, "http://localhost");
  if (!pathname.startsWith("/socket.io/")) return undefined;
  if (searchParams.get("transport") !== "polling" && !searchParams.has("sid")) return undefined;
  return parseCookie(headers.cookie ?? "")[DEVICE_COOKIE];
}

/** The highest wins, so that a visitor moves only when their own process goes (rendezvous hashing). */
function weight(visitor: string, target: string): number {
  return createHash("sha256").update(`${visitor} ${target}`).digest().readUInt32BE(0);
}

function originOf(target: unknown): string | undefined {
  if (target instanceof URL) return target.origin;
  if (typeof target === "string") return new URL(target).origin;
  const { host } = (target ?? {}) as { host?: string | null };
  return host === undefined || host === null ? undefined : `http://${host}`;
}
