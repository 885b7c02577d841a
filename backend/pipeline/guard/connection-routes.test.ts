/** From which address, and by which family, connections of a session go out. */
import { once } from "node:events";
import type { lookup, LookupAddress, LookupOptions } from "node:dns";
import { createServer, request as httpRequest, type IncomingMessage, type Server } from "node:http";
import { type AddressInfo, isIP, type Socket } from "node:net";
import { networkInterfaces } from "node:os";
import { Agent } from "undici";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { DIRECT_EXIT, type Exit, parseExit } from "../exits/exit.ts";
import { type EgressGuard, type GuardSession, startEgressGuard } from "./egress-guard.ts";

/** May have addresses of this machine if the operator allows it. */
const NAME = "localhost";
/** Addresses of the name, in the order that the test sets. */
const LOOPBACK = [
  { address: "127.0.0.1", family: 4 },
  { address: "::1", family: 6 },
];
let isIpv6First = false;

function resolve(
  _host: string,
  { family: wanted }: LookupOptions,
  done: (error: null, found: LookupAddress[]) => void,
): void {
  const found = LOOPBACK.filter(({ family }) => !wanted || family === wanted);
  done(null, isIpv6First ? found.toReversed() : found);
}

const hasIpv6 = Object.values(networkInterfaces()).some((list) => list?.some(({ address }) => address === "::1"));
let target: Server;
let port: number;
let guard: EgressGuard;
/** Of the clients of the target. */
let addresses: string[];

beforeAll(async () => {
  target = createServer((request, response) => void response.end(request.url));
  target.on("connection", ({ remoteAddress = "" }) => addresses.push(remoteAddress.replace(/^::ffff:/, "")));
  await once(target.listen(0, hasIpv6 ? "::" : "127.0.0.1"), "listening");
  ({ port } = target.address() as AddressInfo);
  guard = await startEgressGuard({ allow: [{ host: NAME, port }], resolve: resolve as typeof lookup });
});
afterAll(async () => {
  await guard.stop();
  target.closeAllConnections();
  target.close();
});
beforeEach(() => {
  addresses = [];
});

const PRIVATE_NAME = "inside.example";

/** Resolves names of the web to a public address, and others to this machine. */
function resolveWeb(host: string, _options: LookupOptions, done: (error: null, found: LookupAddress[]) => void): void {
  const isPublic = host.endsWith(".example") && host !== PRIVATE_NAME;
  done(null, isPublic ? [{ address: "93.184.215.14", family: 4 }] : LOOPBACK.slice(0, 1));
}

interface ProxyExit extends AsyncDisposable {
  readonly exit: Exit;
  /** The targets of its requests. */
  readonly asked: readonly string[];
}

/** A proxy on this machine that answers requests and those in its tunnels itself. */
async function openProxyExit(): Promise<ProxyExit> {
  const asked: string[] = [];
  const proxy = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.end("through the proxy");
  });
  proxy.on("connect", (request, socket) => {
    asked.push(`CONNECT ${request.url}`);
    socket.write("HTTP/1.1 200 OK\r\n\r\n");
    proxy.emit("connection", socket);
  });
  await once(proxy.listen(0, "127.0.0.1"), "listening");
  return {
    exit: parseExit(`http://${NAME}:${(proxy.address() as AddressInfo).port}`),
    asked,
    [Symbol.asyncDispose]: async () => {
      proxy.closeAllConnections();
      await new Promise((closed) => proxy.close(closed));
    },
  };
}

function askProxy(session: GuardSession, method: string, path: string): ReturnType<typeof httpRequest> {
  const { hostname: host, port: proxyPort, username, password } = new URL(session.proxyUrl);
  const headers = { "proxy-authorization": `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}` };
  return httpRequest({ host, port: proxyPort, method, path, headers, agent: false }).end();
}

/** Connects in all three ways: a tool's plain request, its tunnel, and our own client. */
async function connectEachWay(exit: Exit, from = guard, host = `${NAME}:${port}`): Promise<void> {
  using session = from.open(1_000_000, { exit });
  const [response] = (await once(askProxy(session, "GET", `http://${host}/`), "response")) as [IncomingMessage];
  expect(response.resume().statusCode).toBe(200);
  const [tunnel, socket] = (await once(askProxy(session, "CONNECT", host), "connect")) as [IncomingMessage, Socket];
  socket.destroy();
  expect(tunnel.statusCode).toBe(200);
  const agent = new Agent({ connect: session.connect });
  await (await agent.request({ origin: `http://${host}`, path: "/", method: "GET" })).body.text();
  await agent.destroy();
  expect(session.refusals).toEqual([]);
}

it("go out from the local address of the exit", async () => {
  await connectEachWay(parseExit("127.0.0.2"));
  expect(new Set(addresses)).toEqual(new Set(["127.0.0.2"]));
});

it("go on to the name's next address where the first does not answer", async () => {
  const asked: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url);
    response.end();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port: ownPort } = server.address() as AddressInfo;
  const silentFirst = ["127.0.0.9", "127.0.0.1"].map((address) => ({ address, family: 4 }));
  const resolveBoth = (_host: string, _options: LookupOptions, done: (error: null, found: LookupAddress[]) => void) =>
    done(null, silentFirst);
  const allow = [{ host: NAME, port: ownPort }];
  await using patient = await startEgressGuard({ allow, resolve: resolveBoth as typeof lookup });
  await connectEachWay(DIRECT_EXIT, patient, `${NAME}:${ownPort}`);
  expect(asked).toEqual(["/", "/"]);
  server.closeAllConnections();
  server.close();
});

describe("through a proxy", () => {
  it("reach the proxy by its name, which leads to a private address", async () => {
    await using strict = await startEgressGuard({ allow: [], resolve: resolveWeb as typeof lookup });
    await using proxy = await openProxyExit();
    await connectEachWay(proxy.exit, strict, "video.example:80");
    const tunnel = "CONNECT video.example:80";
    expect(proxy.asked).toEqual(["GET http://video.example:80/", tunnel, tunnel, "GET /"]);
  });

  it.each([PRIVATE_NAME, "10.0.0.1"])("do not reach the proxy for %s", async (host) => {
    await using strict = await startEgressGuard({ allow: [], resolve: resolveWeb as typeof lookup });
    await using proxy = await openProxyExit();
    using session = strict.open(1_000_000, { exit: proxy.exit });
    const [response] = (await once(askProxy(session, "GET", `http://${host}/`), "response")) as [IncomingMessage];
    expect(response.resume().statusCode).toBeGreaterThanOrEqual(400);
    const [tunnel] = (await once(askProxy(session, "CONNECT", `${host}:80`), "connect")) as [IncomingMessage];
    expect(tunnel.statusCode).toBeGreaterThanOrEqual(400);
    expect(session.refusals).toEqual([`${host}:80`, `${host}:80`]);
    expect(proxy.asked).toEqual([]);
  });
});

describe.skipIf(!hasIpv6)("by a family", () => {
  it.each([true, false])("go out from a local IPv6 address: it is the first of the name: %s", async (isFirst) => {
    isIpv6First = isFirst;
    await connectEachWay(parseExit("::1"));
    expect(new Set(addresses)).toEqual(new Set(["::1"]));
  });

  it.each([4, 6] as const)("keep to IPv%s, with which the video was read", async (preferredFamily) => {
    for (const isFirst of [true, false]) {
      isIpv6First = isFirst;
      await connectEachWay({ ...DIRECT_EXIT, preferredFamily });
    }
    expect(new Set(addresses.map((address) => isIP(address)))).toEqual(new Set([preferredFamily]));
  });
});
