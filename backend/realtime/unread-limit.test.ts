/** Browsers that open a connection and do not read it, beside one that does. */
import { once } from "node:events";
import { connect, type Socket as TcpSocket } from "node:net";
import { io, type Socket } from "socket.io-client";
import { afterEach, expect, it } from "vitest";
import type { ClientEvents, ServerEvents } from "../../common/events.ts";
import type { Job } from "../../common/job.ts";
import { domainForTests } from "../dev/testing/test-domain.ts";
import { startTestRealtime } from "../dev/testing/test-realtime.ts";
import { JOIN_FRAME, WEB_SOCKET_UPGRADE } from "../dev/testing/web-socket-bytes.ts";
import type { Realtime } from "./realtime.ts";

const DEVICE_ID = "device";
const TITLE_LENGTH = 50_000;
/** Together longer than the send buffer of the kernel and the limit for unsent packets. */
const PUSHES = 400;
/** Together shorter than the limit for unsent packets. */
const PUSHES_AT_ONCE = 10;

const domain = domainForTests();
let realtime: Realtime;
let origin: string;
/** The client ports of all open connections. */
const openPorts = new Set<number>();
const closing: (() => void)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0)) close();
  await realtime.close();
  openPorts.clear();
});

async function start(ping: { readonly pingIntervalMs: number; readonly pingTimeoutMs: number }): Promise<void> {
  const viewer = { deviceId: DEVICE_ID, userId: null, tier: "free" } as const;
  const started = await startTestRealtime(domain, { ...ping, identify: () => Promise.resolve(viewer) });
  started.http.on("connection", (socket) => {
    const { remotePort = 0 } = socket;
    openPorts.add(remotePort);
    socket.once("close", () => openPorts.delete(remotePort));
  });
  ({ realtime, origin } = started);
}
const PATIENT = { pingIntervalMs: 60_000, pingTimeoutMs: 60_000 };

interface Browser {
  readonly socket: Socket<ServerEvents, ClientEvents>;
  readonly received: string[];
  until(jobId: string): Promise<void>;
}

async function openBrowser(): Promise<Browser> {
  const socket: Browser["socket"] = io(origin, { transports: ["websocket"], forceNew: true, reconnectionDelay: 10 });
  closing.push(() => socket.disconnect());
  const received: string[] = [];
  const waiting = new Map<string, () => void>();
  socket.on("job", ({ id }) => {
    received.push(id);
    waiting.get(id)?.();
  });
  await new Promise<void>((resolve) => socket.once("snapshot", () => resolve()));
  const until = (jobId: string): Promise<void> =>
    received.includes(jobId) ? Promise.resolve() : new Promise((resolve) => waiting.set(jobId, resolve));
  return { socket, received, until };
}

/** The TCP socket below a browser's WebSocket. */
function lineOf({ socket }: Browser): TcpSocket {
  const { _socket: line } = (socket.io.engine.transport as unknown as { ws: { _socket: TcpSocket } }).ws;
  return line;
}

/**
 * Opens a connection, sends bytes, reads until a text has come, and then stops reading.
 * @returns null when the server has ended the connection before
 */
async function openAndStopReading(
  bytes: string,
  lastRead: string,
  more: Buffer = Buffer.alloc(0),
): Promise<TcpSocket | null> {
  const socket = connect(Number(new URL(origin).port), "127.0.0.1");
  closing.push(() => socket.destroy());
  socket.on("error", () => undefined);
  socket.write(bytes);
  let seen = "";
  try {
    for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
      if (more.length > 0 && seen === "") socket.write(more);
      seen += (chunk as Buffer).toString("latin1");
      if (seen.includes(lastRead)) break;
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ECONNRESET") throw error;
  }
  socket.pause();
  return seen.includes(lastRead) ? socket : null;
}

/**
 * Opens a connection to a server that pings soon. On a busy machine a client may answer its first ping too late; the
 * next server then waits twice as long.
 * @param open returns null when the server has ended the connection
 */
async function openWithPings(open: () => Promise<TcpSocket | null>): Promise<TcpSocket> {
  for (let pingMs = 300; ; pingMs *= 2) {
    await start({ pingIntervalMs: pingMs, pingTimeoutMs: pingMs });
    const socket = await open();
    if (socket !== null) return socket;
    await realtime.close();
  }
}

