/**
 * Bounds what waits for a browser that does not read. Engine.IO keeps unsent packets without a bound, and a WebSocket
 * that is closed keeps its own for another 30 s while it waits for the other side to answer. Here such a connection's
 * TCP socket is destroyed, which gives the memory back at once.
 */
import type { ServerResponse } from "node:http";
import type { Socket as TcpSocket } from "node:net";
import type { Server } from "socket.io";

/**
 * In characters; a version of a job has about a thousand. As much again, or one long list, may be on its way in the
 * socket itself. Even 30 jobs at five pushes a second take longer to fill this than a phone takes through a tunnel.
 */
export const MAX_WAITING_LENGTH = 1_000_000;
/** What a waiting packet takes besides its text. */
const PACKET_OVERHEAD = 200;

/** What is used of the library's own object, whose published type hides the rest. */
export interface EngineConnection {
  readonly transport: {
    /** Of a WebSocket; its TCP socket is null once that is closed. */
    readonly socket?: { readonly _socket: TcpSocket | null };
    /** The open request of long polling. */
    readonly res?: ServerResponse | null;
  };
  readonly writeBuffer: readonly unknown[];
  on(event: "packetCreate", listener: (packet: { readonly data?: unknown }) => void): void;
  on(event: "flush", listener: () => void): void;
  once(event: "close", listener: (reason: string) => void): void;
  close(discard: boolean): void;
}

/**
 * Guards all connections of an engine.
 * @param onBehind hears of a connection just before it is ended because too much waits for it
 */
export function limitUnread(engine: Server["engine"], onBehind: (connection: EngineConnection) => void): void {
  engine.on("connection", (connection: EngineConnection) => {
    let waitingLength = 0;
    let isEnding = false;
    let lastPoll: ServerResponse | undefined;

    connection.on("flush", () => {
      waitingLength = 0;
      lastPoll = connection.transport.res ?? undefined;
    });
    connection.on("packetCreate", ({ data }) => {
      // A packet is judged by what waits before it: one list may be longer than the limit.
      if (connection.writeBuffer.length === 0) waitingLength = 0;
      if (waitingLength > MAX_WAITING_LENGTH && !isEnding) {
        isEnding = true;
        // Not while the server goes through the sockets that get this packet.
        process.nextTick(end);
      }
      waitingLength += PACKET_OVERHEAD + (typeof data === "string" ? data.length : 0);
    });
    connection.once("close", (reason) => {
      // A browser that does not answer a ping does not answer a close either.
      if (reason === "ping timeout") destroy();
    });

    function end(): void {
      onBehind(connection);
      connection.close(true);
      destroy();
    }
    function destroy(): void {
      // Reset: otherwise the kernel would go on offering what it has taken.
      const { _socket: line } = connection.transport.socket ?? {};
      line?.resetAndDestroy();
      // Once an answer is read, its TCP connection may carry requests of others behind the same proxy.
      if (lastPoll?.writableFinished === false) lastPoll.socket?.resetAndDestroy();
    }
  });
}
