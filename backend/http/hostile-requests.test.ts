/** Requests that no browser sends: each gets an answer below 500, and the server keeps running. */
import { mkdir, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { once } from "node:events";
import { join } from "node:path";
import { deflateSync, gzipSync } from "node:zlib";
import { beforeAll, expect, it } from "vitest";
import { ofFile } from "../dev/testing/of-file.ts";
import { METHODS, ODD_HEADERS, ODD_TARGETS } from "../dev/fuzz/odd-requests.ts";
import { faultOf, rawRequest, sendRaw } from "../dev/testing/raw-request.ts";
import { startTestServer } from "../dev/testing/test-server.ts";

const server = await ofFile(startTestServer({ hasExtractor: false, PAYMENT_STAND_IN: "on" }));
beforeAll(async () => {
  await mkdir(server.distFolder, { recursive: true });
  await writeFile(join(server.distFolder, "index.html"), "<!doctype html><title>Tapedeck</title>");
});

const host = (): string => new URL(server.origin).host;

/** Sends requests in parallel. @returns the faults of their answers */
async function faultsOf(requests: readonly Buffer[]): Promise<string[]> {
  const faults = await Promise.all(
    requests.map(async (bytes) => ({
      line: short(bytes.toString("latin1", 0, bytes.indexOf("\r"))),
      fault: faultOf(await sendRaw(server.origin, bytes)),
    })),
  );
  return faults.flatMap(({ line, fault }) => (fault === null ? [] : [`${line}: ${fault}`]));
}

const short = (text: string): string => (text.length > 60 ? `${text.slice(0, 40)}… (${text.length} bytes)` : text);

it.each(ODD_TARGETS.map((target) => [short(target), target]))(
  "answers %s with a status below 500 for every method",
  async (_, target) => {
    expect(
      await faultsOf(METHODS.map((method) => rawRequest(`${method} ${target} HTTP/1.1`, [`Host: ${host()}`]))),
    ).toEqual([]);
  },
);

it("answers no TRACE with what was sent", async () => {
  for (const path of ["/", "/api/config", "/healthz", "/no/such.js"]) {
    const answer = await sendRaw(
      server.origin,
      rawRequest(`TRACE ${path} HTTP/1.1`, [`Host: ${host()}`, "Cookie: a-secret-cookie=1"]),
    );
    expect(answer?.status).toBeGreaterThanOrEqual(400);
    expect(answer?.body).not.toContain("a-secret-cookie");
  }
});

it.each(["a.example:443", "", "/", "http://[", "*", "a.example:x"])("refuses CONNECT to %j", async (target) => {
  const answer = await sendRaw(server.origin, rawRequest(`CONNECT ${target} HTTP/1.1`));
  expect(answer === null ? null : faultOf(answer)).toBeNull();
  expect(answer?.status).not.toBe(200);
});

/** JSON bodies, each with the encoding that its header claims. */
const ENCODED: [string, string, Buffer][] = [
  ["invalid br", "br", Buffer.from('{"youtubeUrl":"x","format":"mp3"}')],
  ["invalid gzip", "gzip", Buffer.from('{"youtubeUrl":"x","format":"mp3"}')],
  ["invalid deflate", "deflate", Buffer.from('{"youtubeUrl":"x","format":"mp3"}')],
  ["truncated gzip", "gzip", gzipSync("{}".repeat(1_000)).subarray(0, 20)],
  ["gzip with trailing bytes", "gzip", Buffer.concat([gzipSync("{}"), Buffer.from("more")])],
  ["a gzip that unpacks to 20 MB", "gzip", gzipSync(Buffer.alloc(20_000_000, " "))],
  ["deflated text that is no JSON", "deflate", deflateSync("none")],
  ["an unknown encoding", "zstd", Buffer.from("x")],
  ["two encodings", "gzip, br", gzipSync("{}")],
  ["no JSON", "identity", Buffer.from([0xff, 0xfe, 0x00, 0x7b])],
  ["a string as JSON", "identity", Buffer.from('"x"')],
  ["deeply nested JSON", "identity", Buffer.from("[".repeat(50_000))],
  ["a __proto__ key", "identity", Buffer.from('{"__proto__":{"x":1},"constructor":null}')],
  ["200 kB", "identity", Buffer.alloc(200_000, " ")],
  ["no bytes", "identity", Buffer.alloc(0)],
];
const CALLS = [
  "POST /api/conversions",
  "POST /api/batch-conversions",
  "POST /api/preview",
  "POST /api/lists",
  "POST /api/selections",
  "POST /api/create-subscription",
  "POST /api/billing-portal",
  "POST /api/logout",
  "POST /api/logout-everywhere",
  "DELETE /api/account",
  "DELETE /api/conversions/x",
  "POST /api/conversions/x/retry",
  "DELETE /api/batch-conversions/x",
  "POST /api/batch-conversions/x/retry",
  "POST /api/stripe-webhook",
  "POST /development-sign-in/token",
  "POST /development-sign-in/interaction/x",
  "POST /",
];
it.each(ENCODED)("answers a body with %s with a status below 500 on every route", async (_, encoding, body) => {
  const headers = [
    `Host: ${host()}`,
    `Origin: ${server.origin}`,
    "Content-Type: application/json",
    `Content-Encoding: ${encoding}`,
  ];
  expect(await faultsOf(CALLS.map((call) => rawRequest(`${call} HTTP/1.1`, headers, body)))).toEqual([]);
});

const PLACES = [
  "GET /",
  "GET /api/config",
  "GET /api/conversions",
  "GET /api/login",
  "GET /development-sign-in/auth",
  "GET /socket.io/?EIO=4&transport=polling",
  "GET /no/such.js",
  "GET /healthz",
  "POST /api/conversions",
];
it.each(ODD_HEADERS)("answers a request with %s with a status below 500 on every path", async (_, headers) => {
  const lines = headers.map((line) => line.replace("{host}", host()));
  expect(await faultsOf(PLACES.map((place) => rawRequest(`${place} HTTP/1.1`, lines)))).toEqual([]);
});

it("refuses an invalid WebSocket upgrade with 400", async () => {
  const lines = [
    `Host: ${host()}`,
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Key: x",
    "Sec-WebSocket-Version: 13",
  ];
  const answers = await Promise.all(
    ["polling", "websocket", "x"].map((transport) =>
      sendRaw(server.origin, rawRequest(`GET /socket.io/?EIO=4&transport=${transport} HTTP/1.1`, lines)),
    ),
  );
  expect(answers.map((answer) => answer?.status)).toEqual([400, 400, 400]);
  expect(answers.map((answer) => faultOf(answer))).toEqual([null, null, null]);
});

it.each([
  ["a sign-in", "GET /api/login?here", []],
  ["the sign-in of development", "GET /development-sign-in/auth", []],
  ["a page", "GET /", []],
  ["a call", "GET /api/device-info", []],
  ["long polling", "GET /socket.io/?EIO=4&transport=polling", []],
  [
    "an upgrade",
    "GET /socket.io/?EIO=4&transport=websocket",
    [
      "Connection: Upgrade",
      "Upgrade: websocket",
      "Sec-WebSocket-Version: 13",
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    ],
  ],
])("refuses %s under a name that a page of another site has pointed here", async (_, call, lines) => {
  const { port } = new URL(server.origin);
  const rebound = `rebound.evil.example:${port}`;
  const headers = [`Host: ${rebound}`, `Origin: http://${rebound}`, "Sec-Fetch-Site: same-origin", ...lines];
  const answer = await sendRaw(server.origin, rawRequest(`${call} HTTP/1.1`, headers));
  expect(answer?.status).toBe(421);
  expect(faultOf(answer)).toBeNull();
  expect(JSON.parse(answer?.body ?? "")).toEqual({
    code: "bad_request",
    message: "This server does not answer under the name in the address. The operator sets its name with PUBLIC_URL.",
  });
  expect(answer?.headers.get("set-cookie")).toBeUndefined();
});

it.each<[string, string]>([
  ["HTTP/1.0 without Host", "GET /api/config HTTP/1.0\r\n\r\n"],
  ["HTTP/1.1 without Host", "GET /api/config HTTP/1.1\r\nConnection: close\r\n\r\n"],
  ["HTTP/0.9", "GET /\r\n\r\n"],
  ["HTTP/9.9", "GET / HTTP/9.9\r\n\r\n"],
  ["HTTP/2 with prior knowledge", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
  ["TLS", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"],
  ["no HTTP", "hello\r\n\r\n"],
  ["zeros", "\0".repeat(100)],
])("answers %s below 500 or closes the connection", async (_, bytes) => {
  const answer = await sendRaw(server.origin, bytes);
  expect(answer === null ? null : faultOf(answer)).toBeNull();
});

it.each(["/socket.io/?EIO=4&transport=websocket", "/socket.io/?EIO=4&transport=polling", "/", "/api/config"])(
  "survives an upgrade of %s that is reset at once",
  async (path) => {
    const { hostname, port } = new URL(server.origin);
    for (let n = 0; n < 20; n += 1) {
      const socket = connect(Number(port), hostname);
      await once(socket, "connect");
      await new Promise((written) =>
        socket.write(
          [
            `GET ${path} HTTP/1.1`,
            `Host: ${host()}`,
            "Connection: Upgrade",
            "Upgrade: websocket",
            "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
          ].join("\r\n"),
          written,
        ),
      );
      socket.resetAndDestroy();
      await once(socket, "close");
    }
    expect((await fetch(`${server.origin}/healthz`)).status).toBe(200);
  },
);
