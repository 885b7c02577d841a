/**
 * The Socket.IO server. A browser gets all jobs it may see when it connects, and every change after that. It sends no
 * events: its rooms follow from the cookies of its handshake.
 */
import type { IncomingMessage, Server as HttpServer } from "node:http";
import type { Readable } from "node:stream";
import { Server } from "socket.io";
import { SENTENCES, UserError, type ErrorBody, type ErrorCode } from "../../common/errors.ts";
import { OpenByKey, OpenByNetwork } from "../domain/accounts/open-by-network.ts";
import type { Credentials } from "../domain/accounts/identify-viewer.ts";
import { validSessions } from "../domain/accounts/sessions.ts";
import { validTokens } from "../domain/accounts/tokens.ts";
import { viewerRooms, type Viewer } from "../domain/accounts/viewer.ts";
import type { DatabaseWatch } from "../domain/database/database-watch.ts";
import type { Domain } from "../domain/domain.ts";
import type { SiteReports } from "../domain/sites/site-reports.ts";
import { presentJob } from "../domain/jobs/present.ts";
import { listJobs } from "../domain/jobs/read-jobs.ts";
import { DeliveredJobs, filterDeliveries } from "./delivered-jobs.ts";
import { OperatorPushes, type OperatorPushSettings } from "./operator-pushes.ts";
import { EventStream } from "./event-stream.ts";
import { startPublisher, type Publisher, type PublisherSettings } from "./publisher.ts";
import type { RealtimeLimits } from "./realtime-limits.ts";
import { limitRecovery } from "./recovery.ts";
import { guardSessions, type SessionGuardSettings } from "./session-guard.ts";
import type { BrowserSocket, SocketServer } from "./socket-types.ts";
import { limitUnread, type EngineConnection } from "./unread-limit.ts";
import { PromptlyClosingServer } from "./web-socket-server.ts";

/** The default of Socket.IO, which the page's client uses. */
export const SOCKET_PATH = "/socket.io/";
/** The handshake is the only large message that browsers send. */
const MAX_MESSAGE_BYTES = 10_000;

export interface RealtimeSettings
  extends RealtimeLimits, PublisherSettings, SessionGuardSettings, OperatorPushSettings {
  /**
   * @returns the viewer of a handshake; null without a token or a valid device cookie
   * @throws UserError for a token that does not work
   */
  identify(credentials: Credentials): Promise<Viewer | null>;
  /** @returns the address of the browser that sent a request */
  addressOf(request: IncomingMessage): string;
  readonly database: Pick<DatabaseWatch, "isUp" | "onChange">;
  readonly siteReports: Pick<SiteReports, "status" | "onChange">;
  onError(error: unknown): void;
}

/** Serves sockets on an HTTP server and publishes the events of the domain to them. */
export class Realtime {
  readonly #connections: OpenByNetwork;
  readonly #accepted: OpenByKey;
  readonly #open = new Set<EngineConnection>();
  readonly #streams = new Set<EventStream>();
  readonly #io: SocketServer;
  readonly #domain: Domain;
  readonly #settings: RealtimeSettings;
  readonly #publisher: Publisher;
  readonly #operatorPushes: OperatorPushes;
  readonly #delivered = new DeliveredJobs();
  readonly #sessionCheck: NodeJS.Timeout;
  readonly #unsubscribers: readonly (() => void)[];

