import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, expect, it } from "vitest";
import { installFrontDoor } from "./front-door.ts";

let server: Server | undefined;
afterEach(() => server?.close());

/** Starts a server whose answers the test gives. @returns its port, and the calls of its listener in order */
async function open() {
  const calls: { path: string | undefined; response: ServerResponse }[] = [];
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    calls.push({ path: request.url, response });
    listening.emit("call");
  };
  const listening = createServer(listener);
  server = listening;
  installFrontDoor(
    listening,
    { "x-test": "yes" },
    { socketPath: "/socket.io/", publicUrl: "http://x", takesLocalNames: false },
  );
  listening.listen(0, "127.0.0.1");
  await once(listening, "listening");
  return { listening, calls, port: (listening.address() as AddressInfo).port };
}

const pipelined = (...paths: string[]) => paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join("");

it("answers requests that were sent at once one after the other", async () => {
  const { listening, calls, port } = await open();
  const socket = connect(port, "127.0.0.1");
  const received = text(socket);
  const called = once(listening, "call");
  socket.write(`${pipelined("/1", "/2")}GET /3 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  await called;
  for (const count of [1, 2, 3]) {
    expect(calls.map(({ path }) => path)).toEqual(["/1", "/2", "/3"].slice(0, count));
    const next = once(listening, "call");
    calls[count - 1]?.response.end(`answer ${count}`);
    if (count < 3) await next;
  }
  expect((await received).match(/answer \d/g)).toEqual(["answer 1", "answer 2", "answer 3"]);
});

it("begins no answer after the connection is gone, so that nothing stays open", async () => {
  const { listening, calls, port } = await open();
  const socket = connect(port, "127.0.0.1");
  const called = once(listening, "call");
  socket.write(pipelined("/1", "/2"));
  await called;
  const closed = once(calls[0]?.response ?? listening, "close");
  socket.resetAndDestroy();
  await closed;
  // Another connection is answered meanwhile.
  const other = connect(port, "127.0.0.1");
  const answered = once(listening, "call");
  other.write(pipelined("/other"));
  await answered;
  other.destroy();
  expect(calls.map(({ path }) => path)).toEqual(["/1", "/other"]);
});

it("begins no answer after one that closes the connection", async () => {
  const { listening, calls, port } = await open();
  const socket = connect(port, "127.0.0.1");
  const received = text(socket);
  const called = once(listening, "call");
  socket.write(pipelined("/1", "/2"));
  await called;
  calls[0]?.response.setHeader("connection", "close").end("answer 1");
  expect(await received).toContain("answer 1");
  expect(calls.map(({ path }) => path)).toEqual(["/1"]);
});

it("sends its headers when a socket library refuses an upgrade", async () => {
  const { listening, port } = await open();
  listening.on("upgrade", (_request, socket) => {
    socket.write("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\nno");
    socket.end("more");
  });
  const socket = connect(port, "127.0.0.1");
  const received = text(socket);
  socket.write("GET /socket.io/ HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
  expect(await received).toBe("HTTP/1.1 400 Bad Request\r\nx-test: yes\r\nConnection: close\r\n\r\nnomore");
});
