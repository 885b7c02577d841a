/**
 * A TCP proxy with limited speed and a round trip time, between a client and a server on this machine. All connections
 * share one token bucket and take turns with chunks. It has no lost packets and no slow start.
 */
import { once } from "node:events";
import { createConnection, createServer, type AddressInfo, type Socket } from "node:net";
import { setTimeout as after } from "node:timers/promises";
import { TokenBucket } from "./token-bucket.ts";

export interface WireShape {
  readonly megabitsPerSecond: number;
  readonly roundTripMs: number;
}

export interface ShapedWire {
  /** On 127.0.0.1. */
  readonly port: number;
  /** Bytes delivered to clients so far. */
  readonly deliveredBytes: number;
  stop(): Promise<void>;
}

const CHUNK_BYTES = 16 * 1_024;
/** On a busy machine timers fire late; a burst of this length makes up for the lost time. */
const BURST_MS = 25;

/** @param serverPort where the server listens, on 127.0.0.1 */
export async function startShapedWire(
  serverPort: number,
  { megabitsPerSecond, roundTripMs }: WireShape,
): Promise<ShapedWire> {
  const bytesPerSecond = (megabitsPerSecond * 1_000_000) / 8;
  const bucket = new TokenBucket({
    bytesPerSecond,
    burstBytes: Math.max(CHUNK_BYTES, (bytesPerSecond * BURST_MS) / 1_000),
    nowMs: () => performance.now(),
  });
  const oneWayMs = roundTripMs / 2;
  const sockets = new Set<Socket>();
  let deliveredBytes = 0;

  /** From the server to the client: limited by the bucket, then delayed by half a round trip. */
  async function carryDown(from: Socket, to: Socket): Promise<void> {
    const deliveries = new Deliveries(to, (bytes) => (deliveredBytes += bytes));
    for await (const chunk of from as AsyncIterable<Buffer>)
      for (let at = 0; at < chunk.length; at += CHUNK_BYTES) {
        const piece = chunk.subarray(at, at + CHUNK_BYTES);
        await deliveries.untilWritable();
        if (to.destroyed) return;
        const passedAtMs = bucket.reserve(piece.length);
        await until(passedAtMs);
        deliveries.add(passedAtMs + oneWayMs, piece);
      }
    deliveries.add(performance.now() + oneWayMs, null);
  }

  /** From the client to the server: delayed, without a speed limit, because requests are small. */
  async function carryUp(from: Socket, to: Socket): Promise<void> {
    // The first bytes wait for the TCP handshake, which takes one round trip.
    const openAtMs = performance.now() + roundTripMs;
    const deliveries = new Deliveries(to, () => undefined);
    for await (const chunk of from as AsyncIterable<Buffer>)
      deliveries.add(Math.max(performance.now(), openAtMs) + oneWayMs, chunk);
    deliveries.add(performance.now() + oneWayMs, null);
  }

  const listener = createServer({ noDelay: true, allowHalfOpen: true }, (client) => {
    const server = createConnection({ port: serverPort, host: "127.0.0.1", noDelay: true, allowHalfOpen: true });
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.once("close", () => sockets.delete(socket));
    }
    const end = (): void => {
      client.destroy();
      server.destroy();
    };
    // When one side breaks, the other is closed too; neither is an error.
    client.on("error", end).once("close", () => server.destroy());
    server.on("error", end);
    void Promise.all([carryDown(server, client), carryUp(client, server)]).catch(end);
  });
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  return {
    port: (listener.address() as AddressInfo).port,
    get deliveredBytes() {
      return deliveredBytes;
    },
    async stop() {
      const closed = once(listener, "close");
      listener.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** Delayed chunks on their way to one side, in order. */
class Deliveries {
  readonly #to: Socket;
  readonly #onDelivered: (bytes: number) => void;
  #last: Promise<void> = Promise.resolve();

  constructor(to: Socket, onDelivered: (bytes: number) => void) {
    this.#to = to;
    this.#onDelivered = onDelivered;
  }

  /** @param bytes null ends the connection */
  add(atMs: number, bytes: Buffer | null): void {
    this.#last = this.#last
      .then(() => until(atMs))
      .then(() => {
        if (this.#to.destroyed) return;
        if (bytes === null) return void this.#to.end();
        this.#to.write(bytes);
        this.#onDelivered(bytes.length);
      });
  }

  /** Waits until the reader has emptied the socket's buffer. */
  async untilWritable(): Promise<void> {
    if (this.#to.writableNeedDrain && !this.#to.destroyed)
      await Promise.race([once(this.#to, "drain"), once(this.#to, "close")]);
  }
}

/** Waits until a time; returns at once when it has passed, which makes up for late timers. */
async function until(atMs: number): Promise<void> {
  const leftMs = atMs - performance.now();
  if (leftMs > 0) await after(leftMs);
}
