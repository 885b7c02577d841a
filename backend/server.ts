/** Starts the parts of a server in order, and stops them in the reverse order. */
import { randomUUID } from "node:crypto";
import type { Server } from "node:http";
import { hostname } from "node:os";
import { join } from "node:path";
import type { Logger } from "pino";
import type { Config } from "./config/config.ts";
import { billingAccountHook } from "./domain/billing/account-hook.ts";
import { watchDatabase } from "./domain/database/database-watch.ts";
import { createDeviceCookies } from "./domain/accounts/device-cookie.ts";
import type { Domain } from "./domain/domain.ts";
import { createIdentifyViewer, createCookieVerifier } from "./domain/accounts/identify-viewer.ts";
import { openConversionLeases } from "./domain/jobs/conversion-leases.ts";
import { openModels } from "./domain/database/models.ts";
import { watchTiers } from "./domain/accounts/tier-watch.ts";
import { usageAccountHook } from "./domain/accounts/usage.ts";
import { createApp, createHealthApp, type AppSettings } from "./http/app.ts";
import { installFrontDoor } from "./http/edge/front-door.ts";
import { createSecurityHeaders } from "./http/edge/security-headers.ts";
import { createOriginCheck } from "./http/middleware/guards.ts";
import { convert } from "./pipeline/convert.ts";
import type { Pipeline } from "./pipeline/pipeline.ts";
import { startWorkerPublisher, type PublisherSettings } from "./realtime/publisher.ts";
import { SOCKET_PATH, startRealtime, type Realtime } from "./realtime/realtime.ts";
import { connectToDatabase } from "./runtime/database.ts";
import { checkDatabaseVersion } from "./runtime/database-version.ts";
import { createMetrics, type Metrics } from "./runtime/metrics.ts";
import { openBilling } from "./runtime/open-billing.ts";
import { openPipeline, openPreviews } from "./runtime/open-pipeline.ts";
import { openStore } from "./runtime/open-store.ts";
import { claimDatabase } from "./runtime/process-claim.ts";
import type { Runtime } from "./runtime/runtime.ts";
import { openScratch } from "./runtime/scratch.ts";
import { openSharing } from "./runtime/sharing.ts";
import { openBillingTickets } from "./worker/billing-tickets.ts";
import { startBillingWorker } from "./worker/billing-worker.ts";
import { openTickets } from "./worker/tickets.ts";
import { startWorker, type ConversionWorker } from "./worker/worker.ts";

export interface RunningServer {
  /** Rejects with a ConfigError when another process has taken over this one's work; then it must stop. */
  readonly lost: Promise<never>;
  /**
   * Reports not ready, hands running jobs back, closes connections and sockets, then the database. Writes that have
   * begun are finished or undone.
   */
  stop(): Promise<void>;
  /**
   * Stops after an uncaught error without waiting for running jobs. Each of them counts a worker death, since one of
   * them may have caused the error.
   */
  stopAfterCrash(): Promise<void>;
}

/** Billing tasks wait for the payment provider rather than for this machine. */
const BILLING_CONCURRENCY = 4;
/** Longer than all requests and retries of one billing task may take. */
const BILLING_LOCK_MS = 5 * 60 * 1_000;

/** Passed to each step of the start. */
interface Start {
  readonly config: Config;
  readonly runtime: Runtime;
  readonly log: Logger;
  /** Closed in reverse order when the server stops, or at once when the start fails. */
  readonly started: AsyncDisposableStack;
  /** Unique among all processes. */
  readonly workerId: string;
  readonly onError: (error: unknown) => void;
}
type Foundation = Awaited<ReturnType<typeof openFoundation>>;
type Product = Awaited<ReturnType<typeof openProduct>>;
type Work = Awaited<ReturnType<typeof startWork>>;
type Site = Awaited<ReturnType<typeof startSite>>;

/**
 * @param http already listening, so that a taken port is reported before anything is set up
 * @throws ConfigError in one line when a service that the server needs cannot be used; what was started is stopped
 */
