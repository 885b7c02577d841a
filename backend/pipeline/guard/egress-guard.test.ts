import { once } from "node:events";
import type { LookupAddress, lookup } from "node:dns";
import { createServer, request as httpRequest, type IncomingMessage, type Server } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { Agent } from "undici";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ConversionError } from "../../../common/errors.ts";
import { HOSTILE_HOSTS } from "../../dev/testing/hostile-links.ts";
import { startEgressGuard, type EgressGuard, type GuardSession } from "./egress-guard.ts";

let target: Server;
let port: number;
let contacts = 0;
let seenHeaders: IncomingMessage["headers"] = {};
let guard: EgressGuard;

beforeAll(async () => {
  target = createServer((request, response) => {
    seenHeaders = request.headers;
    // The guard would use an open connection again, and look up no name.
    response.setHeader("connection", "close");
    if (request.url !== "/endless") return void response.end("inside");
    const pour = (): void => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536)));
    };
    response.on("drain", pour);
    pour();
  });
  target.on("connection", () => (contacts += 1));
  await once(target.listen(0, "127.0.0.1"), "listening");
  ({ port } = target.address() as AddressInfo);
  guard = await startEgressGuard({ allow: [{ host: "localhost", port }] });
});

afterAll(async () => {
  await guard.stop();
  target.closeAllConnections();
  target.close();
});

beforeEach(() => {
  contacts = 0;
});

function authorization(proxy: URL): Record<string, string> {
  return { "proxy-authorization": `Basic ${Buffer.from(`${proxy.username}:${proxy.password}`).toString("base64")}` };
}

/** GET by absolute address, as clients ask a proxy for plain HTTP. */
async function get(
  session: Pick<GuardSession, "proxyUrl">,
  address: string,
  headers?: Record<string, string>,
): Promise<{ status: number; body: string }> {
  const proxy = new URL(session.proxyUrl);
  const request = httpRequest({
    host: proxy.hostname,
    port: proxy.port,
    path: address,
    headers: headers ?? authorization(proxy),
    agent: false,
  }).end();
  const [response] = (await once(request, "response")) as [IncomingMessage];
  let body = "";
  for await (const chunk of response.setEncoding("utf8")) body += String(chunk);
  return { status: response.statusCode ?? 0, body };
}

/** Sends CONNECT. @returns the first bytes of the response; "" when the guard closes the connection */
async function tunnel(session: GuardSession, authority: string): Promise<string> {
  const proxy = new URL(session.proxyUrl);
  const socket: Socket = connect(Number(proxy.port), proxy.hostname);
  socket.write(
    `CONNECT ${authority} HTTP/1.1\r\nhost: ${authority}\r\n${Object.entries(authorization(proxy))
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join("")}\r\n`,
  );
  try {
    const closed = once(socket, "close").then(() => [""]);
    const [first] = (await Promise.race([once(socket, "data"), closed])) as [Buffer | string];
    return String(first);
  } finally {
    socket.destroy();
  }
}

