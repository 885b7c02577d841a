/** From which address, and by which family, connections of a session go out. */
import { once } from "node:events";
import type { lookup, LookupAddress, LookupOptions } from "node:dns";
import { createServer, request as httpRequest, type IncomingMessage, type Server } from "node:http";
import { type AddressInfo, isIP } from "node:net";
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

function askProxy(session: GuardSession, method: string, path: string): ReturnType<typeof httpRequest> {
  const { hostname: host, port: proxyPort, username, password } = new URL(session.proxyUrl);
  const headers = { "proxy-authorization": `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}` };
  return httpRequest({ host, port: proxyPort, method, path, headers, agent: false }).end();
}

/** Connects in all three ways: a tool's plain request, its tunnel, and our own client. */
async function connectEachWay(exit: Exit): Promise<void> {
  using session = guard.open(1_000_000, { exit });
  const [response] = (await once(askProxy(session, "GET", `http://${NAME}:${port}/`), "response")) as [IncomingMessage];
  expect(response.resume().statusCode).toBe(200);
  const [tunnel] = (await once(askProxy(session, "CONNECT", `${NAME}:${port}`), "connect")) as [IncomingMessage];
  expect(tunnel.statusCode).toBe(200);
  const agent = new Agent({ connect: session.connect });
  await (await agent.request({ origin: `http://${NAME}:${port}`, path: "/", method: "GET" })).body.text();
  await agent.destroy();
}

it("go out from the local address of the exit", async () => {
  await connectEachWay(parseExit("127.0.0.2"));
  expect(new Set(addresses)).toEqual(new Set(["127.0.0.2"]));
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