export async function startServer(http: Server, config: Config, runtime: Runtime, log: Logger): Promise<RunningServer> {
  await using started = new AsyncDisposableStack();
  const workerId = `${hostname()}:${process.pid}:${randomUUID()}`;
  const onError = (error: unknown) => log.error({ error }, "something failed in the background");
  const start: Start = { config, runtime, log, started, workerId, onError };
  if (config.isProduction && config.env.SUPPORT_EMAIL === undefined)
    log.warn(`SUPPORT_EMAIL is not set: the pages name ${config.contacts.supportEmail}`);

  const foundation = await openFoundation(start);
  const product = await openProduct(start, foundation);
  const metrics = createMetrics(product.domain.jobs, foundation.sharing.bus, foundation.database);
  const work = await startWork(start, foundation, product, metrics);
  const site = await startSite(http, start, { foundation, product, work, metrics });

  const rest = started.move();
  return {
    lost: foundation.claim.lost,
    stop: () => stopServer(http, { work, site, rest }, () => work.worker?.stop(), config.drainMs),
    stopAfterCrash: () => stopServer(http, { work, site, rest }, () => work.worker?.stopAfterCrash(), 0),
  };
}

/** Opens the database, the parts shared with other processes, and the file store. */
async function openFoundation({ config, runtime, log, started, workerId, onError }: Start) {
  const connection = await connectToDatabase(runtime.mongodbUri);
  started.defer(() => connection.close());
  // Before the first write, so that a rejected process changes nothing.
  const claim = await claimDatabase(connection, {
    holder: workerId,
    isSingleProcess: config.isSingleProcess,
    leaseMs: config.settings.domain.leaseMs,
    onError,
  });
  started.defer(() => claim.release());
  const database = watchDatabase(connection);
  started.defer(() => database.stop());
  database.onChange((isUp) => {
    if (isUp) log.info("the database answers again");
    else log.warn("the database does not answer; requests get 503 until it does");
  });
  const versionNote = await checkDatabaseVersion(connection, config.env.ROLE === "all");
  if (versionNote !== null) log.warn(versionNote);
  const sharing = await openSharing(config, log);
  started.defer(() => sharing.close());
  const store = await openStore(config, started);
  return { connection, claim, database, sharing, store };
}

/** Opens the domain: models, queues and billing. */
async function openProduct(
  { config, runtime, log, workerId, onError }: Start,
  { connection, sharing, store }: Foundation,
) {
  const { env, settings } = config;
  const { bus } = sharing;
  const queue = { name: workerId, pollMs: settings.worker.ticketPollMs, onError };
  const tickets = await openTickets(connection, bus, {
    ...queue,
    concurrency: env.WORKER_CONCURRENCY,
    lockMs: settings.domain.leaseMs,
  });
  const billingTickets = await openBillingTickets(connection, bus, {
    ...queue,
    concurrency: BILLING_CONCURRENCY,
    lockMs: BILLING_LOCK_MS,
  });
  const models = await openModels(connection);
  const { billing, paymentPage } = openBilling({ models, queue: billingTickets, config, runtime, log });
  const domain: Domain = {
    jobs: models.jobs,
    users: models.users,
    sessions: models.sessions,
    usage: models.usage,
    accountHooks: [usageAccountHook(models.usage), billingAccountHook(billing)],
    bus,
    tickets,
    videoHosts: [...env.VIDEO_HOSTS, ...runtime.extraVideoHosts],
    limits: settings.domain,
    removeFile: (key) => store.remove(key),
  };
  return { domain, tickets, billing, billingTickets, paymentPage };
}