describe("the egress guard", () => {
  it("connects to the operator's host by GET and CONNECT, and does not forward the credentials", async () => {
    using session = guard.open(1_000_000);
    expect(await get(session, `http://localhost:${port}/`)).toEqual({ status: 200, body: "inside" });
    expect(seenHeaders).not.toHaveProperty("proxy-authorization");
    expect(await tunnel(session, `localhost:${port}`)).toMatch(/^HTTP\/1.1 200/);
    expect(session.refusals).toEqual([]);
    expect(session.bytesFetched).toBeGreaterThan("inside".length);
  });

  it.each(HOSTILE_HOSTS)("does not connect to %s by GET or CONNECT", async (host) => {
    using session = guard.open(1_000_000);
    const { status, body } = await get(session, `http://${host}:${port}/`);
    expect(status).toBeGreaterThanOrEqual(400);
    // 404 would be classified as an answer of the site.
    expect(status).not.toBe(404);
    expect(body).not.toContain("inside");
    expect(await tunnel(session, `${host}:${port}`)).not.toMatch(/ 200 /);
    expect(contacts).toBe(0);
  });

  it("lists the refused targets", async () => {
    using session = guard.open(1_000_000);
    await get(session, `http://127.0.0.1:${port}/`);
    await tunnel(session, "0x7f.1:22");
    expect(session.refusals).toEqual([`127.0.0.1:${port}`, "0x7f.1:22"]);
  });

  const OUR_ADDRESS = "93.184.215.14";
  const own = { has: (address: string) => address === OUR_ADDRESS, isOwnName: (name: string) => name === "us.example" };

  it.each([
    ["another port of a public address", "1.1.1.1:8080"],
    ["a mail server", "1.1.1.1:25"],
    ["another port of a public name", "example.com:8443"],
    ["our own public address", `${OUR_ADDRESS}:443`],
    ["our own name", "us.example:443"],
    ["our own name in capitals", "US.example.:80"],
    ["the metadata service of a cloud", "168.63.129.16:80"],
    ["an operator's host without a port", "localhost:80"],
  ])("refuses %s", async (_, target) => {
    await using strict = await startEgressGuard({ allow: [{ host: "localhost" }], own });
    using session = strict.open(1_000_000);
    expect((await get(session, `http://${target}/`)).status).toBeGreaterThanOrEqual(400);
    expect(await tunnel(session, target)).not.toMatch(/ 200 /);
    expect(session.refusals).toHaveLength(2);
  });

  /** Stands for a name server that answers each look-up with the next of these addresses, and then with the last. */
  const resolver = (...answers: string[]): typeof lookup => {
    const left = [...answers];
    const resolve = (_: string, __: object, done: (error: null, found: LookupAddress[]) => void): void => {
      const address = (left.length > 1 ? left.shift() : left[0]) ?? "";
      done(null, [{ address, family: address.includes(":") ? 6 : 4 }]);
    };
    return resolve as typeof lookup;
  };

  it.each([
    ["a name that leads to this machine", "videos.example", ["127.0.0.1", "::1"]],
    ["a name that leads into a private network", "videos.example", ["10.0.0.1", "fd12::1"]],
    ["a name that leads to a metadata service", "videos.example", ["169.254.169.254", "168.63.129.16"]],
    ["a name that leads to a metadata service behind NAT64", "videos.example", ["64:ff9b::a9fe:a9fe"]],
    ["a name that leads into a private network behind NAT64", "videos.example", ["64:ff9b::a00:1"]],
    ["a name that leads to our own address", "videos.example", [OUR_ADDRESS]],
    ["a name that leads to our own address behind NAT64", "videos.example", ["64:ff9b::5db8:d70e"]],
    ["our own name", "us.example", ["127.0.0.1"]],
    ["localhost where it is another machine", "localhost", ["10.0.0.1", OUR_ADDRESS]],
    ["a metadata service by its address", "169.254.169.254", []],
    ["our own address", OUR_ADDRESS, []],
  ])("refuses an operator's host with a port: %s", async (_, host, answers) => {
    await using strict = await startEgressGuard({ allow: [{ host, port }], own, resolve: resolver(...answers) });
    using session = strict.open(1_000_000);
    expect((await get(session, `http://${host}:${port}/`)).status).toBeGreaterThanOrEqual(400);
    expect(await tunnel(session, `${host}:${port}`)).not.toMatch(/ 200 /);
    expect(session.refusals).toEqual([`${host}:${port}`, `${host}:${port}`]);
    expect(contacts).toBe(0);
  });

  it("connects to a private address that the operator names with its port", async () => {
    await using open = await startEgressGuard({ allow: [{ host: "127.0.0.1", port }], own, resolve: resolver("::1") });
    using session = open.open(1_000_000);
    expect(await get(session, `http://127.0.0.1:${port}/`)).toEqual({ status: 200, body: "inside" });
  });

  it("lets a session contact its operator's service wherever it is, but no metadata service", async () => {
    await using open = await startEgressGuard({ allow: [], own, resolve: resolver("127.0.0.1", "169.254.169.254") });
    using session = open.open(1_000_000, { operatorsHost: { host: "service.lan", port } });
    expect((await get(session, `http://service.lan:${port}/`)).status).toBe(200);
    expect((await get(session, `http://service.lan:${port}/`)).status).toBeGreaterThanOrEqual(400);
    using other = open.open(1_000_000);
    expect((await get(other, `http://service.lan:${port}/`)).status).toBe(403);
    expect(contacts).toBe(1);
  });

  it("refuses the operator's host on another port", async () => {
    using session = guard.open(1_000_000);
    await get(session, "http://localhost:1/");
    expect(session.refusals).toEqual(["localhost:1"]);
  });

  it("answers 407 without credentials, with a wrong password, and after the session is closed", async () => {
    const session = guard.open(1_000_000);
    const address = `http://localhost:${port}/`;
    expect((await get(session, address, {})).status).toBe(407);
    const forged = new URL(session.proxyUrl);
    forged.password = "guess";
    expect((await get({ proxyUrl: forged.href }, address)).status).toBe(407);
    session.close();
    expect((await get(session, address)).status).toBe(407);
    expect(contacts).toBe(0);
  });

  it.each(["%zz@", "name:%ff@"])(
    "answers 400 to credentials in an address that cannot be decoded: %s",
    async (credentials) => {
      using session = guard.open(1_000_000);
      expect((await get(session, `http://${credentials}localhost:${port}/`)).status).toBe(400);
      expect(contacts).toBe(0);
    },
  );

  it("closes the session when its budget is exceeded", async () => {
    using session = guard.open(3_000_000);
    const response = get(session, `http://localhost:${port}/endless`);
    await expect(response).rejects.toThrow("aborted");
    if (!session.exceeded.aborted) await once(session.exceeded, "abort");
    expect(session.exceeded.reason).toMatchObject({ code: "too_large" });
    expect((await get(session, `http://localhost:${port}/`)).status).toBe(407);
  });
});

