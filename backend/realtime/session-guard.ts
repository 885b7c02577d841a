/**
 * Protects the sessions of Engine.IO, the layer below Socket.IO. The library checks the first request of a session
 * only. Without more checks, the id of a session would be enough to read its long polling or to upgrade it to a
 * WebSocket. Here every request must carry the cookies or the token of the first one, and come from our own page or
 * from a program. No browser adds a token by itself, so a request with one needs no origin, as calls of the API; its
 * cookies are ignored.
 */
import { ServerResponse, type IncomingMessage } from "node:http";
import type { Server } from "socket.io";
import { SENTENCES, type ErrorBody, type RequestErrorCode } from "../../common/errors.ts";
import { bearerOf, type VerifiedCookies } from "../domain/accounts/identify-viewer.ts";

export interface SessionGuardSettings {
  /** @returns the device and session ids whose signatures in a `Cookie` header are valid */
  readonly prove: (cookieHeader: string | undefined) => VerifiedCookies;
  readonly isOwnOrigin: (origin: string, host: string | undefined) => boolean;
}

/** Who sent a request. */
interface Sender extends VerifiedCookies {
  readonly bearer: string | null;
}

/** The part of the library's session object that is used here; its published type hides the id. */
interface EngineSession {
  readonly id: string;
  /** The first request of the session. */
  readonly request: IncomingMessage;
  once(event: "close", listener: () => void): void;
}

interface Refusal {
  readonly status: number;
  readonly code: RequestErrorCode;
}
const NOT_FROM_OUR_PAGE: Refusal = { status: 403, code: "bad_origin" };
const NOT_ALLOWED: Refusal = { status: 400, code: "bad_request" };

/** Checks every request of an engine, including the first one of a session. */
export function guardSessions(engine: Server["engine"], { prove, isOwnOrigin }: SessionGuardSettings): void {
  const owners = new Map<string, Sender>();
  const senderOf = ({ headers }: IncomingMessage): Sender => {
    const bearer = bearerOf(headers);
    return { ...prove(bearer === null ? headers.cookie : undefined), bearer };
  };
  engine.on("connection", (session: EngineSession) => {
    owners.set(session.id, senderOf(session.request));
    session.once("close", () => owners.delete(session.id));
  });

  engine.use((request: IncomingMessage, response: unknown, next: (error?: Error) => void) => {
    const refusal = findRefusal(request, !(response instanceof ServerResponse));
    if (refusal === null) next();
    // The engine itself answers an upgrade, with a 400.
    else if (response instanceof ServerResponse) refuse(response, refusal);
    else next(new Error(refusal.code));
  });

  /** @returns why the request must be refused, or null */
  function findRefusal(request: IncomingMessage, isUpgrade: boolean): Refusal | null {
    const query = new URL(request.url ?? "", "http://localhost").searchParams;
    if (request.method !== "GET" && request.method !== "POST") return { status: 405, code: "bad_request" };
    // Of a parameter that comes twice we would judge the first value, and the library takes the last.
    if (new Set(query.keys()).size < query.size) return NOT_ALLOWED;
    // JSONP would let pages of other sites read the answer as a script.
    if (query.has("j")) return NOT_ALLOWED;
    // The library would never answer such a request.
    if (!isUpgrade && query.get("transport") !== "polling") return NOT_ALLOWED;
    if (bearerOf(request.headers) === null && !isFromOurPage(request, isUpgrade)) return NOT_FROM_OUR_PAGE;
    const owner = owners.get(query.get("sid") ?? "");
    return owner === undefined || isOwner(owner, senderOf(request)) ? null : NOT_FROM_OUR_PAGE;
  }

  function isFromOurPage({ headers }: IncomingMessage, isUpgrade: boolean): boolean {
    const { origin, host } = headers;
    if (origin !== undefined && !isOwnOrigin(origin, host)) return false;
    // A WebSocket request always has an origin, and browsers disagree whether `wss:` is the same site as `https:`.
    if (isUpgrade && origin !== undefined) return true;
    const site = headers["sec-fetch-site"];
    return site === undefined || site === "same-origin" || site === "none";
  }
}

/**
 * Compares ids instead of cookie texts, because a renewed cookie carries the same ids. A connection that began before
 * the sign-in belongs to the device and stays valid while its browser signs in.
 */
function isOwner(owner: Sender, caller: Sender): boolean {
  if (owner.bearer !== caller.bearer) return false;
  return owner.deviceId === caller.deviceId && (owner.sessionId === null || owner.sessionId === caller.sessionId);
}

function refuse(response: ServerResponse, { status, code }: Refusal): void {
  const body = JSON.stringify({ code, message: SENTENCES[code] } satisfies ErrorBody);
  response.writeHead(status, {
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": Buffer.byteLength(body),
    "Cache-Control": "no-store",
    ...(status === 405 ? { Allow: "GET, POST" } : {}),
  });
  response.end(body);
}
