/** The start check of the exits: what is wrong with them is better known before the first video. */
import { once } from "node:events";
import { connect, createServer } from "node:net";
import type { Exit } from "./exit.ts";

/** A proxy that takes longer would hold up every video. */
const PROXY_TIMEOUT_MS = 3_000;

/** An exit is an address that this machine does not have. */
export class ForeignAddressError extends Error {}

/** @throws ForeignAddressError */
async function checkAddress(localAddress: string): Promise<void> {
  const server = createServer();
  try {
    await once(server.listen(0, localAddress), "listening");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw new ForeignAddressError(`${localAddress} is not an address of this machine (${code})`, { cause: error });
  } finally {
    server.close();
  }
}

/** Asks the proxy for something that is no target. Every proxy answers that, or closes the connection. */
async function isAnswering(proxyUrl: string, timeoutMs: number): Promise<boolean> {
  const { hostname, port } = new URL(proxyUrl);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(Number(port || 80), hostname.replace(/^\[(.*)\]$/, "$1"));
  socket.setTimeout(timeoutMs);
  socket.once("connect", () => socket.write("GET / HTTP/1.1\r\nhost: proxy\r\nconnection: close\r\n\r\n"));
  socket.once("data", () => resolve(true));
  socket.once("end", () => resolve(true));
  for (const event of ["timeout", "error"]) socket.once(event, () => resolve(false));
  try {
    return await promise;
  } finally {
    socket.destroy();
  }
}

/**
 * @returns a sentence about each proxy that does not answer; it may do so later
 * @throws ForeignAddressError
 */
export async function checkExits(exits: readonly Exit[], timeoutMs = PROXY_TIMEOUT_MS): Promise<readonly string[]> {
  const checked = exits.map(async ({ name, localAddress, proxyUrl }) => {
    if (localAddress !== undefined) await checkAddress(localAddress);
    if (proxyUrl === undefined || (await isAnswering(proxyUrl, timeoutMs))) return [];
    return [`the proxy ${name} does not answer`];
  });
  return (await Promise.all(checked)).flat();
}
