/** Connection state recovery of Socket.IO: which dropped connections may continue, and which events they get. */
import type { Job } from "../../common/job.ts";
import { compareJobs } from "../../common/merge.ts";
import { findSession } from "../domain/accounts/sessions.ts";
import { validTokens } from "../domain/accounts/tokens.ts";
import type { Domain } from "../domain/domain.ts";
import type { SocketData, SocketServer } from "./socket-types.ts";

/**
 * Limits what a dropped connection gets when it comes back. Missed events are sent before the browser is identified, so
 * a connection whose session or token has ended meanwhile must not be recovered. Of each job only the newest version is sent.
 */
export function limitRecovery(io: SocketServer, domain: Domain): void {
  const { adapter } = io.of("/");
  const restore = adapter.restoreSession.bind(adapter);
  adapter.restoreSession = async (id, offset) => {
    const connection = await restore(id, offset);
    const data = connection?.data as SocketData | undefined;
    const { sessionId, token } = data?.viewer ?? {};
    // The library expects null for a connection that cannot be recovered; its types leave this out.
    const notRecovered = null as unknown as typeof connection;
    if (data?.isBehind === true) return notRecovered;
    if (sessionId !== undefined && !(await findSession(domain, sessionId))) return notRecovered;
    if (token && !(await validTokens(domain, [token.id])).has(token.id)) return notRecovered;
    return connection && { ...connection, missedPackets: keepNewestVersions(connection.missedPackets) };
  };
}

/**
 * @param missed the events that a browser missed, each as the list of its arguments
 * @returns the same events with only the newest version of each job
 */
export function keepNewestVersions(missed: readonly unknown[][]): unknown[][] {
  const newest = new Map<string, Job>();
  for (const [event, job] of missed as [unknown, Job][]) {
    if (event !== "job") continue;
    const known = newest.get(job.id);
    if (known === undefined || compareJobs(job, known) >= 0) newest.set(job.id, job);
  }
  return missed.filter(([event, job]) => event !== "job" || newest.get((job as Job).id) === job);
}
