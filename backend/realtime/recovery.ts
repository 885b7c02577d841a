/** Connection state recovery of Socket.IO: which dropped connections may continue, and which events they get. */
import { AsyncLocalStorage } from "node:async_hooks";
import type { IncomingMessage } from "node:http";
import type { Job } from "../../common/job.ts";
import { compareJobs } from "../../common/merge.ts";
import type { Credentials } from "../domain/accounts/identify-viewer.ts";
import { findSession } from "../domain/accounts/sessions.ts";
import { validTokens } from "../domain/accounts/tokens.ts";
import type { Viewer } from "../domain/accounts/viewer.ts";
import type { Domain } from "../domain/domain.ts";
import type { SocketData, SocketServer } from "./socket-types.ts";

/** The part of the library's namespace that is used here; its published type hides it. */
interface NamespaceInternals {
  /** Called for each new connection; restores the earlier one that it names. */
  _createSocket(client: { readonly request: IncomingMessage }, auth: unknown): Promise<unknown>;
}

type Identify = (credentials: Credentials) => Promise<Viewer | null>;

/**
 * Limits what a dropped connection gets when it comes back. Missed events are sent before the browser is identified, so
 * a connection whose session or token has ended meanwhile must not be recovered, nor one of another visitor: the ids of
 * server-sent events name connections, and may be known from a log. Of each job only the newest version is sent. A
 * missed snapshot is not sent, because a new one follows.
 * @param identify rejects for a token that does not work
 */
export function limitRecovery(io: SocketServer, domain: Domain, identify: Identify): void {
  const namespace = io.of("/");
  const { adapter } = namespace;
  // The adapter is not told who wants to go on with a connection.
  const callers = new AsyncLocalStorage<IncomingMessage>();
  const internals = namespace as unknown as NamespaceInternals;
  const createSocket = internals._createSocket.bind(namespace);
  internals._createSocket = (client, auth) => callers.run(client.request, () => createSocket(client, auth));
  const restore = adapter.restoreSession.bind(adapter);
  adapter.restoreSession = async (id, offset) => {
    const connection = await restore(id, offset);
    const data = connection?.data as SocketData | undefined;
    // The library expects null for a connection that cannot be recovered; its types leave this out.
    const notRecovered = null as unknown as typeof connection;
    if (!connection || !data || data.isBehind === true) return notRecovered;
    // Of two connections with one id only the later one would get what comes.
    if (namespace.sockets.has(connection.sid)) return notRecovered;
    const { viewer } = data;
    const caller = await identify(callers.getStore()?.headers ?? {});
    if (caller === null || !isSameVisitor(caller, viewer)) return notRecovered;
    const { sessionId, token } = viewer;
    if (sessionId !== undefined && !(await findSession(domain, sessionId))) return notRecovered;
    if (token && !(await validTokens(domain, [token.id])).has(token.id)) return notRecovered;
    return { ...connection, missedPackets: keepNewestVersions(connection.missedPackets) };
  };
}

/** The tier may have changed, or the session: the socket is then told its identity. */
function isSameVisitor(one: Viewer, other: Viewer): boolean {
  return one.deviceId === other.deviceId && one.userId === other.userId && one.token?.id === other.token?.id;
}

/**
 * @param missed the events that a browser missed, each as the list of its arguments
 * @returns the same events with only the newest version of each job, and without snapshots
 */
export function keepNewestVersions(missed: readonly unknown[][]): unknown[][] {
  const newest = new Map<string, Job>();
  for (const [event, job] of missed as [unknown, Job][]) {
    if (event !== "job") continue;
    const known = newest.get(job.id);
    if (known === undefined || compareJobs(job, known) >= 0) newest.set(job.id, job);
  }
  return missed.filter(([event, job]) =>
    event === "job" ? newest.get((job as Job).id) === job : event !== "snapshot",
  );
}