/** Starts the workers for conversions and billing. A process with ROLE=web has only the pipeline, for previews. */
async function startWork(start: Start, { sharing, ...foundation }: Foundation, product: Product, metrics: Metrics) {
  const { config, started, log } = start;
  const { domain, billing, billingTickets } = product;
  const { cluster, hostSemaphore } = sharing;
  if (cluster !== null) metrics.show("tapedeck_redis_up", () => Number(cluster.isUp()));
  const pipeline = await openPipeline({ ...start, videoHosts: domain.videoHosts, hostSemaphore });
  // Before the worker, so that its first events are published. A process with a site publishes through its sockets.
  const publisher =
    hasSite(config) || cluster === null
      ? null
      : startWorkerPublisher(sharing.bus, { cluster, ...publisherSettings(config, metrics) });
  const folder = join(config.dataDir, "scratch");
  const scratch = config.isSingleProcess
    ? { path: folder }
    : started.use(await openScratch(folder, start.workerId, config.settings.domain.leaseMs, start.onError));
  if (config.env.ROLE === "web")
    return { pipeline, publisher, scratchFolder: scratch.path, worker: null, billingWorker: null };
  const worker = await openWorker(start, foundation, product, pipeline, scratch.path);
  metrics.show("tapedeck_conversions_running", () => worker.runningCount());
  const billingWorker = await startBillingWorker(billing, billingTickets, {
    sweepMs: config.settings.worker.sweepMs,
    log,
  });
  return { pipeline, publisher, scratchFolder: scratch.path, worker, billingWorker };
}

async function openWorker(
  { config, runtime, workerId, log }: Start,
  { connection, store }: Pick<Foundation, "connection" | "store">,
  { domain, tickets }: Product,
  pipeline: Pipeline,
  scratchFolder: string,
): Promise<ConversionWorker> {
  const { leaseMs } = config.settings.domain;
  const { sweepMs, strayFileCheckMs, strayFileAgeMs, progressWriteMs } = config.settings.worker;
  const leases = await openConversionLeases(connection, { workerId, leaseMs });
  return startWorker(
    {
      domain,
      store,
      leases,
      scratchFolder,
      log,
      writeIntervalMs: progressWriteMs,
      convert: runtime.convert ?? ((request, listener, signal) => convert(request, listener, pipeline, signal)),
    },
    tickets,
    {
      workerId,
      // Two heartbeats may be lost before the lease ends.
      heartbeatMs: Math.floor(leaseMs / 3),
      sweepMs,
      strayFileCheckMs,
      strayFileAgeMs,
      isSingleProcess: config.isSingleProcess,
      drainMs: config.drainMs,
    },
  );
}

interface SiteParts {
  readonly foundation: Foundation;
  readonly product: Product;
  readonly work: Work;
  readonly metrics: Metrics;
}

/** Starts to answer requests: all routes and sockets, or only health and metrics with ROLE=worker. */
async function startSite(http: Server, start: Start, parts: SiteParts) {
  const { config, runtime, log } = start;
  const readiness = { isStopping: false };
  const health = { isReady: async () => !readiness.isStopping && (await parts.foundation.database.answersNow()) };
  const metrics = { page: parts.metrics, token: config.env.METRICS_TOKEN };
  const securityHeaders = await createSecurityHeaders({
    isSecure: isSecure(config),
    paymentPage: parts.product.paymentPage,
    distFolder: runtime.distFolder,
  });
  http.removeAllListeners("request");
  let realtime: Realtime | null = null;
  if (hasSite(config)) {
    const settings = createAppSettings(start, parts, { health, metrics, securityHeaders });
    answerWithSite(http, settings, runtime);
    // After the site: Socket.IO puts itself before the request listeners that exist, or long polling is not answered.
    realtime = startSockets(http, start, parts, settings);
  } else {
    const answer = createHealthApp({ health, metrics, securityHeaders, log }).callback();
    http.on("request", (request, response) => void answer(request, response));
  }
  installFrontDoor(http, securityHeaders, SOCKET_PATH);
  return { realtime, readiness };
}

