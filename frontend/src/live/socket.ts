/** Creates the socket and validates the events that it receives. */
import { io } from "socket.io-client";
import type { Socket } from "socket.io-client";
import type { z } from "zod";
import { Usage } from "../../../common/api.ts";
import { IdentityEvent, JobRemovedEvent, SnapshotEvent } from "../../../common/events.ts";
import { Job } from "../../../common/job.ts";
import { SiteStatus } from "../../../common/site-status.ts";

export interface SocketListener {
  onConnect(): void;
  /** The connection broke or an attempt to connect failed; called once per attempt. */
  onLost(): void;
  onSnapshot(snapshot: z.infer<typeof SnapshotEvent>): void;
  onJob(job: Job): void;
  onRemoved(id: string): void;
  onIdentity(identity: z.infer<typeof IdentityEvent>): void;
  onUsage(usage: Usage): void;
  onSites(status: SiteStatus): void;
  /** The server closed the connection, because the session has ended. */
  onSessionEnded(): void;
}

/**
 * Creates a socket that is not connected yet.
 * @param url of the server; without it the server of the page
 */
export function createSocket(url?: string): Socket {
  const options = {
    autoConnect: false,
    withCredentials: true,
    // WebSocket first; long polling for networks that block it.
    transports: ["websocket", "polling"],
    tryAllTransports: true,
    reconnectionDelay: 500,
    reconnectionDelayMax: 5_000,
  };
  return url === undefined ? io(options) : io(url, options);
}

/** Subscribes to all events of the server. An event of unknown shape is dropped; a poll or snapshot replaces it. */
export function listenToSocket(socket: Socket, listener: SocketListener): void {
  const on = <Shape extends z.ZodType>(event: string, shape: Shape, use: (value: z.output<Shape>) => void) =>
    socket.on(event, (payload: unknown) => {
      const parsed = shape.safeParse(payload);
      if (parsed.success) use(parsed.data);
    });

  socket.on("connect", () => listener.onConnect());
  socket.on("connect_error", () => listener.onLost());
  socket.on("disconnect", (reason) => {
    // Closed by this client, which also connects again.
    if (reason === "io client disconnect") return;
    const isSessionEnded = reason === "io server disconnect";
    if (isSessionEnded) listener.onSessionEnded();
    listener.onLost();
    // After a disconnect by the server, socket.io does not connect again by itself.
    if (isSessionEnded) socket.connect();
  });
  on("snapshot", SnapshotEvent, (snapshot) => listener.onSnapshot(snapshot));
  on("job", Job, (job) => listener.onJob(job));
  on("job:removed", JobRemovedEvent, ({ id }) => listener.onRemoved(id));
  on("identity", IdentityEvent, (identity) => listener.onIdentity(identity));
  on("usage", Usage, (usage) => listener.onUsage(usage));
  on("sites", SiteStatus, (status) => listener.onSites(status));
}
