/**
 * Who may speak for a session of Engine.IO, the layer below Socket.IO. The library judges the first request only;
 * after it, knowing the session's id would be enough to read its long polling or to upgrade it to a WebSocket. Here
 * every request brings the cookies of the first one and comes from our own page.
 */
import { ServerResponse, type IncomingMessage } from "node:http";
import type { Server } from "socket.io";
import { SENTENCES, type ErrorBody, type RequestErrorCode } from "../../common/errors.ts";
import type { BrowserProof } from "../domain/accounts/identify-viewer.ts";

export interface SessionGuardSettings {
  /** What a `Cookie` header proves. */
  readonly prove: (cookieHeader: string | undefined) => BrowserProof;
  readonly isOwnOrigin: (origin: string, host: string | undefined) => boolean;
}

/** What is used of the library's own object, whose published type hides the id. */
interface EngineSession {
  readonly id: string;
  /** The request that began the session. */
  readonly request: IncomingMessage;
  once(event: "close", listener: () => void): void;
}

interface Refusal {
  readonly status: number;
  readonly code: RequestErrorCode;
}
const NOT_FROM_OUR_PAGE: Refusal = { status: 403, code: "bad_origin" };
const NO_SUCH_REQUEST: Refusal = { status: 400, code: "bad_request" };

/** Guards all requests of an engine, also those that begin a session. */
export function guardSessions(engine: Server["engine"], { prove, isOwnOrigin }: SessionGuardSettings): void {
  const owners = new Map<string, BrowserProof>();
  engine.on("connection", (session: EngineSession) => {
    owners.set(session.id, prove(session.request.headers.cookie));
    session.once("close", () => owners.delete(session.id));
  });

  engine.use((request: IncomingMessage, response: unknown, next: (error?: Error) => void) => {
    const refusal = judge(request, !(response instanceof ServerResponse));
    if (refusal === null) next();
    // An upgrade is answered by the engine itself, with a 400.
    else if (response instanceof ServerResponse) refuse(response, refusal);
    else next(new Error(refusal.code));
  });

  function judge(request: IncomingMessage, isUpgrade: boolean): Refusal | null {
    const query = new URL(request.url ?? "", "http://localhost").searchParams;
    if (request.method !== "GET" && request.method !== "POST") return { status: 405, code: "bad_request" };
    // JSONP is script for pages of other sites, and we have none.
    if (query.has("j")) return NO_SUCH_REQUEST;
    // The library would keep such a request and never answer it.
    if (!isUpgrade && query.get("transport") !== "polling") return NO_SUCH_REQUEST;
    if (!isFromOurPage(request, isUpgrade)) return NOT_FROM_OUR_PAGE;
    const owner = owners.get(query.get("sid") ?? "");
    return owner === undefined || isOwner(owner, prove(request.headers.cookie)) ? null : NOT_FROM_OUR_PAGE;
  }

  function isFromOurPage({ headers }: IncomingMessage, isUpgrade: boolean): boolean {
    const { origin, host } = headers;
    if (origin !== undefined && !isOwnOrigin(origin, host)) return false;
    // A WebSocket always names its origin, and browsers do not agree whether `wss:` is the same site as `https:`.
    if (isUpgrade && origin !== undefined) return true;
    const site = headers["sec-fetch-site"];
    return site === undefined || site === "same-origin" || site === "none";
  }
}

/**
 * A rolling cookie is renewed with the same ids, so ids are compared. A session that began without a signed-in browser
 * is the device's, also while the browser signs in.
 */
function isOwner(owner: BrowserProof, asking: BrowserProof): boolean {
  return owner.deviceId === asking.deviceId && (owner.sessionId === null || owner.sessionId === asking.sessionId);
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