function createAppSettings(
  { config, runtime, started, log }: Start,
  { foundation, product, work }: SiteParts,
  shared: Pick<AppSettings, "health" | "metrics" | "securityHeaders">,
): AppSettings {
  const { domain, billing, paymentPage } = product;
  const { sessionKeys, sampleLinks, distFolder } = runtime;
  const cookies = createDeviceCookies(sessionKeys, isSecure(config));
  return {
    ...shared,
    domain,
    previews: openPreviews(config, work.pipeline, work.scratchFolder, started),
    store: foundation.store,
    billing,
    paymentPage,
    cookies,
    identifyViewer: createIdentifyViewer(domain, cookies, sessionKeys),
    sessionKeys,
    signIn: config.signIn ?? runtime.identityProvider?.signIn ?? null,
    signInTiming: { timeoutMs: config.settings.signIn.timeoutMs, sessionMs: config.sessionMs },
    publicUrl: config.publicUrl,
    trustedProxies: config.env.TRUST_PROXY,
    rateLimits: config.settings.rates,
    openCounter: foundation.sharing.openCounter,
    isOwnOrigin: createOriginCheck(config.publicUrl),
    database: foundation.database,
    sampleLinks,
    distFolder,
    contacts: config.contacts,
    isSecure: isSecure(config),
    log,
  };
}

/** Answers requests of the site, and in development those of the identity provider below its path. */
function answerWithSite(http: Server, settings: AppSettings, { identityProvider }: Runtime): void {
  const answer = createApp(settings).callback();
  http.on("request", (request, response) => {
    if (identityProvider && request.url?.startsWith(`${identityProvider.prefix}/`))
      identityProvider.handle(request, response);
    else void answer(request, response);
  });
}

function startSockets(
  http: Server,
  { config, started, onError }: Start,
  parts: SiteParts,
  settings: AppSettings,
): Realtime {
  const { foundation, metrics } = parts;
  const { database } = foundation;
  const { domain, cookies, identifyViewer, sessionKeys, isOwnOrigin } = settings;
  const { sessionCheckMs, socketsPerDevice, recoveryMs, pingIntervalMs, pingTimeoutMs, tierPollMs } =
    config.settings.realtime;
  const realtime = startRealtime(http, domain, {
    prove: createCookieVerifier(cookies, sessionKeys),
    identify: (cookieHeader) => database.during(() => identifyViewer(cookieHeader)),
    database,
    sessionCheckMs,
    isOwnOrigin,
    socketsPerDevice,
    recoveryMs,
    pingIntervalMs,
    pingTimeoutMs,
    cluster: foundation.sharing.cluster,
    ...publisherSettings(config, metrics),
    onError,
  });
  metrics.show("tapedeck_sockets", () => realtime.socketCount());
  const tierWatch = watchTiers(domain, tierPollMs, onError);
  started.defer(() => tierWatch.stop());
  return realtime;
}

function hasSite({ env }: Config): boolean {
  return env.ROLE !== "worker";
}

function isSecure({ publicUrl }: Config): boolean {
  return publicUrl.startsWith("https:");
}

function publisherSettings(
  { settings }: Config,
  metrics: Metrics,
): Pick<PublisherSettings, "pushIntervalMs" | "countPush"> {
  return { pushIntervalMs: settings.realtime.pushIntervalMs, countPush: (event) => metrics.countPush(event) };
}

interface Stopping {
  readonly work: Work;
  readonly site: Site;
  /** Everything that was opened before. */
  readonly rest: AsyncDisposableStack;
}

/** @param drainMs how long requests and downloads in progress may take */
async function stopServer(
  http: Server,
  { work, site, rest }: Stopping,
  stopWorker: () => Promise<void> | undefined,
  drainMs: number,
): Promise<void> {
  site.readiness.isStopping = true;
  // Jobs that are handed back are still pushed to browsers, so the sockets close after the worker.
  await Promise.all([stopWorker(), work.billingWorker?.stop()]);
  work.publisher?.close();
  await closeConnections(http, site.realtime, drainMs);
  await rest.disposeAsync();
}

/** Closes sockets at once: browsers reconnect to another process. Requests and downloads may end within `drainMs`. */
async function closeConnections(http: Server, realtime: Realtime | null, drainMs: number): Promise<void> {
  if (drainMs === 0) http.closeAllConnections();
  const cutOff = setTimeout(() => http.closeAllConnections(), drainMs);
  try {
    if (realtime) await realtime.close();
    else await new Promise((closed) => http.close(closed));
  } finally {
    clearTimeout(cutOff);
  }
}
