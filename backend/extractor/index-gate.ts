/** A proxy on loopback that leads to the package index and nowhere else, for pip in its sandbox. */
import { RequestError, Server } from "proxy-chain";
import { z } from "zod";
import { openForward } from "../pipeline/guard/socket-forward.ts";
import type { NetworkWay } from "../pipeline/process/tool-sandbox.ts";

/** What pip_hosts.py prints. */
export const IndexHosts = z.array(z.object({ host: z.string(), port: z.number(), proxy: z.string().nullable() }));
export type IndexHosts = z.infer<typeof IndexHosts>;

export interface IndexGate extends AsyncDisposable {
  readonly proxyUrl: string;
  readonly way: NetworkWay;
}

/** @param hosts that pip may contact, wherever they are: the operator named them */
export async function openIndexGate(hosts: IndexHosts): Promise<IndexGate> {
  const server = new Server({
    host: "127.0.0.1",
    port: 0,
    prepareRequestFunction: ({ hostname, port }) => {
      const known = hosts.find((entry) => entry.host === hostname.toLowerCase() && entry.port === port);
      if (!known) throw new RequestError("This is not the package index.", 403);
      return { upstreamProxyUrl: known.proxy };
    },
  });
  await server.listen();
  const socket = await openForward("127.0.0.1", server.port);
  return {
    proxyUrl: `http://127.0.0.1:${server.port}`,
    way: { port: server.port, socketPath: socket.path },
    async [Symbol.asyncDispose]() {
      await socket[Symbol.asyncDispose]();
      await server.close(true);
    },
  };
}
