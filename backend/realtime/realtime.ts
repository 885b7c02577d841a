/**
 * Socket.IO: who sits in which room is decided here, from the same cookie as for calls. A browser
 * gets everything it may see on connecting, and every change after that; it never asks.
 */
import type { Server as HttpServer } from "node:http";
import { Server, type Socket } from "socket.io";
import type { ClientEvents, ServerEvents } from "../../common/events.ts";
import type { Domain } from "../domain/domain.ts";
import { presentJob } from "../domain/present.ts";
import { listJobs } from "../domain/requests.ts";
import { roomsFor, roomsOf, type Viewer } from "../domain/viewer.ts";

export interface RealtimeSettings {
  /** Who a `Cookie` header proves to be; null: nobody. */
  identify(cookieHeader: string | undefined): Promise<Viewer | null>;
  isOwnOrigin(origin: string, host: string | undefined): boolean;
  /** A browser back within this time gets what it missed instead of a snapshot. */
  readonly recoveryMs: number;
  readonly pingIntervalMs: number;
  readonly pingTimeoutMs: number;
  onError(error: unknown): void;
}

export interface Realtime {
  /** Tells every socket and closes it. */
  close(): Promise<void>;
}

interface SocketData {
  viewer: Viewer;
}
type OurServer = Server<ClientEvents, ServerEvents, Record<string, never>, SocketData>;
type OurSocket = Socket<ClientEvents, ServerEvents, Record<string, never>, SocketData>;

export function startRealtime(http: HttpServer, domain: Domain, settings: RealtimeSettings): Realtime {
  const io: OurServer = new Server(http, {
    serveClient: false,
    // Nothing but the handshake comes in, so nothing large does.
    maxHttpBufferSize: 10_000,
    pingInterval: settings.pingIntervalMs,
    pingTimeout: settings.pingTimeoutMs,
    connectionStateRecovery: { maxDisconnectionDuration: settings.recoveryMs, skipMiddlewares: false },
    // A page of another site may open a socket with our cookie; a browser always says from where.
    allowRequest: (request, decide) => {
      const { origin, host } = request.headers;
      decide(null, origin === undefined || settings.isOwnOrigin(origin, host));
    },
  });

  io.use((socket, next) => {
    settings.identify(socket.handshake.headers.cookie).then(
      (viewer) => {
        if (!viewer) return next(new Error("no device"));
        socket.data.viewer = viewer;
        next();
      },
      (error: unknown) => {
        settings.onError(error);
        next(new Error("unavailable"));
      },
    );
  });

  io.on("connection", (socket) => {
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
    if (socket.recovered) return;
    const asOf = new Date().toISOString();
    const jobs = await listJobs(domain, viewer);
    socket.emit("snapshot", { asOf, jobs: jobs.map((job) => presentJob(job)) });
  }

  const subscriptions = [
    domain.bus.subscribe("job", ({ audience, job }) => io.to(roomsOf(audience)).emit("job", job)),
    domain.bus.subscribe("job:removed", ({ audience, id }) => io.to(roomsOf(audience)).emit("job:removed", { id })),
  ];

  return {
    async close() {
      for (const unsubscribe of subscriptions) unsubscribe();
      // Also closes the HTTP server beneath; whoever listens for its end gets to know.
      await io.close();
    },
  };
}
