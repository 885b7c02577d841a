/** Starts the server for the fuzz: as in development, on loopback, with a data folder and a database of its own. */
import { EventEmitter, once } from "node:events";
import { mkdir, readdir, readFile, readlink, symlink } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { mergeSettings } from "../../config/settings.ts";
import { setUpBilling } from "../../domain/billing/set-up.ts";
import { createStripeClient } from "../../domain/billing/provider/stripe-client.ts";
import { startEmbeddedDatabase } from "../database/embedded-database.ts";
import { ownPort } from "../own-port.ts";
import { repositoryDataDir, REPOSITORY_ROOT } from "../repository.ts";
import { serverArguments } from "../settings-argument.ts";
import { FEW_VISITORS_LIMITS } from "../wide-limits.ts";
import { prepareTools } from "../setup/tools.ts";
import { MailServer } from "../stand-ins/mail-server.ts";
import { startPaymentProvider } from "../stand-ins/payment-provider/payment-provider.ts";
import { startSampleSite } from "../stand-ins/sample-site/sample-site.ts";
import { startServerProcess, type ServerProcess } from "../stand-ins/server-process.ts";
import type { FuzzTarget } from "./render-request.ts";

const MANY_CALLS = 1_000_000;
/** Wide enough that requests reach the handlers. */
const SETTINGS = mergeSettings(FEW_VISITORS_LIMITS, {
  // Most conversions repeat one that was made, and cost nothing. Every socket that connects gets the list.
  domain: { sharesFiles: true, listLength: 20, maxAttempts: 1 },
  rates: {
    previewPerDevice: MANY_CALLS,
    billingPerUser: MANY_CALLS,
    accountPerUser: MANY_CALLS,
    contactPerDevice: MANY_CALLS,
    contactPerAddress: MANY_CALLS,
  },
});
const WEBHOOK_SECRET = "whsec_fuzz";
const METRICS_TOKEN = "fuzz-fuzz-fuzz-fuzz";
/** Nothing listens on it: connections are refused at once. */
const DEAD_HOST = "127.0.0.1:9";
/** The arguments of `npm start`, and those for the memory report. */
const NODE_ARGUMENTS = [
  "--max-semi-space-size=4",
  "--heap-growing-percent=50",
  "--expose-gc",
  "--import",
  join(REPOSITORY_ROOT, "backend/dev/fuzz/memory-report.ts"),
];
const Memory = z.object({ rss: z.number(), heapUsed: z.number(), external: z.number() });

export interface Vitals {
  readonly rssBytes: number;
  readonly heapBytes: number;
  /** Open files and sockets of the process. */
  readonly descriptors: number;
  /** Connections of visitors. */
  readonly connections: number;
  /** Sessions of the socket server. */
  readonly sockets: number;
}

export interface ServerUnderFuzz extends FuzzTarget, AsyncDisposable {
  readonly mongodbUri: string;
  /** Lines of the log that say an error, and what the process printed without the log. */
  readonly errors: readonly string[];
  /** Whether the process has ended. */
  hasEnded(): boolean;
  /** Collects garbage and measures. */
  measure(): Promise<Vitals>;
}

/** @param folder data of this run */
export async function startServerUnderFuzz(folder: string, report: (line: string) => void): Promise<ServerUnderFuzz> {
  await using started = new AsyncDisposableStack();
  const stopLater = async <T extends { stop(): Promise<void> }>(part: Promise<T>): Promise<T> => {
    const running = await part;
    started.defer(() => running.stop());
    return running;
  };
  const dataDir = repositoryDataDir();
  const tools = await prepareTools({ dataDir, report });
  const database = await stopLater(
    startEmbeddedDatabase({ dataDir: folder, toolsDir: join(dataDir, "tools"), report }),
  );
  const site = await stopLater(startSampleSite({ dataDir, ffmpegPath: tools.ffmpegPath, report: () => undefined }));
  const mails = started.use(await MailServer.start());
  const payments = await stopLater(startPaymentProvider({ port: 0, log: () => undefined }));
  await setUpBilling(
    createStripeClient({ secretKey: payments.secretKey, apiAddress: payments.origin, timeoutMs: 5_000 }),
    null,
  );
  // Idle connections are closed, so that the descriptors before and after can be compared.
  const mongodbUri = `${database.uri.replace(/\/$/, "")}/tapedeck?maxIdleTimeMS=2000`;
  // Its clips are made once, and take longer than anything else.
  await mkdir(join(folder, "server"), { recursive: true });
  await symlink(join(dataDir, "sample-site"), join(folder, "server", "sample-site"));
  const port = await ownPort();
  const lines = new ServerLines(report);
  const server = await startServerProcess({
    name: "the server",
    command: [
      process.execPath,
      ...NODE_ARGUMENTS,
      ...serverArguments(mergeSettings(SETTINGS, { payment: { apiAddress: payments.origin } })),
    ],
    readyLine: /Tapedeck is ready/,
    env: {
      PATH: process.env["PATH"],
      HOME: process.env["HOME"],
      PORT: String(port),
      HOST: "127.0.0.1",
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      DATA_DIR: join(folder, "server"),
      MONGODB_URI: mongodbUri,
      YTDLP_PATH: tools.ytDlpPath,
      FFMPEG_PATH: tools.ffmpegPath,
      // No request leaves this machine.
      VIDEO_HOSTS: `${site.host},${DEAD_HOST}`,
      YOUTUBE_EXTRACTOR_RELEASE: "off",
      STRIPE_SECRET_KEY: payments.secretKey,
      STRIPE_PUBLISHABLE_KEY: payments.publishableKey,
      STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
      METRICS_TOKEN,
      SMTP_URL: `smtp://127.0.0.1:${mails.port}`,
      SUPPORT_EMAIL: "support@fuzz.example",
    },
    log: (line) => lines.add(line),
  });
  started.defer(() => server.end("SIGTERM"));
  const rest = started.move();
  return {
    origin: `http://127.0.0.1:${port}`,
    link: site.urlOf("cello"),
    list: site.urlOf("list-60"),
    deadLink: `http://${DEAD_HOST}/watch`,
    webhookSecret: WEBHOOK_SECRET,
    metricsToken: METRICS_TOKEN,
    mongodbUri,
    errors: lines.errors,
    hasEnded: () => !isRunning(server.pid),
    measure: () => measure(server, port, lines),
    [Symbol.asyncDispose]: () => rest.disposeAsync(),
  };
}

