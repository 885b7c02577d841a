/**
 * Server-sent events: a connection of Socket.IO for readers that do not speak its protocol. It stands where a connection
 * of Engine.IO stands, so identity, rooms, limits and the recovery of missed events are those of sockets. It sends no
 * packets to the server but the first one.
 */
import { randomUUID } from "node:crypto";
import { EventEmitter } from "node:events";
import type { IncomingMessage } from "node:http";
import { PassThrough, type Readable } from "node:stream";
import { z } from "zod";
import { ErrorBody, UserError } from "../../common/errors.ts";

/** In bytes, unread. A reader so far behind is cut off, comes back, and gets a snapshot. */
const MAX_UNREAD_BYTES = 1_000_000;
/** Proxies close a connection that is silent for a minute. */
const HEARTBEAT_MS = 25_000;
/** Readers wait so long before they come back. */
const RETRY_MS = 2_000;

/** Types of packets in the protocol of Socket.IO. */
const CONNECT = "0";
const EVENT = "2";
const CONNECT_ERROR = "4";

const Connected = z.object({ pid: z.string() });
const Refused = z.object({ data: ErrorBody.optional() });
/** Name and message of an event, then the place in the history of events, for those that are kept. */
const Packet = z.tuple([z.string(), z.unknown()]).rest(z.string());

/** Separates the two parts of an event's id: of the connection, and of the event. */
const ID_SEPARATOR = "~";

export class EventStream extends EventEmitter {
  readonly id = randomUUID();
  readonly protocol = 4;
  readonly transport = { name: "events", writable: true };
  readonly request: IncomingMessage;
  readyState: "open" | "closed" = "open";
  readonly #output = new PassThrough();
  readonly #accepted = Promise.withResolvers<Readable>();
  #connectionId = "";
  #heartbeat: NodeJS.Timeout | undefined;

  constructor(request: IncomingMessage) {
    super();
    this.request = request;
    // Koa destroys the output when the reader closes the connection.
    this.#output.once("close", () => this.#end("transport close"));
    this.#output.on("error", () => this.#end("transport error"));
  }

  /**
   * Asks Socket.IO to accept the connection, which must be known to it.
   * @param lastEventId of the connection that this one continues; empty for a new one
   * @returns the text of the stream
   * @throws UserError if it is refused
   */
  begin(lastEventId: string): Promise<Readable> {
    const [pid, offset] = lastEventId.split(ID_SEPARATOR);
    const recovered = pid && offset ? JSON.stringify({ pid, offset }) : "";
    this.emit("data", CONNECT + recovered);
    return this.#accepted.promise;
  }

  /** Called by Socket.IO with an encoded packet. */
  write(packet: unknown): void {
    if (typeof packet !== "string" || this.readyState !== "open") return;
    const body = packet.slice(1);
    if (packet.startsWith(EVENT)) this.#send(body);
    else if (packet.startsWith(CONNECT_ERROR)) this.#refuse(body);
    else if (packet.startsWith(CONNECT)) this.#accept(body);
  }

  /** Called by Socket.IO, which then forgets the connection. */
  close(): void {
    this.#end("forced close");
  }

  #accept(body: string): void {
    this.#connectionId = Connected.parse(JSON.parse(body)).pid;
    this.#output.write(`retry: ${RETRY_MS}\n\n`);
    this.#heartbeat = setInterval(() => this.#output.write(":\n\n"), HEARTBEAT_MS);
    this.#accepted.resolve(this.#output);
  }

  #refuse(body: string): void {
    const { data } = Refused.parse(JSON.parse(body));
    // Without data the caller has neither a token nor the cookie of a device.
    this.#accepted.reject(data ? new UserError(data.code, data.message, data.reason) : new UserError("bad_request"));
    this.#end("forced close");
  }

  #send(body: string): void {
    const [name, message, offset] = Packet.parse(JSON.parse(body));
    const id = offset === undefined ? "" : `id: ${this.#connectionId}${ID_SEPARATOR}${offset}\n`;
    this.#output.write(`event: ${name}\n${id}data: ${JSON.stringify(message)}\n\n`);
    // Not a reason of which Socket.IO keeps the missed events: they are what is too much.
    if (this.#output.readableLength + this.#output.writableLength > MAX_UNREAD_BYTES) this.#end("behind");
  }

  #end(reason: string): void {
    if (this.readyState === "closed") return;
    this.readyState = "closed";
    clearInterval(this.#heartbeat);
    this.#accepted.reject(new UserError("unavailable_now"));
    this.#output.destroy();
    this.emit("close", reason);
  }
}
