/**
 * A line of limited rate and a certain length between a client and a server on this machine. One token
 * bucket for all connections, as a household has one line; connections take turns of one piece each.
 * What it does not have: lost packets and a slow start.
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
  /** Handed to clients so far. */
  readonly deliveredBytes: number;
  stop(): Promise<void>;
}

const PIECE_BYTES = 16 * 1_024;
/** On a machine with work to do timers fire late; what a line would have carried meanwhile is made up for. */
const BURST_MS = 25;

/** @param serverPort where the server listens, on 127.0.0.1 */
export async function startShapedWire(
  serverPort: number,
  { megabitsPerSecond, roundTripMs }: WireShape,
): Promise<ShapedWire> {
  const bytesPerSecond = (megabitsPerSecond * 1_000_000) / 8;
  const bucket = new TokenBucket({
    bytesPerSecond,
    burstBytes: Math.max(PIECE_BYTES, (bytesPerSecond * BURST_MS) / 1_000),
    nowMs: () => performance.now(),
  });
  const oneWayMs = roundTripMs / 2;
  const sockets = new Set<Socket>();
  let deliveredBytes = 0;

  /** Down the line: through the bucket, then as long as the line is. */
  async function carryDown(from: Socket, to: Socket): Promise<void> {
    const deliveries = new Deliveries(to, (bytes) => (deliveredBytes += bytes));
    for await (const chunk of from as AsyncIterable<Buffer>)
      for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
        const piece = chunk.subarray(at, at + PIECE_BYTES);
        await deliveries.room();
        if (to.destroyed) return;
        const passedAtMs = bucket.reserve(piece.length);
        await until(passedAtMs);
        deliveries.add(passedAtMs + oneWayMs, piece);
      }
    deliveries.add(performance.now() + oneWayMs, null);
  }

  /** Up the line there is room for all that is asked; only the way takes its time. */
  async function carryUp(from: Socket, to: Socket): Promise<void> {
    // Nobody speaks before hands are shaken.
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
    // A side that is gone is no fault: it takes the other with it.
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

/** What is under way to one end, in order. */
class Deliveries {
  readonly #to: Socket;
  readonly #onDelivered: (bytes: number) => void;
  #last: Promise<void> = Promise.resolve();

  constructor(to: Socket, onDelivered: (bytes: number) => void) {
    this.#to = to;
    this.#onDelivered = onDelivered;
  }

  /** @param bytes null: the end */
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

  /** Waits until the reader has taken what lies before it. */
  async room(): Promise<void> {
    if (this.#to.writableNeedDrain && !this.#to.destroyed)
      await Promise.race([once(this.#to, "drain"), once(this.#to, "close")]);
  }
}

/** Returns at once when it is time already, so that late timers are made up for. */
async function until(atMs: number): Promise<void> {
  const leftMs = atMs - performance.now();
  if (leftMs > 0) await after(leftMs);
}
