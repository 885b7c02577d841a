import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Server as SocketServer } from "socket.io";
import { io } from "socket.io-client";
import { afterEach, expect, it, vi } from "vitest";
import { startBalancer, type Balancer } from "./balancer.ts";

const started: { stop(): Promise<void> | void }[] = [];
afterEach(async () => {
  for (const one of started.splice(0).toReversed()) await one.stop();
});

interface Web {
  readonly origin: string;
  readonly http: Server;
  /** As if killed. */
  die(): Promise<void>;
}

/** A web process that answers with its name, or as told. */
async function startWeb(name: string, answer: RequestListener = (_request, response) => response.end(name)): Promise<Web> {
  const http = createServer((request, response) => {
    if (request.url === "/readyz") response.end("ok");
    else answer(request, response);
  });
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  const die = async () => {
    if (!http.listening) return;
    const closed = once(http, "close");
    http.close();
    http.closeAllConnections();
    await closed;
  };
  started.push({ stop: die });
  return { origin: `http://127.0.0.1:${(http.address() as AddressInfo).port}`, http, die };
}

async function balance(...webs: Web[]): Promise<Balancer> {
  const balancer = await startBalancer({ port: 0, targets: webs.map(({ origin }) => origin) });
  started.push(balancer);
  return balancer;
}

const ask = async (balancer: Balancer, init?: RequestInit) => {
  const answer = await fetch(balancer.origin, init);
  return { status: answer.status, text: await answer.text() };
};

it("asks one after the other", async () => {
  const balancer = await balance(await startWeb("a"), await startWeb("b"));
  const texts = [await ask(balancer), await ask(balancer), await ask(balancer), await ask(balancer)].map(({ text }) => text);
  expect(texts.toSorted()).toEqual(["a", "a", "b", "b"]);
});

it("leaves out who has died, from the first request on and with what it carries, and takes them back", async () => {
  const dying = await startWeb("dying");
  const balancer = await balance(dying, await startWeb("other", (request, response) => request.pipe(response)));
  await dying.die();
  for (let n = 0; n < 4; n += 1) expect(await ask(balancer, { method: "POST", body: `carried ${n}` })).toEqual({ status: 200, text: `carried ${n}` });
  expect(balancer.ready()).toHaveLength(1);
  dying.http.listen(Number(new URL(dying.origin).port), "127.0.0.1");
  await vi.waitFor(() => expect(balancer.ready()).toHaveLength(2), { timeout: 60_000 });
});

it("asks another when one breaks off, but never twice for what may have been done", async () => {
  let asked = 0;
  const breaking = await startWeb("breaking", (request) => {
    asked += 1;
    request.socket.destroy();
  });
  const balancer = await balance(breaking, await startWeb("other"));
  expect([await ask(balancer), await ask(balancer)]).toEqual([{ status: 200, text: "other" }, { status: 200, text: "other" }]);
  asked = 0;
  const posted = [await ask(balancer, { method: "POST", body: "{}" }), await ask(balancer, { method: "POST", body: "{}" })];
  expect(posted.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 502]);
  expect(asked).toBe(1);
});

it("breaks off when the answer does, so that nobody waits for the rest", async () => {
  const balancer = await balance(
    await startWeb("half", (request, response) => {
      response.writeHead(200, { "content-length": "100" });
      response.write("half", () => request.socket.destroy());
    }),
  );
  await expect(ask(balancer)).rejects.toThrow(/terminated|fetch failed/);
});

it("says that nobody is there", async () => {
  const only = await startWeb("only");
  const balancer = await balance(only);
  await only.die();
  expect(await ask(balancer)).toMatchObject({ status: 503 });
});

it.each([[["websocket"]], [["polling"]], [["polling", "websocket"]]])("carries sockets over %j", async (transports) => {
  const webs = [await startWeb("a"), await startWeb("b"), await startWeb("c")];
  for (const { http } of webs) {
    const sockets = new SocketServer(http, { serveClient: false });
    sockets.on("connection", (socket) => socket.on("ask", (reply: (text: string) => void) => reply("answer")));
    started.push({ stop: () => sockets.close() });
  }
  const balancer = await balance(...webs);
  const clients = await Promise.all(
    Array.from({ length: 6 }, async (_, n) => {
      const client = io(balancer.origin, { transports, forceNew: true, extraHeaders: { cookie: `tapedeck.device=visitor-${n}` } });
      started.push({ stop: () => void client.disconnect() });
      await new Promise<void>((resolve) => client.once("connect", () => resolve()));
      return client;
    }),
  );
  for (const client of clients) expect(await client.timeout(60_000).emitWithAck("ask")).toBe("answer");
});
