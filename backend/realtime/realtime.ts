/**
 * Socket.IO: who sits in which room is decided here, from the same cookie as for calls. A browser
 * gets everything it may see on connecting, and every change after that; it never asks.
 */
import type { Server as HttpServer } from "node:http";
import { Server, type Socket } from "socket.io";
import type { ErrorBody } from "../../common/errors.ts";
import type { ClientEvents, ServerEvents } from "../../common/events.ts";
import { NewestSent, onlyNewest, sendForwardOnly } from "./forward-only.ts";
import { startPublisher, type PublisherSettings } from "./publisher.ts";
import { guardSessions, type SessionGuardSettings } from "./session-guard.ts";
import type { DatabaseWatch } from "../domain/database/database-watch.ts";
import { limitUnread } from "./unread-limit.ts";
import type { Domain } from "../domain/domain.ts";
import { presentJob } from "../domain/jobs/present.ts";
import { listJobs } from "../domain/jobs/requests.ts";
import { findSession, validSessions } from "../domain/accounts/sessions.ts";
import { roomsFor, type Viewer } from "../domain/accounts/viewer.ts";

/** The library's own default, which the page's socket expects. */
export const SOCKET_PATH = "/socket.io/";

export interface RealtimeSettings extends PublisherSettings, SessionGuardSettings {
  /** Who a `Cookie` header proves to be; null: nobody. */
  identify(cookieHeader: string | undefined): Promise<Viewer | null>;
  /** A browser back within this time gets what it missed instead of a snapshot. */
  readonly recoveryMs: number;
  /** How often open sockets are held against their sessions: one may run out while nobody says a word. */
  readonly sessionCheckMs: number;
  /** More at a time are refused. */
  readonly socketsPerDevice: number;
  readonly pingIntervalMs: number;
  readonly pingTimeoutMs: number;
  readonly database: Pick<DatabaseWatch, "isUp" | "onChange">;
  onError(error: unknown): void;
}

export interface Realtime {
  /** Open connections of this process. */
  socketCount(): number;
  /** Tells every socket and closes it. */
  close(): Promise<void>;
}

interface SocketData {
  viewer: Viewer;
  /** Not a connection taken up again by the same viewer: it needs to be told everything. */
  isNewcomer: boolean;
  /** Did not read what was sent, and gets a snapshot instead of all that when it comes back. */
  isBehind?: boolean;
}
type OurServer = Server<ClientEvents, ServerEvents, Record<string, never>, SocketData>;
type OurSocket = Socket<ClientEvents, ServerEvents, Record<string, never>, SocketData>;

