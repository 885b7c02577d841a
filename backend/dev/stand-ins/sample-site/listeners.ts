/** Servers on the loopback addresses that can be stopped at once. */
import { once } from "node:events";
import { type RequestListener, type Server, createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";

export interface Listener {
  readonly port: number;
  stop(): Promise<void>;
}

/** How many free ports are tried when a port is free on 127.0.0.1 and taken on ::1. */
const ATTEMPTS = 10;

/**
 * Listens on 127.0.0.1 and, where the machine has it, on ::1 with the same port, since `localhost` may mean either.
 * @param port 0 for a free one
 * @param onConnection called for every new connection
 * @throws Error with code EADDRINUSE when the port is taken
 */
export async function listenOnLoopback(
  port: number,
  handler: RequestListener,
  onConnection?: (socket: Socket) => void,
): Promise<Listener> {
  for (let attempt = 1; ; attempt += 1) {
    const first = await listen(port, "127.0.0.1", handler);
    const chosen = (first.address() as AddressInfo).port;
    const servers = [first];
    try {
      servers.push(await listen(chosen, "::1", handler));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== "EADDRNOTAVAIL" && code !== "EAFNOSUPPORT") {
        await stopAll(servers);
        if (code === "EADDRINUSE" && port === 0 && attempt < ATTEMPTS) continue;
        throw error;
      }
    }
    if (onConnection) for (const server of servers) server.on("connection", onConnection);
    return { port: chosen, stop: () => stopAll(servers) };
  }
}

async function listen(port: number, host: string, handler: RequestListener): Promise<Server> {
  const server = createServer(handler);
  // A listener that is not stopped must not keep the process alive.
  server.unref();
  server.listen(port, host);
  await once(server, "listening");
  return server;
}

async function stopAll(servers: readonly Server[]): Promise<void> {
  await Promise.all(
    servers.map(async (server) => {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    }),
  );
}
