/** Connections that say too little for too long, and how many a network may have without a proxy. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { expect, it } from "vitest";
import { WebSocket } from "undici";
import { startTestServer, type TestServer } from "../../dev/testing/test-server.ts";
import { identified, openUnidentified } from "../../dev/testing/unidentified-socket.ts";
import { WEB_SOCKET_UPGRADE } from "../../dev/testing/web-socket-bytes.ts";

/** Opens a TCP connection from an address of this machine, and sends nothing. */
function openSilently({ origin }: TestServer, localAddress: string): Socket {
  const { port, hostname: host } = new URL(origin);
  // A refused connection may be reset.
  return connect({ port: Number(port), host, localAddress }).on("error", () => undefined);
}

it("closes connections that do not say whose they are, and keeps the others", async () => {
  await using hasty = await startTestServer({ hasExtractor: false, settings: { realtime: { identifyMs: 500 } } });
  const { cookie } = await hasty.newDevice();
  // On a busy machine the time may be over before it has said whose it is.
  let known = openUnidentified(hasty, cookie, "203.0.113.8");
  while ((await identified(known)) === "refused") known = openUnidentified(hasty, cookie, "203.0.113.8");
  const quiet = openUnidentified(hasty, cookie, "203.0.113.7");
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

it("closes connections that send no request, and counts none of a trusted proxy", async () => {
  // One connection of the proxy carries the requests of everybody: the number of its connections is not bounded.
  const settings = { site: { connectionsPerNetwork: 1, headersMs: 5_000 } };
  await using server = await startTestServer({ hasExtractor: false, TRUST_PROXY: "1", settings });
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