/** What the server prints. */
class ServerLines {
  readonly errors: string[] = [];
  readonly memory = new EventEmitter();
  readonly #report: (line: string) => void;
  #isReady = false;
  /** Whether the line before is an error. */
  #isInError = false;

  constructor(report: (line: string) => void) {
    this.#report = report;
  }

  add(line: string): void {
    if (line.startsWith("fuzz-memory ")) return void this.memory.emit("report", line.slice("fuzz-memory ".length));
    if (!this.#isReady) this.#report(`  ${line}`);
    if (line.includes("Tapedeck is ready")) this.#isReady = true;
    // A line of the log begins with a time, its details with a space; anything else was printed by Node itself.
    if (line.startsWith(" ")) {
      if (this.#isInError) this.errors.push(`${this.errors.pop() ?? ""} ${line.trim()}`);
      return;
    }
    this.#isInError = this.#isReady && (!line.startsWith("[") || /^\[[\d:]+\] (?:ERROR|FATAL)/.test(line));
    if (this.#isInError) this.errors.push(line);
  }
}

async function measure(server: ServerProcess, port: number, lines: ServerLines): Promise<Vitals> {
  const reported = once(lines.memory, "report") as Promise<[string]>;
  server.signal("SIGUSR2");
  const [json] = await reported;
  const memory = Memory.parse(JSON.parse(json));
  const metrics = await fetch(`http://127.0.0.1:${port}/metrics`, {
    headers: { authorization: `Bearer ${METRICS_TOKEN}`, connection: "close" },
  });
  const descriptors = await readDescriptors(server.pid);
  const connections = await connectionsTo(port);
  return {
    rssBytes: memory.rss,
    heapBytes: memory.heapUsed,
    descriptors: descriptors.length,
    connections: descriptors.filter((link) => connections.has(link)).length,
    sockets: Number(/^tapedeck_sockets(?:\{[^}]*\})? (\d+)/m.exec(await metrics.text())?.[1] ?? "NaN"),
  };
}

/** @returns what each descriptor of a process is, such as `socket:[123]` */
async function readDescriptors(pid: number): Promise<string[]> {
  const folder = `/proc/${pid}/fd`;
  const names = await readdir(folder);
  // One may have been closed since the listing.
  const links = await Promise.all(names.map((name) => readlink(join(folder, name)).catch(() => null)));
  return links.filter((link) => link !== null);
}

/**
 * @returns the server's ends of the connections to a port of this machine, as `readDescriptors` names them, without
 *   those from 127.0.0.1: `fetch` keeps its connections open
 */
async function connectionsTo(port: number): Promise<ReadonlySet<string>> {
  const table = await readFile("/proc/net/tcp", "utf8");
  const local = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  const rows = table.split("\n").map((line) => line.trim().split(/\s+/));
  // 0A is the listening socket.
  const open = rows.filter(
    ([, address = "", remote = "", state]) =>
      address.endsWith(local) && state !== "0A" && !remote.startsWith("0100007F"),
  );
  return new Set(open.map((row) => `socket:[${row[9] ?? ""}]`));
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    // ESRCH: there is no such process.
    return false;
  }
}