  constructor(http: HttpServer, domain: Domain, settings: RealtimeSettings) {
    this.#domain = domain;
    this.#settings = settings;
    this.#connections = new OpenByNetwork(settings.socketsPerNetwork);
    this.#accepted = new OpenByKey(settings.socketsPerDevice);
    this.#io = this.#openServer(http);
    this.#limitConnections();
    this.#publisher = startPublisher(this.#io, domain.bus, settings);
    this.#operatorPushes = new OperatorPushes(this.#io, domain, settings);
    filterDeliveries(this.#io, this.#delivered, (job) => this.#publisher.onDelivered(job));
    this.#acceptSockets();
    limitRecovery(this.#io, domain, (credentials) => settings.identify(credentials));
    this.#sessionCheck = setInterval(() => {
      this.#closeEndedSessions().catch((error: unknown) => settings.onError(error));
    }, settings.sessionCheckMs);
    this.#unsubscribers = [
      ...this.#subscribeToBus(),
      ...this.#closeSocketsOnOutage(),
      domain.blocks.onChange(() => this.#closeBlockedSockets()),
      // Each process hears of the change, and tells its own browsers.
      settings.siteReports.onChange((status) => this.#io.local.emit("sites", status)),
    ];
  }

  /** @returns the number of open connections of this process */
  socketCount(): number {
    return this.#io.engine.clientsCount;
  }

  /**
   * Opens a stream of server-sent events.
   * @param lastEventId the id of the last event that the reader has; empty for a new reader
   * @throws UserError if the reader is refused
   */
  async openEvents(request: IncomingMessage, lastEventId: string): Promise<Readable> {
    if (!this.#hearsAllEvents()) throw new UserError("unavailable_now");
    if (!this.#connections.mayOpen(this.#settings.addressOf(request))) throw new UserError("network_busy");
    const stream = new EventStream(request);
    this.#streams.add(stream);
    stream.once("close", () => this.#streams.delete(stream));
    this.#io.engine.emit("connection", stream);
    return stream.begin(lastEventId);
  }

  /** Closes every socket, and the HTTP server. */
  async close(): Promise<void> {
    clearInterval(this.#sessionCheck);
    for (const unsubscribe of this.#unsubscribers) unsubscribe();
    this.#publisher.stop();
    this.#operatorPushes[Symbol.dispose]();
    for (const stream of this.#streams) stream.close();
    // This also closes the HTTP server.
    await this.#io.close();
  }

  #openServer(http: HttpServer): SocketServer {
    const { cluster, pingIntervalMs, pingTimeoutMs, recoveryMs, identifyMs } = this.#settings;
    return new Server(http, {
      adapter: cluster?.adapter,
      path: SOCKET_PATH,
      serveClient: false,
      wsEngine: PromptlyClosingServer,
      maxHttpBufferSize: MAX_MESSAGE_BYTES,
      pingInterval: pingIntervalMs,
      pingTimeout: pingTimeoutMs,
      // Also ends a connection that was refused and stays open.
      connectTimeout: identifyMs,
      connectionStateRecovery: { maxDisconnectionDuration: recoveryMs, skipMiddlewares: false },
      // A page that is refused polls its list, and tries again later.
      allowRequest: (request, decide) => {
        if (!this.#hearsAllEvents()) decide("unavailable", false);
        else if (this.#domain.blocks.isVisitorBlocked(undefined, this.#settings.addressOf(request)))
          decide("access_blocked", false);
        else if (!this.#connections.mayOpen(this.#settings.addressOf(request))) decide("network_busy", false);
        else decide(null, true);
      },
    });
  }

  /** Without the other processes some events are missing, without the database all of them. */
  #hearsAllEvents(): boolean {
    const { cluster, database } = this.#settings;
    return database.isUp() && cluster?.isUp() !== false;
  }

  #limitConnections(): void {
    guardSessions(this.#io.engine, this.#settings);
    this.#io.engine.on("connection", (connection: EngineConnection) => {
      connection.once("close", this.#connections.add(this.#settings.addressOf(connection.request)));
      this.#open.add(connection);
      connection.once("close", () => this.#open.delete(connection));
    });
    limitUnread(this.#io.engine, (connection) => {
      for (const { conn, data } of this.#io.sockets.sockets.values())
        if (Object.is(conn, connection)) data.isBehind = true;
    });
  }

  #acceptSockets(): void {
    this.#io.use((socket, next) => {
      this.#identify(socket).then(next, (error: unknown) => {
        if (error instanceof UserError) return next(refusalWith(error.code, error.message));
        this.#settings.onError(error);
        next(new Error("unavailable"));
      });
    });
    this.#io.on("connection", (socket) => {
      // An outage may have begun during the handshake.
      if (!this.#hearsAllEvents()) return socket.conn.close();
      this.#sendState(socket).catch((error: unknown) => {
        this.#settings.onError(error);
        // The page reconnects, and gets its state then.
        socket.disconnect(true);
      });
    });
  }

