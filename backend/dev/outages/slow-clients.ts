/** Clients that read slowly or not at all, while another visitor uses the site. */
import { readdir, truncate } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { LiveView } from "../testing/live-view.ts";
import { createVisitor, type Visitor } from "../testing/visitor.ts";
import { openDevice } from "../testing/test-device.ts";
import { JOIN_FRAME, WEB_SOCKET_UPGRADE } from "../testing/web-socket-bytes.ts";
import { Ledger } from "./ledger.ts";
import { END_TIMEOUT_MS, MAX_TRIES, seconds, type Passage } from "./outage.ts";
import { type Product } from "../product/product.ts";

const READERS = 200;
const BYTES_PER_SECOND = 1_000;
const READING_MS = 30_000;
/** Larger than the buffers of a connection. */
const FILE_BYTES = 20_000_000;
const MUTE_SOCKETS = 50;
/** Pings go unanswered for 10 + 8 s; a busy machine may need a little longer. */
const CLOSED_WITHIN_MS = 40_000;
/** Time for the garbage collector after the clients have gone. */
const RECOVERY_MS = 40_000;
const POLL_MS = 250;
/** More memory afterwards than this many times the memory before is a fault. */
const MOST_GROWTH = 1.5;
const CALL_MS = 5_000;
/** Calls at the same time before the watch begins. */
const CONNECTIONS = 40;
/** Open files that jobs and calls need at the same time. */
const FEW = 20;

/** 200 downloads of a file at 1 kB/s each. */
export async function readSlowly(product: Product): Promise<Passage> {
  const device = await openDevice(product.origin);
  const live = await device.live();
  const { id } = await device.convert(`${await product.sampleUrl("cello")}?slow`);
  await live.untilStatus(id, "completed", "failed");
  await truncate(join(product.dataDir, "files", await fileOf(product, id)), FILE_BYTES);
  const watch = await Watch.begin(product);
  const request = requestOf(product, `/api/conversions/${id}/file`, device.cookie);
  const readers = Array.from({ length: READERS }, () => new SlowReader(product, request));
  await delay(READING_MS);
  const bytes = readers.reduce((sum, reader) => sum + reader.bytes, 0);
  const alive = readers.filter((reader) => reader.isOpen).length;
  for (const reader of readers) reader.close();
  const { line, faults } = await watch.end();
  device.close();
  return {
    line: `${READERS} readers at 1 kB/s for ${seconds(READING_MS)} (${(bytes / READERS / 1_000).toFixed(0)} kB each): ${line}`,
    faults: alive < READERS ? [...faults, `only ${alive} of ${READERS} readers stayed connected`] : [...faults],
  };
}

/** 50 WebSockets that join and read nothing, while jobs of their visitor are pushed. */
export async function connectMutely(product: Product): Promise<Passage> {
  const ledger = new Ledger();
  const visitor = await createVisitor(product.origin, ledger.calls, MAX_TRIES);
  const tab = await visitor.openTab();
  const watch = await Watch.begin(product);
  const sockets = Array.from({ length: MUTE_SOCKETS }, () => openMuteSocket(product, visitor.device.cookie));
  await watch.untilFiles((files) => files >= watch.filesBefore + MUTE_SOCKETS);
  const openedAtMs = Date.now();
  await convertSome(product, visitor, tab);
  const isClosed = await watch.untilFiles((files) => files < watch.filesBefore + FEW);
  const closedMs = Date.now() - openedAtMs;
  for (const socket of sockets) socket.destroy();
  const { line, faults } = await watch.end();
  tab.close();
  return {
    line: `${MUTE_SOCKETS} sockets that do not read: ${isClosed ? `closed after ${seconds(closedMs)}` : "stay open"}; ${line}`,
    faults: isClosed ? faults : [...faults, "the server did not close the sockets"],
  };
}

async function convertSome(product: Product, visitor: Visitor, tab: LiveView): Promise<void> {
  const page = await product.sampleUrl("cello");
  const jobs = await Promise.all(["a", "b", "c"].map((name) => visitor.convert(`${page}?mute=${name}`, "mp3")));
  await Promise.all(jobs.map(({ id }) => tab.untilEnded(id, END_TIMEOUT_MS)));
}

async function fileOf({ dataDir }: Product, jobId: string): Promise<string> {
  const name = (await readdir(join(dataDir, "files"))).find((file) => file.startsWith(jobId) && file.endsWith(".mp3"));
  if (name === undefined) throw new Error(`job ${jobId} has no file`);
  return name;
}