export function startRealtime(http: HttpServer, domain: Domain, settings: RealtimeSettings): Realtime {
  const { cluster, database } = settings;
  const isWhole = () => database.isUp() && cluster?.isUp() !== false;
  const io: OurServer = new Server(http, {
    ...(cluster === null ? {} : { adapter: cluster.adapter }),
    path: SOCKET_PATH,
    serveClient: false,
    // Nothing but the handshake comes in, so nothing large does.
    maxHttpBufferSize: 10_000,
    pingInterval: settings.pingIntervalMs,
    pingTimeout: settings.pingTimeoutMs,
    connectionStateRecovery: { maxDisconnectionDuration: settings.recoveryMs, skipMiddlewares: false },
    // Cut off from the other processes we would hear half of the events, and without the database none; the page polls
    // its list until we are back.
    allowRequest: (_request, decide) => (!isWhole() ? decide("unavailable", false) : decide(null, true)),
  });
  guardSessions(io.engine, settings);
  limitUnread(io.engine, (connection) => {
    for (const { conn, data } of io.sockets.sockets.values()) if (Object.is(conn, connection)) data.isBehind = true;
  });

  const publisher = startPublisher(io, domain.bus, settings);
  const newest = new NewestSent();
  sendForwardOnly(io, newest, (job) => publisher.onDelivered(job));

  io.use((socket, next) => {
    settings.identify(socket.handshake.headers.cookie).then(
      (viewer) => {
        if (!viewer) return next(new Error("no device"));
        if ((io.sockets.adapter.rooms.get(`device:${viewer.deviceId}`)?.size ?? 0) >= settings.socketsPerDevice)
          return next(tooManySockets());
        const before = socket.recovered ? socket.data.viewer : undefined;
        socket.data.viewer = viewer;
        socket.data.isNewcomer = before === undefined || !isSame(before, viewer);
        // A connection that is taken up again as somebody else keeps nothing of who it was.
        if (before !== undefined && socket.data.isNewcomer)
          for (const room of roomsFor(before)) void socket.leave(room);
        next();
      },
      (error: unknown) => {
        settings.onError(error);
        next(new Error("unavailable"));
      },
    );
  });

  io.on("connection", (socket) => {
    // The others went away while it was being let in.
    if (!isWhole()) return socket.conn.close();
    welcome(socket).catch((error: unknown) => {
      settings.onError(error);
      // It reconnects, and is welcomed then.
      socket.disconnect(true);
    });
  });

  async function welcome(socket: OurSocket): Promise<void> {
    const { viewer } = socket.data;
    // Rooms first: what changes while the list is read arrives as well, and merging sorts it out.
    await socket.join(roomsFor(viewer));
    if (!socket.data.isNewcomer) return;
    socket.emit("identity", { tier: viewer.tier, authenticated: viewer.userId !== null });
    const asOf = new Date().toISOString();
    const jobs = await listJobs(domain, viewer);
    socket.emit("snapshot", { asOf, jobs: jobs.map((job) => newest.lift(presentJob(job))) });
  }

  restoreSessions(io, domain);
  const sessionCheck = setInterval(() => {
    closeEnded().catch((error: unknown) => settings.onError(error));
  }, settings.sessionCheckMs);

  /** Sockets of sessions that have run out are closed; they come back as whoever they are then. */
  async function closeEnded(): Promise<void> {
    const signedIn = [...io.sockets.sockets.values()].flatMap((socket) => socket.data.viewer?.sessionId ?? []);
    const valid = await validSessions(domain, [...new Set(signedIn)]);
    close(signedIn.filter((id) => !valid.has(id)));
  }

  function close(sessionIds: readonly string[]): void {
    // Every process hears of it and closes its own.
    if (sessionIds.length > 0) io.local.in(sessionIds.map((id) => `session:${id}`)).disconnectSockets(true);
  }

  /**
   * The line goes rather than the session: pages come back by themselves, each after a while of its own, and get
   * everything.
   */
  function cutOff(): void {
    for (const { conn } of io.sockets.sockets.values()) conn.close();
  }

  const subscriptions = [
    domain.bus.subscribe("session:ended", ({ sessionIds }) => close(sessionIds)),
    domain.bus.subscribe("device:changed", ({ deviceId }) => io.local.in(`device:${deviceId}`).disconnectSockets(true)),
    // Every process with browsers notices by itself and tells its own.
    domain.bus.subscribe("identity", ({ userId, tier }) => {
      for (const socket of io.sockets.sockets.values())
        if (socket.data.viewer?.userId === userId) socket.data.viewer = { ...socket.data.viewer, tier };
      io.local.to(`user:${userId}`).emit("identity", { tier, authenticated: true });
    }),
    () => publisher.stop(),
    // The page says that it reconnects, and it does so for as long as nobody is let in.
    database.onChange((isUp) => (isUp ? undefined : cutOff())),
    cluster?.onChange((isUp) => (isUp ? undefined : cutOff())) ?? (() => undefined),
  ];

  return {
    socketCount: () => io.engine.clientsCount,
    async close() {
      clearInterval(sessionCheck);
      for (const unsubscribe of subscriptions) unsubscribe();
      // Also closes the HTTP server beneath; whoever listens for its end gets to know.
      await io.close();
    },
  };
}

/** Read by the page as any other refusal. */
function tooManySockets(): Error {
  const body: ErrorBody = { code: "rate_limited", message: "Too many open pages. Close some to see changes live." };
  return Object.assign(new Error(body.message), { data: body });
}

function isSame(one: Viewer, other: Viewer): boolean {
  // A change of tier is told to those who are there at that moment.
  return (
    one.deviceId === other.deviceId &&
    one.userId === other.userId &&
    one.sessionId === other.sessionId &&
    one.tier === other.tier
  );
}

/**
 * What was missed is sent before anybody is identified, so a connection whose session has ended in
 * the meantime must not be taken up again at all. Of each job only the newest version is sent.
 */
function restoreSessions(io: OurServer, domain: Domain): void {
  const { adapter } = io.of("/");
  const restore = adapter.restoreSession.bind(adapter);
  adapter.restoreSession = async (pid, offset) => {
    const connection = await restore(pid, offset);
    const data = connection?.data as SocketData | undefined;
    const sessionId = data?.viewer.sessionId;
    // The library's own word for "there is none" is null, which its types leave out.
    const none = null as unknown as typeof connection;
    if (data?.isBehind === true) return none;
    if (sessionId !== undefined && !(await findSession(domain, sessionId))) return none;
    return connection && { ...connection, missedPackets: onlyNewest(connection.missedPackets) };
  };
}
