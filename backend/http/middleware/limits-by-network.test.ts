/** Limits of what one network may have queued or open at the same time: jobs, downloads, sockets, connections. */
import { once } from "node:events";
import { truncate, writeFile } from "node:fs/promises";
import { request, type IncomingMessage } from "node:http";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { WebSocket } from "undici";
import { ErrorBody, SENTENCES } from "../../../common/errors.ts";
import { startTestServer, type TestDevice, type TestServer } from "../../dev/testing/test-server.ts";
import { WEB_SOCKET_UPGRADE } from "../../dev/testing/web-socket-bytes.ts";

/** More than the kernel keeps for a reader that does not read. */
const FILE_BYTES = 40_000_000;
let server: TestServer;
let device: TestDevice;
let fileUrl: string;
/** Later conversions wait for it. */
const released = Promise.withResolvers<void>();

beforeAll(async () => {
  let isFirst = true;
  server = await startTestServer(
    {
      hasExtractor: false,
      TRUST_PROXY: "1",
      VIDEO_HOSTS: "video.example",
      settings: {
        domain: { activeJobsPerNetwork: 2 },
        realtime: { socketsPerNetwork: 3, identifyMs: 60_000 },
        // One connection of the proxy carries the requests of everybody: the number of its connections is not bounded.
        site: { downloadsPerNetwork: 2, connectionsPerNetwork: 1, headersMs: 5_000 },
      },
    },
    undefined,
    async ({ folder }, listener) => {
      if (!isFirst) await released.promise;
      isFirst = false;
      listener.progress({ stage: "store", percent: 99 });
      const path = join(folder, "result.mp3");
      await writeFile(path, "");
      await truncate(path, FILE_BYTES);
      return { path, sizeBytes: FILE_BYTES, durationSeconds: 1 };
    },
  );
  device = await server.newDevice();
  const { id } = await device.convert("https://video.example/first");
  await (await device.live()).untilStatus(id, "completed");
  device.close();
  fileUrl = `${server.origin}/api/conversions/${id}/file`;
});
afterAll(async () => {
  released.resolve();
  await server[Symbol.asyncDispose]();
});

const convertFrom = async (address: string, n: number) => {
  const visitor = await server.newDevice();
  const input = { youtubeUrl: `https://video.example/${n}`, format: "mp3" };
  return visitor.call("POST", "/api/conversions", input, { "x-forwarded-for": address });
};

it("refuses jobs of new cookies from a network that has enough, also by way of another proxy", async () => {
  for (const address of ["198.51.100.1", "198.51.100.2"]) expect((await convertFrom(address, 1)).status).toBe(201);
  const refused = await convertFrom("198.51.100.3", 2);
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "30"]);
  expect(ErrorBody.parse(await refused.json())).toEqual({ code: "network_busy", message: SENTENCES.network_busy });
  // Only the last entry was written by our own proxy.
  expect((await convertFrom("203.0.113.1, 198.51.100.4", 3)).status).toBe(429);
  expect((await convertFrom("203.0.113.1", 4)).status).toBe(201);
});

/** Begins a download, and reads none of its body. */
async function beginDownload(address: string): Promise<IncomingMessage> {
  const headers = { cookie: device.cookie, "x-forwarded-for": address };
  const sent = request(fileUrl, { headers, agent: false });
  sent.end();
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  return response;
}

