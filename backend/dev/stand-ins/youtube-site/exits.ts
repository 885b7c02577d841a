/** Forward proxies on loopback that lead to the YouTube-shaped site, which treats each as a different IP address. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import type { Duplex } from "node:stream";

/** How the site treats what comes through an exit. */
export type Treatment = "welcome" | "bot_check" | "too_many_requests" | "media_forbidden";

export interface Exit {
  readonly name: string;
  /** `http://127.0.0.1:PORT`; CONNECT leads to the site whatever host is named. */
  readonly proxyUrl: string;
  treatment: Treatment;
}

/** The exits of one site. */
export class Exits {
  readonly #servers: Server[] = [];
  readonly #sockets = new Set<Duplex>();
  /** By the local port of the connection that an exit makes to the site. */
  readonly #exitByPort = new Map<number, Exit>();
  readonly #sitePort: number;

  constructor(sitePort: number) {
    this.#sitePort = sitePort;
  }

  /** @returns an exit that the site welcomes until its treatment is set */
  async open(name: string): Promise<Exit> {
    const server = createServer((_request, response) => response.writeHead(405).end());
    server.unref();
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    this.#servers.push(server);
    const { port } = server.address() as AddressInfo;
    const exit: Exit = { name, proxyUrl: `http://127.0.0.1:${port}`, treatment: "welcome" };
    server.on("connect", (_request: IncomingMessage, client: Duplex) => this.#tunnel(exit, client));
    return exit;
  }

  /** @returns the exit through which a connection to the site came */
  of(socket: Socket): Exit | undefined {
    return this.#exitByPort.get(socket.remotePort ?? 0);
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await Promise.all(
      this.#servers.map(async (server) => {
        const closed = once(server, "close");
        server.close();
        server.closeAllConnections();
        await closed;
      }),
    );
  }

  #tunnel(exit: Exit, client: Duplex): void {
    const site = connect(this.#sitePort, "127.0.0.1");
    const end = (): void => {
      client.destroy();
      site.destroy();
    };
    for (const socket of [client, site]) {
      this.#sockets.add(socket);
      socket.once("close", () => {
        this.#sockets.delete(socket);
        end();
      });
      // A broken connection ends both sides by the "close" that follows.
      socket.on("error", () => undefined);
    }
    site.once("connect", () => {
      const port = site.localPort ?? 0;
      this.#exitByPort.set(port, exit);
      site.once("close", () => this.#exitByPort.delete(port));
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      client.pipe(site).pipe(client);
    });
  }
}