describe("a blocked host", () => {
  const open = (name: string) =>
    startEgressGuard({ allow: [{ host: "localhost", port }], refusesHost: (host) => host === name });

  it.each([
    ["localhost", "LOCALHOST."],
    ["127.0.0.1", "127.0.0.1"],
    ["::1", "[::1]"],
  ])("%s ends the session of a tool that wants to contact %s", async (name, spelling) => {
    await using strict = await open(name);
    for (const contact of [
      (session: GuardSession) => get(session, `http://${spelling}:${port}/`),
      (session: GuardSession) => tunnel(session, `${spelling}:${port}`),
    ]) {
      using session = strict.open(1_000_000);
      await contact(session).catch(() => undefined);
      expect(session.exceeded.reason).toMatchObject({ code: "blocked" });
    }
    expect(contacts).toBe(0);
  });

  it("is not contacted by our own client, and other hosts are", async () => {
    await using strict = await open("blocked.example");
    using session = strict.open(1_000_000);
    expect((await get(session, `http://localhost:${port}/`)).status).toBe(200);
    const agent = new Agent({ connect: session.connect });
    const request = agent.request({ origin: "http://blocked.example", path: "/", method: "GET" });
    await expect(request).rejects.toThrow("blocked.example:80 is not public");
    expect(session.exceeded.reason).toMatchObject({ code: "blocked" });
    await agent.destroy();
  });
});

describe("GuardSession.connect", () => {
  const fetchText = async (session: GuardSession, address: string): Promise<string> => {
    const agent = new Agent({ connect: session.connect });
    try {
      const { origin, pathname } = new URL(address);
      const { body } = await agent.request({ origin, path: pathname, method: "GET" });
      return await body.text();
    } finally {
      await agent.destroy();
    }
  };

  it("connects to the operator's hosts, and counts the received bytes", async () => {
    using session = guard.open(1_000_000);
    expect(await fetchText(session, `http://localhost:${port}/`)).toBe("inside");
    expect(session.bytesFetched).toBeGreaterThan("inside".length);
  });

  it.each([
    "http://127.0.0.1:PORT/",
    "http://[::1]:PORT/",
    "http://localhost:1/",
    "https://10.0.0.1/",
    "http://[::ffff:127.0.0.1]:PORT/",
  ])("refuses %s", async (address) => {
    using session = guard.open(1_000_000);
    await expect(fetchText(session, address.replace("PORT", String(port)))).rejects.toThrow(/public|closed/);
    expect(session.refusals).toHaveLength(1);
    expect(contacts).toBe(0);
  });

  it("closes its connections when the budget is exceeded, and refuses new ones", async () => {
    using session = guard.open(500_000);
    await expect(fetchText(session, `http://localhost:${port}/endless`)).rejects.toThrow(/closed|terminated/);
    expect(session.exceeded.reason).toBeInstanceOf(ConversionError);
    await expect(fetchText(session, `http://localhost:${port}/`)).rejects.toThrow("closed");
  });
});