it("refuses downloads from a network that has enough open, until one of them ends", async () => {
  const slow = [await beginDownload("198.51.100.1"), await beginDownload("198.51.100.2")];
  expect(slow.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
  const refused = await beginDownload("198.51.100.3");
  expect([refused.statusCode, refused.headers["retry-after"]]).toEqual([429, "10"]);
  const elsewhere = await beginDownload("203.0.113.1");
  expect(elsewhere.statusCode).toBe(200);
  slow[0]?.destroy();
  // The server learns of it a moment later.
  let after = await beginDownload("198.51.100.3");
  while (after.statusCode === 429) after = await beginDownload("198.51.100.3");
  expect(after.statusCode).toBe(200);
  for (const response of [...slow, refused, elsewhere, after]) response.destroy();
});

/** Opens a connection below the sockets, which has not said yet whose it is. */
function openConnection(address: string, { origin }: TestServer = server): WebSocket {
  const url = `${origin.replace("http", "ws")}/socket.io/?EIO=4&transport=websocket`;
  return new WebSocket(url, { headers: { cookie: device.cookie, "x-forwarded-for": address } });
}

/** The packet that joins the namespace of our page, in the protocol of Socket.IO. */
const CONNECT = "40";

/** @returns "open" once the server has identified the connection, "refused" otherwise */
async function identified(socket: WebSocket): Promise<string> {
  return new Promise((resolve) => {
    for (const end of ["error", "close"] as const) socket.addEventListener(end, () => resolve("refused"));
    socket.addEventListener("open", () => socket.send(CONNECT));
    socket.addEventListener("message", ({ data }) => String(data).startsWith(CONNECT) && resolve("open"));
  });
}

it("closes connections that do not say whose they are, and keeps the others", async () => {
  await using hasty = await startTestServer({ hasExtractor: false, settings: { realtime: { identifyMs: 500 } } });
  // On a busy machine the time may be over before it has said whose it is.
  let known = openConnection("203.0.113.8", hasty);
  while ((await identified(known)) === "refused") known = openConnection("203.0.113.8", hasty);
  const quiet = openConnection("203.0.113.7", hasty);
  await once(quiet, "close");
  expect(known.readyState).toBe(WebSocket.OPEN);
  known.close();
});

it("ends a connection that ignores that it is closed", async () => {
  await using hasty = await startTestServer({ hasExtractor: false, settings: { realtime: { identifyMs: 500 } } });
  const socket = openSilently(hasty, "127.0.0.1");
  const closed = once(socket, "close").then(() => "closed");
  const line = "GET /socket.io/?EIO=4&transport=websocket HTTP/1.1";
  socket.write([line, `Host: ${new URL(hasty.origin).host}`, ...WEB_SOCKET_UPGRADE, "", ""].join("\r\n"));
  // It reads everything, and answers nothing.
  socket.resume();
  // The library alone would end it after 30 s.
  expect(await Promise.race([closed, delay(25_000, "still open", { ref: false })])).toBe("closed");
});

it("refuses sockets from a network that has enough open", async () => {
  const sockets = ["192.0.2.1", "192.0.2.2", "192.0.2.3"].map((address) => openConnection(address));
  expect(await Promise.all(sockets.map(identified))).toEqual(["open", "open", "open"]);
  expect(await identified(openConnection("192.0.2.4"))).toBe("refused");
  const elsewhere = openConnection("203.0.113.1");
  expect(await identified(elsewhere)).toBe("open");
  for (const socket of [...sockets, elsewhere]) socket.close();
});

/** Opens a TCP connection from an address of this machine, and sends nothing. */
function openSilently({ origin }: TestServer, localAddress: string): Socket {
  const { port, hostname: host } = new URL(origin);
  // A refused connection may be reset.
  return connect({ port: Number(port), host, localAddress }).on("error", () => undefined);
}

it("closes connections that send no request, and counts none of a trusted proxy", async () => {
  const silent = [openSilently(server, "127.0.5.1"), openSilently(server, "127.0.5.2")];
  // Each gets an answer about the time that is over, so none of them was refused.
  await Promise.all(silent.map((socket) => once(socket.resume(), "close")));
  for (const { bytesRead } of silent) expect(bytesRead).toBeGreaterThan(0);
});

it("refuses connections from a network that has enough, where no proxy is trusted", async () => {
  const settings = { site: { connectionsPerNetwork: 20 } };
  await using direct = await startTestServer({ hasExtractor: false, settings });
  const open = Array.from({ length: 20 }, (_, n) => openSilently(direct, `127.0.5.${n + 1}`));
  await Promise.all(open.map((socket) => once(socket, "connect")));
  const refused = openSilently(direct, "127.0.5.99").resume();
  await once(refused, "close");
  expect(refused.bytesRead).toBe(0);
  expect((await fetch(`${direct.origin}/healthz`)).status).toBe(200);
  for (const socket of open) socket.destroy();
});