  /** Sets the viewer of a new socket. @returns an error if the socket is refused */
  async #identify(socket: BrowserSocket): Promise<Error | undefined> {
    const viewer = await this.#settings.identify(socket.handshake.headers);
    if (!viewer) return new Error("no device");
    if (viewer.token && !viewer.token.scopes.includes("read")) throw new UserError("missing_scope");
    if (this.#isBlocked(viewer, socket.request)) return refusalWith("access_blocked", SENTENCES.access_blocked);
    if (!this.#accept(socket, viewer))
      return refusalWith("rate_limited", "Too many open pages. Close some to see changes live.");
    const earlierViewer = socket.recovered ? socket.data.viewer : undefined;
    socket.data.viewer = viewer;
    socket.data.needsIdentity = earlierViewer === undefined || !isSameViewer(earlierViewer, viewer);
    // A recovered socket is still in the rooms of the earlier viewer.
    if (earlierViewer !== undefined && socket.data.needsIdentity)
      for (const room of viewerRooms(earlierViewer)) void socket.leave(room);
    return undefined;
  }

  /**
   * Counts the socket at once. It joins its rooms later, so a count by rooms would let others in meanwhile.
   * All programs with tokens of one account have together as many sockets as one device.
   * @returns false if there are too many
   */
  #accept(socket: BrowserSocket, { deviceId, userId, token }: Viewer): boolean {
    const key = token ? `tokens of ${userId}` : `device ${deviceId}`;
    if (!this.#accepted.mayOpen(key)) return false;
    // The browser may have gone while it was identified. Then nothing tells of the end any more.
    if (socket.conn.readyState === "closed") return true;
    const close = this.#accepted.add(key);
    let isClosed = false;
    const closeOnce = (): void => {
      if (!isClosed) close();
      isClosed = true;
    };
    // A socket that was not connected yet tells nothing; a connection may open a second socket after the first.
    socket.once("disconnect", closeOnce);
    socket.conn.once("close", closeOnce);
    return true;
  }

  /** Joins the rooms of the viewer; sends all jobs and, unless the browser knows it, the identity. */
  async #sendState(socket: BrowserSocket): Promise<void> {
    const { viewer } = socket.data;
    // Rooms first, so that no change is missed while the list is read. The page merges the two.
    await socket.join(viewerRooms(viewer));
    // A recovered connection may have missed a change: it comes from this process, not from the process before.
    socket.emit("sites", this.#settings.siteReports.status);
    if (socket.data.needsIdentity)
      socket.emit("identity", { tier: viewer.tier, authenticated: viewer.userId !== null });
    // To a recovered connection too: while it was identified, pushes were neither among those it missed nor sent to it.
    const asOf = new Date().toISOString();
    const jobs = await listJobs(this.#domain, viewer);
    socket.emit("snapshot", { asOf, jobs: jobs.map((job) => this.#delivered.withDeliveredProgress(presentJob(job))) });
  }

  /** Each process with browsers receives these events and acts on its own sockets only. */
  #subscribeToBus(): (() => void)[] {
    const { bus } = this.#domain;
    return [
      bus.subscribe("session:ended", ({ sessionIds }) => this.#disconnect("session", sessionIds)),
      bus.subscribe("token:revoked", ({ tokenIds }) => this.#disconnect("token", tokenIds)),
      bus.subscribe("device:changed", ({ deviceId }) =>
        this.#io.local.in(`device:${deviceId}`).disconnectSockets(true),
      ),
      bus.subscribe("identity", ({ userId, tier }) => {
        for (const socket of this.#io.sockets.sockets.values())
          if (socket.data.viewer?.userId === userId) socket.data.viewer = { ...socket.data.viewer, tier };
        this.#io.local.to(`user:${userId}`).emit("identity", { tier, authenticated: true });
      }),
    ];
  }

  #closeSocketsOnOutage(): (() => void)[] {
    const { cluster, database } = this.#settings;
    // Only the connections are closed: pages reconnect, each after its own delay, and then get a snapshot.
    const onChange = (isUp: boolean): void => {
      if (isUp) return;
      for (const { conn } of this.#io.sockets.sockets.values()) conn.close();
    };
    return [database.onChange(onChange), cluster?.onChange(onChange) ?? (() => undefined)];
  }

  #isBlocked(viewer: Viewer | undefined, request: IncomingMessage): boolean {
    return this.#domain.blocks.isVisitorBlocked(viewer, this.#settings.addressOf(request));
  }

  /** Connections are closed too that have not said yet whose they are. */
  #closeBlockedSockets(): void {
    for (const socket of this.#io.sockets.sockets.values())
      if (this.#isBlocked(socket.data.viewer, socket.request)) socket.disconnect(true);
    for (const connection of this.#open) if (this.#isBlocked(undefined, connection.request)) connection.close(true);
  }

  /**
   * A session may expire while its browser is idle, and the message of a revoked token may be lost. The sockets are
   * closed, and a page reconnects without its session.
   */
  async #closeEndedSessions(): Promise<void> {
    const viewers = [...this.#io.sockets.sockets.values()].map((socket) => socket.data.viewer);
    const sessionIds = [...new Set(viewers.flatMap((viewer) => viewer?.sessionId ?? []))];
    const tokenIds = [...new Set(viewers.flatMap((viewer) => viewer?.token?.id ?? []))];
    const sessions = await validSessions(this.#domain, sessionIds);
    const tokens = await validTokens(this.#domain, tokenIds);
    this.#disconnect(
      "session",
      sessionIds.filter((id) => !sessions.has(id)),
    );
    this.#disconnect(
      "token",
      tokenIds.filter((id) => !tokens.has(id)),
    );
  }

  #disconnect(kind: "session" | "token", ids: readonly string[]): void {
    if (ids.length > 0) this.#io.local.in(ids.map((id) => `${kind}:${id}`)).disconnectSockets(true);
  }
}

/** @returns an error whose `data` the page shows as it shows a refused call */
function refusalWith(code: ErrorCode, message: string): Error {
  const body: ErrorBody = { code, message };
  return Object.assign(new Error(body.message), { data: body });
}

/** A change of tier counts too: the `identity` event went to the sockets that were open at that moment only. */
function isSameViewer(one: Viewer, other: Viewer): boolean {
  return (
    one.deviceId === other.deviceId &&
    one.userId === other.userId &&
    one.sessionId === other.sessionId &&
    one.token?.id === other.token?.id &&
    one.tier === other.tier
  );
}
