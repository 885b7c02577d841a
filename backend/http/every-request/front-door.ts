/**
 * The first listener of every request, before routes, sockets and the development sign-in. It sets the security headers
 * and refuses requests with an invalid target or Host header, and those for another host, so that later listeners need
 * not check them.
 */
import { STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { SENTENCES, type ErrorBody } from "../../../common/errors.ts";
import { createHostCheck, type HostCheck } from "./known-host.ts";
import { addHeadersToRefusal } from "./refused-upgrades.ts";
import type { SecurityHeaders } from "./security-headers.ts";

/** The status of each error of Node's HTTP parser, as in Node itself; 400 for all others. */
const PARSER_STATUS: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};
const REFUSAL = bodyOf(SENTENCES.bad_request);
/** Misdirected Request (RFC 9110, section 15.5.20). */
const UNKNOWN_HOST = 421;
const UNKNOWN_HOST_REFUSAL = bodyOf(
  "This server does not answer under the name in the address. The operator sets its name with PUBLIC_URL.",
);

export interface FrontDoorSettings {
  /** The only path where an `Upgrade` header is not ignored (RFC 9110, section 7.8). */
  readonly socketPath: string;
  readonly publicUrl: string;
  /** See `createHostCheck`. */
  readonly takesLocalNames: boolean;
}

/** Puts itself before all existing request listeners of the server, so it must be installed last. */
export function installFrontDoor(http: Server, headers: SecurityHeaders, settings: FrontDoorSettings): void {
  const isKnownHost = createHostCheck(settings.publicUrl, settings.takesLocalNames);
  checkRequests(http, headers, isKnownHost);
  // Node hands sockets over without an error listener, and an unhandled error would end the process.
  http.prependListener("upgrade", (_request: IncomingMessage, socket: Duplex) => {
    socket.on("error", () => socket.destroy());
    addHeadersToRefusal(socket, headers);
  });
  Object.assign(http, {
    // Requests without a Host header are refused here, with our headers.
    requireHostHeader: false,
    shouldUpgradeCallback: (request: IncomingMessage) =>
      http.listenerCount("upgrade") > 0 &&
      /^websocket$/i.test(request.headers.upgrade ?? "") &&
      (request.url ?? "").startsWith(settings.socketPath) &&
      isValidRequest(request) &&
      isKnownHost(request.headers.host, settings.socketPath),
  });
}

function checkRequests(http: Server, headers: SecurityHeaders, isKnownHost: HostCheck): void {
  const listeners = http.listeners("request");
  /** The current answer of each connection. After its headers are sent, no other bytes may be written. */
  const answers = new WeakMap<Duplex, ServerResponse>();
  http.removeAllListeners("request");
  http.on("request", (request: IncomingMessage, response: ServerResponse) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    const answer = () => {
      answers.set(request.socket, response);
      response.once("close", () => {
        if (answers.get(request.socket) === response) answers.delete(request.socket);
      });
      if (!isValidRequest(request)) return refuse(response, 400);
      if (!isKnownHost(request.headers.host, request.url ?? ""))
        return refuse(response, UNKNOWN_HOST, UNKNOWN_HOST_REFUSAL);
      for (const listener of listeners) listener.call(http, request, response);
    };
    // Node hands over all requests that a client sends at once (pipelining), and gives an answer its connection when
    // those before it are sent. If the connection ends earlier, the answer is never closed: its files would stay open,
    // and its places in limits taken. So it is not begun before.
    if (response.socket === null) response.once("socket", answer);
    else answer();
  });
  // Without this listener Node answers itself, without our headers.
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
}

/**
 * Whether target and Host header are valid. Replaces a target that is a whole URL by its path (RFC 9112, section
 * 3.2.2).
 */
function isValidRequest(request: IncomingMessage): boolean {
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

/** Whether a text is a host name or address, with or without a port, and nothing else. */
function isHost(text: string): boolean {
  return !/[\s/\\?#@]/.test(text) && URL.canParse(`http://${text}`);
}

function refuse(response: ServerResponse, status: number, body = REFUSAL): void {
  response.writeHead(status, {
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": Buffer.byteLength(body),
    Connection: "close",
  });
  response.end(body);
}

function bodyOf(message: string): string {
  return JSON.stringify({ code: "bad_request", message } satisfies ErrorBody);
}

/** Refuses a request for which Node has created no response object. */
function refuseRaw(socket: Duplex, status: number, headers: SecurityHeaders): void {
  // The socket is closed anyway, so a reset needs no handling.
  socket.on("error", () => socket.destroy());
  const lines = Object.entries({
    ...headers,
    "content-type": "application/json; charset=utf-8",
    "content-length": String(Buffer.byteLength(REFUSAL)),
    connection: "close",
  });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n${head}\r\n${REFUSAL}`, () => socket.destroy());
}
