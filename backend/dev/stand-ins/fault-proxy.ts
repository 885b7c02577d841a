/** A TCP proxy in front of a service; tests make it cut, stall or slow down connections. */
import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/** "up": from the client to the service. */
export type Direction = "up" | "down";

export interface FaultProxy {
  readonly port: number;
  /** Resolves when that many more bytes have passed. */
  passed(direction: Direction, bytes: number): Promise<void>;
  /** Resolves when the next connection is closed by either side. */
  closed(): Promise<void>;
  /** Cuts every connection; new ones work. */
  cut(): void;
  /** Stops the data of all current connections and keeps them open; new ones work. */
  stall(): void;
  /** false cuts all connections and refuses new ones. */
  setUp(isUp: boolean): void;
  /** Limits the speed of each direction of each connection; 0 removes the limit. */
  limit(bytesPerSecond: number): void;
  close(): Promise<void>;
}

export async function openFaultProxy(targetPort: number): Promise<FaultProxy> {
  const pairs = new Set<readonly [Socket, Socket]>();
  const waiting = new Set<{ direction: Direction; left: number; resolve: () => void }>();
  const closing: (() => void)[] = [];
  let isUp = true;
  let bytesPerSecond = 0;

  function count(direction: Direction, bytes: number): void {
    for (const waiter of waiting) {
      if (waiter.direction !== direction) continue;
      waiter.left -= bytes;
      if (waiter.left > 0) continue;
      waiting.delete(waiter);
      waiter.resolve();
    }
  }
  function pass(from: Socket, to: Socket, direction: Direction): void {
    from.on("data", (chunk: Buffer) => {
      to.write(chunk, () => count(direction, chunk.length));
      const waitMs = bytesPerSecond > 0 ? (chunk.length / bytesPerSecond) * 1_000 : 0;
      if (waitMs === 0 && !to.writableNeedDrain) return;
      from.pause();
      const go = () => from.resume();
      if (waitMs > 0) setTimeout(go, waitMs);
      else to.once("drain", go);
    });
    from.once("end", () => to.end());
    from.once("error", () => to.destroy());
  }
  const server = createServer((near) => {
    if (!isUp) {
      near.resetAndDestroy();
      return;
    }
    const far = connect(targetPort, "127.0.0.1");
    const pair = [near, far] as const;
    pairs.add(pair);
    pass(near, far, "up");
    pass(far, near, "down");
    near.once("close", () => {
      pairs.delete(pair);
      far.destroy();
      for (const resolve of closing.splice(0)) resolve();
    });
    far.once("close", () => near.destroySoon());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const cut = () => {
    for (const [near, far] of pairs) {
      near.resetAndDestroy();
      far.destroy();
    }
  };
  return {
    port: (server.address() as AddressInfo).port,
    passed: (direction, bytes) => new Promise((resolve) => waiting.add({ direction, left: bytes, resolve })),
    closed: () => new Promise((resolve) => closing.push(resolve)),
    cut,
    stall() {
      for (const [near, far] of pairs) for (const socket of [near, far]) socket.removeAllListeners("data").pause();
    },
    setUp(up) {
      isUp = up;
      if (!up) cut();
    },
    limit(rate) {
      bytesPerSecond = rate;
    },
    async close() {
      cut();
      server.close();
      await once(server, "close");
    },
  };
}
