/** The socket's edge: what arrives is checked here, and handed on only if its shape is known. */
import { io } from "socket.io-client";
import type { Socket } from "socket.io-client";
import type { z } from "zod";
import { Usage } from "../../../common/api.ts";
import { IdentityEvent, JobRemovedEvent, SnapshotEvent } from "../../../common/events.ts";
import { Job } from "../../../common/job.ts";

export interface SocketListener {
  onConnect(): void;
  /** The connection broke or could not be made; called once a try. */
  onLost(): void;
  onSnapshot(snapshot: z.infer<typeof SnapshotEvent>): void;
  onJob(job: Job): void;
  onRemoved(id: string): void;
  onIdentity(identity: z.infer<typeof IdentityEvent>): void;
  onUsage(usage: Usage): void;
  /** The server ended the connection: whoever sat here may be somebody else now. */
  onDismissed(): void;
}

/** A socket to the page's own server (or the given address), not yet connected. */
export function createSocket(url?: string): Socket {
  const options = {
    autoConnect: false,
    withCredentials: true,
    // Straight to the WebSocket; long polling is for networks that will not let it through.
    transports: ["websocket", "polling"],
    tryAllTransports: true,
    reconnectionDelay: 500,
    reconnectionDelayMax: 5_000,
  };
  return url === undefined ? io(options) : io(url, options);
}

/** Subscribes to everything the server says. An event of unknown shape is dropped: a poll or snapshot follows. */
export function listenTo(socket: Socket, listener: SocketListener): void {
  const on = <Shape extends z.ZodType>(event: string, shape: Shape, use: (value: z.output<Shape>) => void) =>
    socket.on(event, (payload: unknown) => {
      const parsed = shape.safeParse(payload);
      if (parsed.success) use(parsed.data);
    });

  socket.on("connect", () => listener.onConnect());
  socket.on("connect_error", () => listener.onLost());
  socket.on("disconnect", (reason) => {
    // Closed by this client on purpose: whoever did it connects again.
    if (reason === "io client disconnect") return;
    const isDismissed = reason === "io server disconnect";
    if (isDismissed) listener.onDismissed();
    listener.onLost();
    // The one case the library leaves to us: the server ended the session and wants a new handshake.
    if (isDismissed) socket.connect();
  });
  on("snapshot", SnapshotEvent, (snapshot) => listener.onSnapshot(snapshot));
  on("job", Job, (job) => listener.onJob(job));
  on("job:removed", JobRemovedEvent, ({ id }) => listener.onRemoved(id));
  on("identity", IdentityEvent, (identity) => listener.onIdentity(identity));
  on("usage", Usage, (usage) => listener.onUsage(usage));
}
