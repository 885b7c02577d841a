/**
 * What every request passes first, whoever answers it later: routes, sockets or the development sign-in. It sets the
 * security headers and refuses requests whose target or Host is none, so that nobody behind it has to expect them.
 */
import { STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { SENTENCES, type ErrorBody } from "../../../common/errors.ts";
import type { SecurityHeaders } from "./security-headers.ts";

/** Statuses for what Node's parser refuses, as Node itself chooses them; everything else is a 400. */
const PARSER_STATUS: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};
const REFUSAL = JSON.stringify({ code: "bad_request", message: SENTENCES.bad_request } satisfies ErrorBody);

/**
 * Puts itself before all listeners that the server has for requests by now: install it last.
 * @param socketPath where WebSockets are opened; elsewhere an `Upgrade` header is ignored (RFC 9110, section 7.8)
 */
export function installFrontDoor(http: Server, headers: SecurityHeaders, socketPath: string): void {
  const listeners = http.listeners("request");
  /** The answer under way on a connection; nothing else may be written once it has begun. */
  const answers = new WeakMap<Duplex, ServerResponse>();
  http.removeAllListeners("request");
  http.on("request", (request: IncomingMessage, response: ServerResponse) => {
    answers.set(request.socket, response);
    response.once("close", () => answers.delete(request.socket));
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    if (!isUnderstood(request)) return refuse(response, 400);
    for (const listener of listeners) listener.call(http, request, response);
  });
  // Without this listener Node answers by itself, without our headers.
  http.on("checkExpectation", (_request: IncomingMessage, response: ServerResponse) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    refuse(response, 417);
  });
  http.on("connect", (_request: IncomingMessage, socket: Duplex) => refuseRaw(socket, 405, headers));
  http.on("clientError", (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (socket.writable && answers.get(socket)?.headersSent !== true)
      return refuseRaw(socket, PARSER_STATUS[error.code ?? ""] ?? 400, headers);
    socket.destroy();
  });
  // Node stops listening for errors of a socket that it hands over; one that nobody hears ends the process.
  http.prependListener("upgrade", (_request: IncomingMessage, socket: Duplex) =>
    socket.on("error", () => socket.destroy()),
  );
  Object.assign(http, {
    // We refuse a request without Host ourselves, with our headers.
    requireHostHeader: false,
    shouldUpgradeCallback: (request: IncomingMessage) =>
      http.listenerCount("upgrade") > 0 &&
      /^websocket$/i.test(request.headers.upgrade ?? "") &&
      (request.url ?? "").startsWith(socketPath) &&
      isUnderstood(request),
  });
}

/**
 * Whether target and Host are those of a request to us. A target that is a whole address becomes its path (RFC 9112,
 * section 3.2.2).
 */
function isUnderstood(request: IncomingMessage): boolean {
  const hosts = request.rawHeaders.filter((name, index) => index % 2 === 0 && /^host$/i.test(name));
  if (hosts.length > 1 || (hosts.length === 0 && request.httpVersion !== "1.0")) return false;
  const { host } = request.headers;
  if (host !== undefined && !isHost(host)) return false;
  const target = request.url ?? "";
  if (target.startsWith("/")) return true;
  if (!/^https?:\/\/[^/]/i.test(target) || !URL.canParse(target)) return false;
  const address = new URL(target);
  request.url = `${address.pathname}${address.search}`;
  request.headers.host = address.host;
  return true;
}

/** A host name or address, perhaps with a port, and nothing beside it. */
function isHost(text: string): boolean {
  return !/[\s/\\?#@]/.test(text) && URL.canParse(`http://${text}`);
}

function refuse(response: ServerResponse, status: number): void {
  response.writeHead(status, {
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": Buffer.byteLength(REFUSAL),
    Connection: "close",
  });
  response.end(REFUSAL);
}

/** The same where Node has made no response object. */
function refuseRaw(socket: Duplex, status: number, headers: SecurityHeaders): void {
  // It is closed right after; a reset on the way is no news.
  socket.on("error", () => socket.destroy());
  const lines = Object.entries({
    ...headers,
    "content-type": "application/json; charset=utf-8",
    "content-length": String(Buffer.byteLength(REFUSAL)),
    connection: "close",
  });
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n${REFUSAL}`,
    () => socket.destroy(),
  );
}
