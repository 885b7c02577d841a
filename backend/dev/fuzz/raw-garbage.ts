/** Connections that send no HTTP, and connections that send theirs a byte at a time. */
import { connect, type Socket } from "node:net";
import * as fc from "fast-check";
import { exchange } from "./exchange.ts";
import { judgeAnswer } from "./judge-answer.ts";
import type { FuzzRun } from "./fuzz-run.ts";

const GARBAGE: readonly (string | Buffer)[] = [
  "\r\n\r\n\r\n",
  "\0".repeat(1_000),
  "hello\r\n\r\n",
  "GET /\r\n\r\n",
  "GET / HTTP/9.9\r\n\r\n",
  "GET  /  HTTP/1.1\r\n\r\n",
  "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\u0012\u0004\0\0\0\0\0",
  "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
  "\x05\x01\x00",
  "PROXY TCP4 1.2.3.4 5.6.7.8 1 2\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n",
  `GET / HTTP/1.1\r\nHost: x\r\n${"a".repeat(70_000)}`,
  `GET / HTTP/1.1\r\nHost: x\r\n${"A: b\r\n".repeat(20_000)}\r\n`,
  "GET / HTTP/1.1\nHost: x\n\n",
  "GET / HTTP/1.1\r\nHost: x\r\n folded: y\r\n\r\n",
  "GET / HTTP/1.1\r\nHost: x\r\nA\0: b\r\n\r\n",
  "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
];
const WAIT_MS = 50;
const DRIP_MS = 500;
const SLOW_CONNECTIONS = 50;

/** Sends bytes that are no HTTP. @param count number of connections */
export async function sendGarbage({ server, tally, seed }: FuzzRun, count: number): Promise<void> {
  const random = fc.sample(fc.uint8Array({ minLength: 1, maxLength: 400 }), { numRuns: count, seed });
  for (const [n, bytes] of random.entries()) {
    const odd = GARBAGE[n % GARBAGE.length] ?? "";
    const sent = n < GARBAGE.length ? Buffer.from(odd) : Buffer.concat([Buffer.from(odd).subarray(0, 20), bytes]);
    const answers = await exchange(server.origin, n, sent, { methods: ["GET"], timeoutMs: WAIT_MS });
    tally.count("no HTTP", answers[0]?.status ?? null);
    for (const answer of answers) {
      const fault = judgeAnswer(answer);
      if (fault !== null) tally.find(fault, `garbage ${n}: ${JSON.stringify(sent.toString("latin1", 0, 300))}`);
    }
  }
}

/**
 * Opens connections that send a byte of a request now and then, and never end it; or that ask for a file and never
 * read it.
 */
export function openSlowConnections({ server, visitors }: FuzzRun): Disposable & { readonly count: number } {
  const { host, port } = new URL(server.origin);
  const { job = "", device } = visitors[0] ?? {};
  const heads = [
    `GET /api/config HTTP/1.1\r\nHost: ${host}\r\nX-Slow: `,
    `POST /api/conversions HTTP/1.1\r\nHost: ${host}\r\nOrigin: ${server.origin}\r\n` +
      `Content-Type: application/json\r\nCookie: ${device?.cookie ?? ""}\r\nContent-Length: 90000\r\n\r\n`,
    `GET /api/conversions/${job}/file HTTP/1.1\r\nHost: ${host}\r\nCookie: ${device?.cookie ?? ""}\r\n\r\n`,
    "",
  ];
  const sockets = Array.from({ length: SLOW_CONNECTIONS }, (_, n): Socket => {
    const socket = connect({ port: Number(port), host: "127.0.0.1", localAddress: `127.0.${n}.4` });
    // The server may close it at any time.
    socket.on("error", () => socket.destroy());
    socket.pause();
    socket.write(heads[n % heads.length] ?? "");
    return socket;
  });
  const drip = setInterval(() => {
    for (const socket of sockets) if (socket.writable) socket.write("x");
  }, DRIP_MS);
  return {
    count: sockets.length,
    [Symbol.dispose]() {
      clearInterval(drip);
      for (const socket of sockets) socket.resetAndDestroy();
    },
  };
}
