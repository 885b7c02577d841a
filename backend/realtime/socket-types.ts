/** The types of our Socket.IO server and of its sockets. */
import type { Server, Socket } from "socket.io";
import type { ClientEvents, ServerEvents } from "../../common/events.ts";
import type { Viewer } from "../domain/accounts/viewer.ts";

export interface SocketData {
  viewer: Viewer;
  /** False if the socket continues an earlier connection of the same viewer. */
  needsIdentity: boolean;
  /** Whether the socket was closed because its browser did not read. When it reconnects, it gets only a snapshot. */
  isBehind?: boolean;
}

export type SocketServer = Server<ClientEvents, ServerEvents, Record<string, never>, SocketData>;
export type BrowserSocket = Socket<ClientEvents, ServerEvents, Record<string, never>, SocketData>;
