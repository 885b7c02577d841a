import { once } from "node:events";
import { createServer, request, type IncomingMessage, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Server as SocketServer } from "socket.io";
import { io } from "socket.io-client";
import { afterEach, expect, it } from "vitest";
import { ownPort } from "../own-port.ts";
import { prepareCaddy } from "../setup/debian-programs.ts";
import { runTool } from "../setup/run-tool.ts";
import { startBalancer, type Balancer } from "./balancer.ts";

const started: { stop(): Promise<void> | void }[] = [];
afterEach(async () => {
  for (const one of started.splice(0).toReversed()) await one.stop();
});

interface Web {
  readonly origin: string;
  readonly http: Server;
  /** Stops listening and breaks every connection, as SIGKILL does. */
  die(): Promise<void>;
}

/** A web process that answers with its name unless `answer` is given. */
async function startWeb(
  name: string,
  answer: RequestListener = (_request, response) => response.end(name),
): Promise<Web> {
  const http = createServer((request, response) => {
    if (request.url === "/readyz") response.end("ok");
    else answer(request, response);
  });
  // One test starts a dead one again.
  http.listen(await ownPort(), "127.0.0.1");
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
  const balancer = await startBalancer({ targets: webs.map(({ origin }) => origin) });
  started.push(balancer);
  return balancer;
}

/**
 * Caddy before 2.11.2 answers 502 to a request with a body when the chosen process refuses the connection
 * (github.com/caddyserver/caddy/issues/7546), until its next check of /readyz.
 */
async function retriesBodies(): Promise<boolean> {
  const version = await runTool(await prepareCaddy({ report: () => undefined }), ["version"]);
  const [major = 0, minor = 0, patch = 0] = version.replace(/^v/, "").split(/[. ]/).map(Number);
  return major > 2 || (major === 2 && (minor > 11 || (minor === 11 && patch >= 2)));
}

const ask = async (balancer: Balancer, init?: RequestInit) => {
  const answer = await fetch(balancer.origin, init);
  return { status: answer.status, text: await answer.text() };
};

it("sends requests to the processes in turn", async () => {
  const balancer = await balance(await startWeb("a"), await startWeb("b"));
  const texts = [await ask(balancer), await ask(balancer), await ask(balancer), await ask(balancer)].map(
    ({ text }) => text,
  );
  expect(texts.toSorted()).toEqual(["a", "a", "b", "b"]);
});

it("sends no request to a dead process, also requests with a body, and uses it again when it is back", async () => {
  const dying = await startWeb("dying");
  const other = await startWeb("other", (request, response) => {
    if (request.method === "GET") response.end("other");
    else request.pipe(response);
  });
  const forGets = await balance(dying, other);
  const forPosts = await balance(dying, other);
  await dying.die();
  for (let n = 0; n < 4; n += 1) expect(await ask(forGets)).toEqual({ status: 200, text: "other" });
  const echoed = async (body: string) => {
    const { status, text } = await ask(forPosts, { method: "POST", body });
    expect([200, 502]).toContain(status);
    return status === 200 && text === body;
  };
  const outcomes = [await echoed("a"), await echoed("b"), await echoed("c"), await echoed("d")];
  const mayFail = !(await retriesBodies());
  expect(outcomes.every((isEchoed) => isEchoed || mayFail)).toBe(true);
  await expect.poll(async () => [await echoed("e"), await echoed("f")]).toEqual([true, true]);
  dying.http.listen(Number(new URL(dying.origin).port), "127.0.0.1");
  for (const balancer of [forGets, forPosts]) await expect.poll(async () => (await ask(balancer)).text).toBe("dying");
});

it("retries a GET on another process when the connection breaks, but never a delivered POST", async () => {
  let asked = 0;
  const breaking = await startWeb("breaking", (request) => {
    asked += 1;
    request.socket.destroy();
  });
  const other = await startWeb("other");
  const forGets = await balance(breaking, other);
  const answered = { status: 200, text: "other" };
  expect([await ask(forGets), await ask(forGets)]).toEqual([answered, answered]);
  asked = 0;
  // A second balancer, because the first one has marked the broken process as down.
  const forPosts = await balance(breaking, other);
  const post = { method: "POST", body: "{}" };
  const posted = [await ask(forPosts, post), await ask(forPosts, post)];
  expect(posted.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 502]);
  expect(asked).toBe(1);
});

it.each([
  "/metrics",
  "/metrics/",
  "//metrics",
  "/metrics//",
  "/Metrics",
  "/METRICS/",
  "/metrics%2f",
  "/metrics%2F%2f",
  "/%6detrics",
  "/%2fmetrics",
  "/./metrics",
  "/x/../metrics",
  "/metrics/.",
  "/metrics?x=1",
  "/metrics/?x=1",
])("hides the metrics as %s", async (path) => {
  const asked: string[] = [];
  const balancer = await balance(
    await startWeb("web", (request, response) => {
      asked.push(request.url ?? "");
      response.end("metrics");
    }),
  );
  // fetch would tidy the path.
  const [answer] = (await once(request({ port: balancer.port, host: "127.0.0.1", path }).end(), "response")) as [
    IncomingMessage,
  ];
  answer.resume();
  expect({ status: answer.statusCode, asked }).toEqual({ status: 404, asked: [] });
});

it("breaks the answer when the process breaks the connection", async () => {
  const balancer = await balance(
    await startWeb("half", (request, response) => {
      response.writeHead(200, { "content-length": "100" });
      response.write("half", () => request.socket.destroy());
    }),
  );
  await expect(ask(balancer)).rejects.toThrow(/terminated|fetch failed/);
});

it("answers 502 or 503 when no process listens", async () => {
  const only = await startWeb("only");
  const balancer = await balance(only);
  await only.die();
  expect([502, 503]).toContain((await ask(balancer)).status);
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
    Array.from({ length: 6 }, async () => {
      // withCredentials keeps cookies, as a browser does.
      const client = io(balancer.origin, { transports, forceNew: true, withCredentials: true });
      started.push({ stop: () => void client.disconnect() });
      await new Promise<void>((resolve) => client.once("connect", () => resolve()));
      return client;
    }),
  );
  for (const client of clients) expect(await client.timeout(60_000).emitWithAck("ask")).toBe("answer");
});
