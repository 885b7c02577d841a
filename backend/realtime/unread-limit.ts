/**
 * Bounds the memory for a browser that does not read what it is sent. Engine.IO keeps unsent packets without a bound,
 * and a WebSocket that is closed keeps its own for another 30 s while it waits for the other side to answer. Here the
 * TCP socket of such a connection is destroyed, which frees the memory at once.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket as TcpSocket } from "node:net";
import type { Server } from "socket.io";

/**
 * In characters; a version of a job has about a thousand. As much again, or one long list, may be buffered in the TCP
 * socket. 30 jobs with five pushes per second take longer to fill this than a phone needs to pass a tunnel.
 */
const MAX_WAITING_LENGTH = 1_000_000;
/** Estimated memory of a waiting packet besides its text, in bytes. */
const PACKET_OVERHEAD = 200;

/** The part of the library's connection object that is used here; its published type hides the rest. */
export interface EngineConnection {
  readonly transport: {
    /** Of a WebSocket; its TCP socket is null after it was closed. */
    readonly socket?: { readonly _socket: TcpSocket | null };
    /** The open request of long polling. */
    readonly res?: ServerResponse | null;
  };
  /** The first request of the connection. */
  readonly request: IncomingMessage;
  readonly writeBuffer: readonly unknown[];
  on(event: "packetCreate", listener: (packet: { readonly data?: unknown }) => void): void;
  on(event: "flush", listener: () => void): void;
  once(event: "close", listener: (reason: string) => void): void;
  close(discard: boolean): void;
}

/**
 * Closes connections of an engine whose unsent packets exceed the limit.
 * @param onBehind called with a connection just before it is closed for that
 */
export function limitUnread(engine: Server["engine"], onBehind: (connection: EngineConnection) => void): void {
  engine.on("connection", (connection: EngineConnection) => {
    const limit = new UnreadLimit(connection, onBehind);
    connection.on("flush", () => limit.onFlush());
    connection.on("packetCreate", ({ data }) => limit.onPacket(data));
    connection.once("close", (reason) => limit.onClose(reason));
  });
}

class UnreadLimit {
  readonly #connection: EngineConnection;
  readonly #onBehind: (connection: EngineConnection) => void;
  #waitingLength = 0;
  #isClosing = false;
  /** The last answer to a request of long polling. */
  #lastAnswer: ServerResponse | undefined;

  constructor(connection: EngineConnection, onBehind: (connection: EngineConnection) => void) {
    this.#connection = connection;
    this.#onBehind = onBehind;
  }

  onFlush(): void {
    this.#waitingLength = 0;
    this.#lastAnswer = this.#connection.transport.res ?? undefined;
  }

  onPacket(data: unknown): void {
    // Only the packets before this one count, because one list alone may be longer than the limit.
    if (this.#connection.writeBuffer.length === 0) this.#waitingLength = 0;
    if (this.#waitingLength > MAX_WAITING_LENGTH && !this.#isClosing) {
      this.#isClosing = true;
      // The server is just iterating over the sockets that get this packet.
      process.nextTick(() => this.#close());
    }
    this.#waitingLength += PACKET_OVERHEAD + (typeof data === "string" ? data.length : 0);
  }

  onClose(reason: string): void {
    // A browser that does not answer a ping does not answer a close either.
    if (reason === "ping timeout") this.#destroy();
  }

  #close(): void {
    this.#onBehind(this.#connection);
    this.#connection.close(true);
    this.#destroy();
  }

  #destroy(): void {
    const { _socket: tcpSocket } = this.#connection.transport.socket ?? {};
    // With a reset the kernel drops its send buffer too.
    tcpSocket?.resetAndDestroy();
    // After an answer was read completely, its TCP connection may carry requests of others behind the same proxy.
    if (this.#lastAnswer?.writableFinished === false) this.#lastAnswer.socket?.resetAndDestroy();
  }
}
