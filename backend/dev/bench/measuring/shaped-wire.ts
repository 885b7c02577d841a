/**
 * A TCP proxy with limited speed and a round trip time, between a client and a server on this machine. All connections
 * share one token bucket and take turns with chunks. It has no lost packets and no slow start. `tc netem` would need
 * root and would also shape other connections on loopback.
 */
import { once } from "node:events";
import { createConnection, createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { setTimeout as after } from "node:timers/promises";
import { TokenBucket } from "./token-bucket.ts";

export interface WireShape {
  readonly megabitsPerSecond: number;
  readonly roundTripMs: number;
}

const CHUNK_BYTES = 16 * 1_024;
/** On a busy machine timers fire late; a burst of this length makes up for the lost time. */
const BURST_MS = 25;

/** @param serverPort where the server listens, on 127.0.0.1 */
export async function startShapedWire(serverPort: number, shape: WireShape): Promise<ShapedWire> {
  const wire = new ShapedWire(serverPort, shape);
  await wire.listen();
  return wire;
}

export class ShapedWire {
  readonly #serverPort: number;
  readonly #roundTripMs: number;
  readonly #oneWayMs: number;
  readonly #bucket: TokenBucket;
  readonly #listener: Server;
  readonly #sockets = new Set<Socket>();
  #deliveredBytes = 0;

  constructor(serverPort: number, { megabitsPerSecond, roundTripMs }: WireShape) {
    const bytesPerSecond = (megabitsPerSecond * 1_000_000) / 8;
    this.#serverPort = serverPort;
    this.#roundTripMs = roundTripMs;
    this.#oneWayMs = roundTripMs / 2;
    this.#bucket = new TokenBucket({
      bytesPerSecond,
      burstBytes: Math.max(CHUNK_BYTES, (bytesPerSecond * BURST_MS) / 1_000),
      nowMs: () => performance.now(),
    });
    this.#listener = createServer({ noDelay: true, allowHalfOpen: true }, (client) => this.#accept(client));
  }

  /** Called once, by `startShapedWire`. */
  async listen(): Promise<void> {
    this.#listener.listen(0, "127.0.0.1");
    await once(this.#listener, "listening");
  }

  /** On 127.0.0.1. */
  get port(): number {
    return (this.#listener.address() as AddressInfo).port;
  }

  /** Bytes delivered to clients so far. */
  get deliveredBytes(): number {
    return this.#deliveredBytes;
  }

  async stop(): Promise<void> {
    const closed = once(this.#listener, "close");
    this.#listener.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  #accept(client: Socket): void {
    const target = { port: this.#serverPort, host: "127.0.0.1", noDelay: true, allowHalfOpen: true };
    const server = createConnection(target);
    for (const socket of [client, server]) {
      this.#sockets.add(socket);
      socket.once("close", () => this.#sockets.delete(socket));
    }
    const end = (): void => {
      client.destroy();
      server.destroy();
    };
    // When one side breaks, the other is closed too; neither is an error.
    client.on("error", end).once("close", () => server.destroy());
    server.on("error", end);
    void Promise.all([this.#carryDown(server, client), this.#carryUp(client, server)]).catch(end);
  }

  /** From the server to the client: limited by the bucket, then delayed by half a round trip. */
  async #carryDown(from: Socket, to: Socket): Promise<void> {
    const deliveries = new Deliveries(to, (bytes) => (this.#deliveredBytes += bytes));
    for await (const data of from as AsyncIterable<Buffer>)
      for (let at = 0; at < data.length; at += CHUNK_BYTES) {
        const chunk = data.subarray(at, at + CHUNK_BYTES);
        await deliveries.untilWritable();
        if (to.destroyed) return;
        const passedAtMs = this.#bucket.reserve(chunk.length);
        await until(passedAtMs);
        deliveries.add(passedAtMs + this.#oneWayMs, chunk);
      }
    deliveries.add(performance.now() + this.#oneWayMs, null);
  }

  /** From the client to the server: delayed, without a speed limit, because requests are small. */
  async #carryUp(from: Socket, to: Socket): Promise<void> {
    // The first bytes wait for the TCP handshake, which takes one round trip.
    const openAtMs = performance.now() + this.#roundTripMs;
    const deliveries = new Deliveries(to, () => undefined);
    for await (const data of from as AsyncIterable<Buffer>)
      deliveries.add(Math.max(performance.now(), openAtMs) + this.#oneWayMs, data);
    deliveries.add(performance.now() + this.#oneWayMs, null);
  }
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
