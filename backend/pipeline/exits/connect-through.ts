/** Connections of our own HTTP client through a proxy exit. */
import { request as httpRequest, type ClientRequest } from "node:http";
import type { Socket } from "node:net";
import type { buildConnector } from "undici";

/** As long as undici waits for its own connections. */
const TIMEOUT_MS = 10_000;

function authorization(proxy: URL): Record<string, string> {
  if (proxy.username === "") return {};
  const credentials = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  return { "proxy-authorization": `Basic ${Buffer.from(credentials).toString("base64")}` };
}

/** Starts a CONNECT request. It is answered by the event "connect", or "response" when the proxy cannot. */
function requestTunnel(proxyUrl: string, target: string): ClientRequest {
  const proxy = new URL(proxyUrl);
  const request = httpRequest({
    host: proxy.hostname,
    port: proxy.port || 80,
    method: "CONNECT",
    path: target,
    headers: { host: target, ...authorization(proxy) },
    // A pooled connection would be counted for two conversions.
    agent: false,
  });
  return request.end();
}

/**
 * Opens a connection through a proxy exit for our own HTTP client.
 * @param upgrade makes the TLS connection inside the tunnel
 * @param timeoutMs how long the proxy may take to open the tunnel
 */
export function connectThrough(
  proxyUrl: string,
  options: buildConnector.Options,
  upgrade: buildConnector.connector,
  done: buildConnector.Callback,
  timeoutMs = TIMEOUT_MS,
): void {
  const port = Number(options.port || (options.protocol === "https:" ? 443 : 80));
  const request = requestTunnel(proxyUrl, `${options.hostname}:${port}`);
  const fail = (message: string): void => {
    request.destroy();
    done(new Error(message), null);
  };
  // A proxy that accepts the connection and never answers would hold it for ever.
  const timer = setTimeout(() => request.destroy(new Error("timed out: the exit does not answer")), timeoutMs);
  request.once("close", () => clearTimeout(timer));
  request.once("error", (error: Error) => done(error, null));
  request.once("response", ({ statusCode = 0 }) => fail(`the exit answered ${statusCode} to a connection`));
  request.once("connect", ({ statusCode = 0 }, socket: Socket) => {
    request.removeAllListeners("error");
    if (statusCode !== 200) return fail(`Connection refused: the exit answered ${statusCode}`);
    if (options.protocol !== "https:") return done(null, socket);
    upgrade({ ...options, httpSocket: socket }, done);
  });
}