function requestOf({ origin }: Product, path: string, cookie: string, headers: readonly string[] = []): string {
  const lines = [`GET ${path} HTTP/1.1`, `Host: ${new URL(origin).host}`, `Cookie: ${cookie}`, ...headers];
  return `${lines.join("\r\n")}\r\n\r\n`;
}

function open({ origin }: Product): Socket {
  const { hostname, port } = new URL(origin);
  // The server may reset the connection.
  return connect(Number(port), hostname).on("error", () => undefined);
}

class SlowReader {
  readonly #socket: Socket;
  readonly #timer: NodeJS.Timeout;
  #bytes = 0;

  constructor(product: Product, request: string) {
    this.#socket = open(product);
    this.#socket.write(request);
    this.#socket.pause();
    this.#timer = setInterval(() => {
      const chunk = this.#socket.read(BYTES_PER_SECOND) as Buffer | null;
      this.#bytes += chunk?.length ?? 0;
    }, 1_000);
  }

  get bytes(): number {
    return this.#bytes;
  }

  get isOpen(): boolean {
    return !this.#socket.destroyed;
  }

  close(): void {
    clearInterval(this.#timer);
    this.#socket.destroy();
  }
}

/** Opens a WebSocket that joins Socket.IO and then reads nothing. */
function openMuteSocket(product: Product, cookie: string): Socket {
  const socket = open(product);
  const upgrade = [`Origin: ${product.origin}`, ...WEB_SOCKET_UPGRADE];
  socket.write(requestOf(product, "/socket.io/?EIO=4&transport=websocket", cookie, upgrade));
  socket.once("readable", () => socket.write(JOIN_FRAME));
  socket.pause();
  return socket;
}

/** Memory and open files of the server, and the calls of another visitor, from the beginning to the end. */
class Watch {
  readonly #product: Product;
  readonly #beforeMb: number;
  readonly filesBefore: number;
  readonly #timer: NodeJS.Timeout;
  #peakMb = 0;
  #slowestMs = 0;
  #isCalling = false;

  private constructor(product: Product, beforeMb: number, filesBefore: number) {
    this.#product = product;
    this.#beforeMb = beforeMb;
    this.filesBefore = filesBefore;
    this.#timer = setInterval(() => void this.#sample(), POLL_MS);
  }

  static async begin(product: Product): Promise<Watch> {
    // Opens the connections to the database that many calls at the same time need, which then stay open.
    await Promise.all(Array.from({ length: CONNECTIONS }, () => callOnce(product)));
    return new Watch(product, product.residentMb() ?? 0, await openFiles(product));
  }

  /** @returns false when the number of open files does not become so in time */
  async untilFiles(isReached: (files: number) => boolean): Promise<boolean> {
    const deadlineMs = Date.now() + CLOSED_WITHIN_MS;
    while (!isReached(await openFiles(this.#product))) {
      if (Date.now() > deadlineMs) return false;
      await delay(POLL_MS);
    }
    return true;
  }

  async end(): Promise<Passage> {
    await delay(RECOVERY_MS);
    clearInterval(this.#timer);
    const afterMb = this.#product.residentMb() ?? 0;
    const files = await openFiles(this.#product);
    const memory = [this.#beforeMb, this.#peakMb, afterMb].map((mb) => mb.toFixed(0)).join(" → ");
    return {
      line:
        `memory ${memory} MB (before, most, after), open files ${this.filesBefore} → ${files}, ` +
        `slowest call of another visitor ${seconds(this.#slowestMs)}`,
      faults: [
        ...(afterMb > this.#beforeMb * MOST_GROWTH ? ["the memory did not come down"] : []),
        ...(files > this.filesBefore + FEW ? ["files or connections stayed open"] : []),
        ...(this.#slowestMs > CALL_MS ? ["a call of another visitor took too long"] : []),
      ],
    };
  }

  async #sample(): Promise<void> {
    this.#peakMb = Math.max(this.#peakMb, this.#product.residentMb() ?? 0);
    if (this.#isCalling) return;
    this.#isCalling = true;
    const beganAtMs = performance.now();
    await callOnce(this.#product);
    this.#slowestMs = Math.max(this.#slowestMs, performance.now() - beganAtMs);
    this.#isCalling = false;
  }
}

async function callOnce({ origin }: Product): Promise<void> {
  const answer = await fetch(`${origin}/api/conversions`);
  await answer.body?.cancel();
}

async function openFiles({ pid }: Product): Promise<number> {
  return (await readdir(`/proc/${pid}/fd`)).length;
}
