/** Starts the server for the fuzz: as in development, on loopback, with a data folder and a database of its own. */
import { EventEmitter, once } from "node:events";
import { readdir, readFile, readlink } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import { mergeSettings } from "../../config/settings.ts";
import { setUpBilling } from "../../domain/billing/set-up.ts";
import { createStripeClient } from "../../domain/billing/provider/stripe-client.ts";
import { siteDatabaseUri, startEmbeddedDatabase } from "../database/embedded-database.ts";
import { linkSharedFolders } from "../product/data-folder.ts";
import { startProduct, type Product } from "../product/product.ts";
import { repositoryDataDir } from "../repository.ts";
import { FEW_VISITORS_LIMITS } from "../wide-limits.ts";
import { prepareTools } from "../setup/tools.ts";
import { MailServer } from "../stand-ins/mail-server.ts";
import { startPaymentProvider } from "../stand-ins/payment-provider/payment-provider.ts";
import { startSampleSite } from "../stand-ins/sample-site/sample-site.ts";

const MANY_CALLS = 1_000_000;
/** Wide enough that requests reach the handlers. */
const SETTINGS = mergeSettings(FEW_VISITORS_LIMITS, {
  // Most conversions repeat one that was made, and cost nothing. Every socket that connects gets the list.
  domain: { sharesFiles: true, listLength: 20, maxAttempts: 1 },
  rates: {
    previewPerDevice: MANY_CALLS,
    fileLinkPerDevice: MANY_CALLS,
    billingPerUser: MANY_CALLS,
    accountPerUser: MANY_CALLS,
    contactPerDevice: MANY_CALLS,
    contactPerNetwork: MANY_CALLS,
  },
});
const METRICS_TOKEN = "fuzz-fuzz-fuzz-fuzz";
/** Nothing listens on it: connections are refused at once. */
const DEAD_HOST = "127.0.0.1:9";
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

export interface ServerUnderFuzz extends AsyncDisposable {
  readonly origin: string;
  /** Link of a short video. */
  readonly link: string;
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
  const address = new URL(siteDatabaseUri(database));
  address.searchParams.set("maxIdleTimeMS", "2000");
  const mongodbUri = address.href;
  const lines = new ServerLines(report);
  const product = await startProduct({
    dataDir: await linkSharedFolders(join(folder, "server")),
    tools,
    settings: mergeSettings(SETTINGS, { payment: { apiAddress: payments.origin } }),
    nodeArguments: ["--expose-gc", "--import", join(import.meta.dirname, "memory-report.ts")],
    env: {
      // Requests come from many addresses of the IPv4 loopback.
      HOST: "127.0.0.1",
      MONGODB_URI: mongodbUri,
      LOG_LEVEL: "info",
      // No request leaves this machine.
      VIDEO_HOSTS: `${site.host},${DEAD_HOST}`,
      STRIPE_SECRET_KEY: payments.secretKey,
      STRIPE_PUBLISHABLE_KEY: payments.publishableKey,
      STRIPE_WEBHOOK_SECRET: "whsec_fuzz",
      METRICS_TOKEN,
      SMTP_URL: `smtp://127.0.0.1:${mails.port}`,
      SUPPORT_EMAIL: "support@fuzz.example",
    },
    onOutput: (line) => lines.add(line),
  });
  started.defer(() => product.stop());
  const rest = started.move();
  return {
    origin: product.origin,
    link: site.urlOf("cello"),
    mongodbUri,
    errors: lines.errors,
    hasEnded: () => product.pid === undefined,
    measure: () => measure(product, lines),
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

async function measure(product: Product, lines: ServerLines): Promise<Vitals> {
  const reported = once(lines.memory, "report") as Promise<[string]>;
  product.signal("SIGUSR2");
  const [json] = await reported;
  const memory = Memory.parse(JSON.parse(json));
  const metrics = await fetch(`${product.origin}/metrics`, {
    headers: { authorization: `Bearer ${METRICS_TOKEN}`, connection: "close" },
  });
  const descriptors = await readDescriptors(product.pid);
  const connections = await connectionsTo(Number(new URL(product.origin).port));
  return {
    rssBytes: memory.rss,
    heapBytes: memory.heapUsed,
    descriptors: descriptors.length,
    connections: descriptors.filter((link) => connections.has(link)).length,
    sockets: Number(/^tapedeck_sockets(?:\{[^}]*\})? (\d+)/m.exec(await metrics.text())?.[1] ?? "NaN"),
  };
}

/** @returns what each descriptor of a process is, such as `socket:[123]` */
async function readDescriptors(pid: number | undefined): Promise<string[]> {
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

/** Sessions of long polling end after the interval and the time limit of pings, together 18 s. */
const QUIET_TIMEOUT_MS = 60_000;
const LOOK_MS = 2_000;

/**
 * Measures until no visitor is connected and two measurements agree in their descriptors.
 * @returns the last measurement, also when the time is over
 * @throws Error when the server has ended
 */
export async function untilQuiet(server: ServerUnderFuzz): Promise<Vitals> {
  const deadlineMs = Date.now() + QUIET_TIMEOUT_MS;
  let last: Vitals | undefined;
  for (;;) {
    if (server.hasEnded()) throw new Error(`the server has ended:\n${server.errors.join("\n")}`);
    const now = await server.measure();
    const isQuiet = now.connections === 0 && now.sockets === 0 && last?.descriptors === now.descriptors;
    if (isQuiet || Date.now() > deadlineMs) return now;
    last = now;
    await wait(LOOK_MS);
  }
}
