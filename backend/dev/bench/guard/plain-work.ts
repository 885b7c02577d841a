/**
 * `node plain-work.ts`: work of the kinds that the server's own process does, always the same, so that its CPU time says
 * how fast this machine runs Node: objects to JSON and back, bytes copied and summed up, bytes through a socket.
 */
import { createHash } from "node:crypto";
import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

const OBJECTS = 24_000;
const COPIES = 3_000;
const SOCKET_BYTES = 80_000_000;
const CHUNK_BYTES = 65_536;

const row = (n: number): object => ({
  id: `job-${n}`,
  status: "processing",
  percent: n % 100,
  title: "A video with a title of usual length",
  formats: Array.from({ length: 8 }, (_, index) => ({ id: index, lines: 144 * index, kbps: n + index })),
});

function objects(): number {
  let length = 0;
  for (let n = 0; n < OBJECTS; n += 1) length += JSON.stringify(JSON.parse(JSON.stringify(row(n)))).length;
  return length;
}

function copies(): string {
  const hash = createHash("sha256");
  const from = Buffer.alloc(CHUNK_BYTES, 1);
  for (let n = 0; n < COPIES; n += 1) {
    const copy = Buffer.from(from);
    copy.writeUInt32BE(n, 0);
    if (n % 8 === 0) hash.update(copy);
  }
  return hash.digest("hex");
}

async function send(socket: Socket): Promise<void> {
  const chunk = Buffer.alloc(CHUNK_BYTES, 2);
  for (let sent = 0; sent < SOCKET_BYTES; sent += chunk.length) if (!socket.write(chunk)) await once(socket, "drain");
  socket.end();
}

async function throughSocket(): Promise<number> {
  const server = createServer((socket) => void send(socket));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  let received = 0;
  for await (const bytes of socket) received += (bytes as Buffer).length;
  server.close();
  return received;
}

// Printed, so that no work can be left out as unused.
process.stdout.write(`${objects()} ${copies()} ${await throughSocket()}\n`);
