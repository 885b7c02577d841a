import { once } from "node:events";
import type { Server } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, describe, expect, it } from "vitest";
import { limitConnections, type ConnectionLimits } from "./connection-limits.ts";
import { createStartingServer } from "./starting-server.ts";
import { installFrontDoor } from "./front-door.ts";

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** @returns connects to a server with these limits, from an address of this machine */
async function open(limits: Partial<ConnectionLimits>): Promise<(address?: string) => Socket> {
  const http = createStartingServer({}, 20);
  server = http;
  http.keepAliveTimeout = 60_000;
  limitConnections(http, { headersMs: 60_000, requestMs: 60_000, perNetwork: null, ...limits });
  http.removeAllListeners("request");
  http.on("request", (request, response) => {
    request.resume().once("end", () => response.end("answer"));
  });
  installFrontDoor(
    http,
    { "x-test": "yes" },
    { socketPath: "/socket.io/", publicUrl: "http://x", takesLocalNames: false },
  );
  await once(http.listen(0, "127.0.0.1"), "listening");
  const { port } = http.address() as AddressInfo;
  return (localAddress = "127.0.0.1") =>
    // A refused connection may be reset.
    connect({ port, host: "127.0.0.1", localAddress }).on("error", () => undefined);
}

const GET = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";

/** @returns the beginning of the next answer */
async function answerOf(socket: Socket): Promise<string> {
  const [data] = (await once(socket, "data")) as [Buffer];
  return String(data);
}

describe("a connection", () => {
  const head = "POST / HTTP/1.1\r\nHost: x\r\n";
  it.each<[string, string, Partial<ConnectionLimits>]>([
    ["sends nothing", "", { headersMs: 100 }],
    ["never ends the head of its request", head, { headersMs: 100 }],
    ["never ends the body of its request", `${head}Content-Length: 10\r\n\r\n1`, { headersMs: 100, requestMs: 100 }],
  ])("that %s is closed", async (_, sent, limits) => {
    const socket = (await open(limits))();
    const received = text(socket);
    socket.write(sent);
    const answers = await received;
    expect(answers.match(/HTTP\/1.1 \d+/g)?.at(-1)).toBe("HTTP/1.1 408");
    expect(answers).not.toContain("answer");
  });

  it("that never ends the head of its second request is closed", async () => {
    const socket = (await open({}))();
    const received = text(socket);
    const asked = once(server as Server, "request");
    socket.write(`${GET}${head}`);
    // On a busy machine the first head may come late.
    await asked;
    Object.assign(server ?? {}, { headersTimeout: 100, requestTimeout: 100 });
    expect((await received).match(/HTTP\/1.1 \d+|answer/g)).toEqual(["HTTP/1.1 200", "answer", "HTTP/1.1 408"]);
  });

  it("may wait longer for its answer, and between requests", async () => {
    const connectFrom = await open({});
    const asked = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<void>();
    server?.removeAllListeners("request");
    server?.on("request", (_, response) => {
      asked.resolve();
      void answer.promise.then(() => response.end("late"));
    });
    const socket = connectFrom();
    socket.write(GET);
    await asked.promise;
    Object.assign(server ?? {}, { headersTimeout: 100, requestTimeout: 100 });
    // Another one, which sends nothing, is closed meanwhile.
    await text(connectFrom());
    answer.resolve();
    expect(await answerOf(socket)).toContain("late");
    await text(connectFrom());
    socket.write(GET);
    expect(await answerOf(socket)).toContain("late");
    socket.destroy();
  });
});

it("a network that has enough connections gets no more, until one of them ends", async () => {
  const connectFrom = await open({ perNetwork: 2 });
  const accepted: Socket[] = [];
  server?.on("connection", (socket: Socket) => accepted.push(socket));
  const asks = async (address: string): Promise<Socket> => {
    const socket = connectFrom(address);
    socket.write(GET);
    expect(await answerOf(socket)).toContain("answer");
    return socket;
  };
  const first = await asks("127.0.1.1");
  await asks("127.0.1.2");
  const refused = connectFrom("127.0.1.3");
  await once(refused, "close");
  expect(refused.bytesRead).toBe(0);
  await asks("127.0.2.1");
  const ended = once(accepted[0] ?? first, "close");
  first.destroy();
  await ended;
  await asks("127.0.1.3");
});