/** Opens a WebSocket that reads its snapshot and then stops reading. */
function openStuckWebSocket(): Promise<TcpSocket | null> {
  const line = "GET /socket.io/?EIO=4&transport=websocket HTTP/1.1";
  const request = [line, `Host: ${new URL(origin).host}`, ...WEB_SOCKET_UPGRADE, "", ""].join("\r\n");
  return openAndStopReading(request, '"snapshot"', JOIN_FRAME);
}

function push(id: string, titleLength = TITLE_LENGTH): void {
  const atMs = new Date().toISOString();
  const job: Job = {
    id,
    title: "x".repeat(titleLength),
    format: "mp3",
    quality: "128kbps",
    progress: 0,
    attempt: 1,
    createdAt: atMs,
    updatedAt: atMs,
    status: "queued",
  };
  domain.bus.publish("job", { audience: { deviceId: DEVICE_ID }, job });
}

async function pushMany(reader: Browser): Promise<string[]> {
  const ids = Array.from({ length: PUSHES }, (_, index) => `job ${index}`);
  for (const [index, id] of ids.entries()) {
    push(id);
    if (index % PUSHES_AT_ONCE === PUSHES_AT_ONCE - 1) await reader.until(id);
  }
  return ids;
}

it("closes connections that do not read, and sends everything to one that does", async () => {
  await start(PATIENT);
  const reader = await openBrowser();
  const stuck = await Promise.all(Array.from({ length: 10 }, openStuckWebSocket));
  expect(realtime.socketCount()).toBe(1 + stuck.length);
  const ids = await pushMany(reader);
  await expect.poll(() => [...openPorts]).toEqual([lineOf(reader).localPort]);
  expect(realtime.socketCount()).toBe(1);
  expect(reader.received).toEqual(ids);
});

it("sends a snapshot instead of all missed events to a browser that was closed because it did not read", async () => {
  await start(PATIENT);
  const reader = await openBrowser();
  const stuck = await openBrowser();
  push("before");
  await stuck.until("before");
  const line = lineOf(stuck);
  line.pause();
  await pushMany(reader);
  await expect.poll(() => realtime.socketCount()).toBe(1);
  const snapshot = once(stuck.socket as unknown as NodeJS.EventEmitter, "snapshot");
  line.resume();
  await snapshot;
  expect(stuck.socket.recovered).toBe(false);
});

it("sends a list longer than the limit, and the events that follow it", async () => {
  await start(PATIENT);
  const reader = await openBrowser();
  push("long", 5_000_000);
  push("next");
  await reader.until("next");
  expect(reader.received).toEqual(["long", "next"]);
});

it("destroys the TCP socket of a WebSocket that answers no ping", async () => {
  const stuck = await openWithPings(openStuckWebSocket);
  // More than the send buffer of the kernel.
  push("long", 20_000_000);
  await expect.poll(() => [...openPorts]).not.toContain(stuck.localPort);
});

it("destroys the TCP socket of long polling when the browser does not read the answer", async () => {
  const ask = async (url: string, body?: string) => {
    const answer = await fetch(url, { method: body === undefined ? "GET" : "POST", body });
    return { isOk: answer.ok, text: await answer.text() };
  };
  /** @returns the id of a session that has read its snapshot; null when it ended before, because it answers no ping */
  const begin = async (): Promise<string | null> => {
    const path = `${origin}/socket.io/?EIO=4&transport=polling`;
    const [, sid = ""] = /"sid":"([^"]+)"/.exec((await ask(path)).text) ?? [];
    const joined = await ask(`${path}&sid=${sid}`, "40");
    for (let seen = ""; !seen.includes('"snapshot"');) {
      const { isOk, text } = await ask(`${path}&sid=${sid}`);
      if (!joined.isOk || !isOk) return null;
      seen += text;
    }
    return sid;
  };
  const { localPort } = await openWithPings(async () => {
    const sid = await begin();
    if (sid === null) return null;
    push("long", 20_000_000);
    const target = `/socket.io/?EIO=4&transport=polling&sid=${sid}`;
    const head = `GET ${target} HTTP/1.1\r\nHost: ${new URL(origin).host}\r\nConnection: close\r\n\r\n`;
    return await openAndStopReading(head, "200 OK");
  });
  await expect.poll(() => [...openPorts]).not.toContain(localPort);
});
