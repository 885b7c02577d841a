/**
 * A TCP proxy in front of a service; tests make it cut, stall or slow down connections. Toxiproxy is a separate program
 * and does not report when a number of bytes has passed, which tests wait for.
 */
import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/** "up": from the client to the service. */
export type Direction = "up" | "down";

export async function openFaultProxy(targetPort: number): Promise<FaultProxy> {
  const proxy = new FaultProxy(targetPort);
  await proxy.listen();
  return proxy;
}

interface ByteWaiter {
  readonly direction: Direction;
  bytesLeft: number;
  readonly resolve: () => void;
}

export class FaultProxy {
  readonly #server = createServer((client) => this.#accept(client));
  #targetPort: number;
  readonly #pairs = new Set<readonly [client: Socket, service: Socket]>();
  readonly #byteWaiters = new Set<ByteWaiter>();
  readonly #holders = new Set<ByteWaiter>();
  readonly #closeWaiters: (() => void)[] = [];
  #isUp = true;
  #bytesPerSecond = 0;

  constructor(targetPort: number) {
    this.#targetPort = targetPort;
  }

  /** Called once, by `openFaultProxy`. */
  async listen(): Promise<void> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Resolves when that many more bytes have passed. */
  passed(direction: Direction, bytes: number): Promise<void> {
    return new Promise((resolve) => this.#byteWaiters.add({ direction, bytesLeft: bytes, resolve }));
  }

  /**
   * Keeps back whatever a connection brings from the moment at which so many more bytes have come on all of them.
   * Resolves then.
   */
  held(direction: Direction, bytes: number): Promise<void> {
    return new Promise((resolve) => this.#holders.add({ direction, bytesLeft: bytes, resolve }));
  }

  /** Resolves when the next connection is closed by either side. */
  closed(): Promise<void> {
    return new Promise((resolve) => this.#closeWaiters.push(resolve));
  }

  /** Cuts every connection; new ones work. */
  cut(): void {
    for (const [client, service] of this.#pairs) {
      client.resetAndDestroy();
      service.destroy();
    }
  }

  /** Stops the data of all current connections and keeps them open; new ones work. */
  stall(): void {
    for (const pair of this.#pairs) for (const socket of pair) socket.removeAllListeners("data").pause();
  }

  /** false cuts all connections and refuses new ones. */
  setUp(isUp: boolean): void {
    this.#isUp = isUp;
    if (!isUp) this.cut();
  }

  /** Sends new connections to another port: the service was started again there. */
  retarget(port: number): void {
    this.#targetPort = port;
  }

  /** Limits the speed of each direction of each connection; 0 removes the limit. */
  limit(bytesPerSecond: number): void {
    this.#bytesPerSecond = bytesPerSecond;
  }

  async close(): Promise<void> {
    this.cut();
    this.#server.close();
    await once(this.#server, "close");
  }

  #accept(client: Socket): void {
    if (!this.#isUp) {
      client.resetAndDestroy();
      return;
    }
    const service = connect(this.#targetPort, "127.0.0.1");
    const pair = [client, service] as const;
    this.#pairs.add(pair);
    this.#forward(client, service, "up");
    this.#forward(service, client, "down");
    client.once("close", () => {
      this.#pairs.delete(pair);
      service.destroy();
      for (const resolve of this.#closeWaiters.splice(0)) resolve();
    });
    service.once("close", () => client.destroySoon());
  }

  #forward(from: Socket, to: Socket, direction: Direction): void {
    from.on("data", (chunk: Buffer) => {
      if (reach(this.#holders, direction, chunk.length)) {
        from.removeAllListeners("data").pause();
        return;
      }
      to.write(chunk, () => reach(this.#byteWaiters, direction, chunk.length));
      const waitMs = this.#bytesPerSecond > 0 ? (chunk.length / this.#bytesPerSecond) * 1_000 : 0;
      if (waitMs === 0 && !to.writableNeedDrain) return;
      from.pause();
      const resume = () => from.resume();
      if (waitMs > 0) setTimeout(resume, waitMs);
      else to.once("drain", resume);
    });
    from.once("end", () => to.end());
    from.once("error", () => to.destroy());
  }
}

/** Counts bytes. @returns whether one of them had waited for these */
function reach(waiters: Set<ByteWaiter>, direction: Direction, bytes: number): boolean {
  let isReached = false;
  for (const waiter of waiters) {
    if (waiter.direction !== direction) continue;
    waiter.bytesLeft -= bytes;
    if (waiter.bytesLeft > 0) continue;
    waiters.delete(waiter);
    waiter.resolve();
    isReached = true;
  }
  return isReached;
}
