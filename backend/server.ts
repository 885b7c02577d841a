/** Puts the parts together and takes them apart again, in order. */
import { randomUUID } from "node:crypto";
import type { Server } from "node:http";
import { hostname } from "node:os";
import { join } from "node:path";
import type { Logger } from "pino";
import type { Config } from "./config/config.ts";
import { openBilling } from "./runtime/open-billing.ts";
import { claimDatabase } from "./runtime/process-claim.ts";
import { connectToDatabase } from "./runtime/database.ts";
import { fitDatabase } from "./runtime/database-version.ts";
import { billingAccountHook } from "./domain/billing/account-hook.ts";
import { watchDatabase } from "./domain/database-watch.ts";
import { createDeviceCookies } from "./domain/device-cookie.ts";
import { createIdentifyViewer, createProofReader } from "./domain/identify-viewer.ts";
import type { Domain } from "./domain/domain.ts";
import { openJobModel } from "./domain/job-model.ts";
import { openSessionModel } from "./domain/sessions.ts";
import { watchTiers } from "./domain/tier-watch.ts";
import { openUsageModel } from "./domain/usage-model.ts";
import { openMakers, type Makers } from "./domain/makers.ts";
import { usageAccountHook } from "./domain/usage.ts";
import { openUserModel } from "./domain/user-model.ts";
import { openStore } from "./runtime/open-store.ts";
import { createApp, createHealthApp } from "./http/app.ts";
import { installFrontDoor } from "./http/edge/front-door.ts";
import { createOriginCheck } from "./http/middleware/guards.ts";
import { createSecurityHeaders } from "./http/edge/security-headers.ts";
import type { Previews } from "./domain/previews.ts";
import { createMetrics } from "./runtime/metrics.ts";
import { convert } from "./pipeline/convert.ts";
import { startExtractorHost } from "./pipeline/probe/extractor-host.ts";
import { CoreShare } from "./pipeline/process/core-share.ts";
import { startEgressGuard } from "./pipeline/guard/egress-guard.ts";
import type { HostSemaphore } from "./pipeline/fetch/host-semaphore.ts";
import type { VideoInfo } from "./pipeline/probe/info.ts";
import { LearnedPaces } from "./pipeline/progress/learned-paces.ts";
import type { Pipeline } from "./pipeline/pipeline.ts";
import { SharedWork } from "./pipeline/process/shared-work.ts";
import { openScratch } from "./runtime/scratch.ts";
import { sendNews, type NewsEvent } from "./realtime/news.ts";
import { SOCKET_PATH, startRealtime } from "./realtime/realtime.ts";
import { openSharing } from "./runtime/sharing.ts";
import type { FileStore } from "./storage/file-store.ts";
import type { Surroundings } from "./runtime/runtime.ts";
import { openBillingTickets } from "./worker/billing-tickets.ts";
import { startBillingWorker } from "./worker/billing-worker.ts";
import { createPreviews } from "./worker/previews.ts";
import { openTickets, type Tickets } from "./worker/tickets.ts";
import { startWorker, type ConversionWorker } from "./worker/worker.ts";

export interface RunningServer {
  /** Rejects with a ConfigError when another process has taken over this one's work; then it must stop. */
  readonly lost: Promise<never>;
  /**
   * In order: say that we are not ready, give running jobs back, close connections and sockets, then the database.
   * What is begun when this is called is finished or undone, never left half.
   */
  stop(): Promise<void>;
  /**
   * The same after an error that no promise caught, without waiting for anything that runs: the jobs count a death, since
   * one of them may have caused it.
   */
  die(): Promise<void>;
}

/** A conversion started within a minute of looking reads nothing again. Metadata of a long video is some MB. */
const PREVIEW_KEPT = { keepMs: 60_000, maxKept: 16 };
/** They wait for the payment provider rather than for this machine. */
const BILLING_CONCURRENCY = 4;
/** Longer than everything that one of them asks of the provider may take, each with its tries. */
const BILLING_LOCK_MS = 5 * 60 * 1_000;

/** @param http already listening, so that a taken port is known before anything is set up */
export async function startServer(http: Server, config: Config, around: Surroundings, log: Logger): Promise<RunningServer> {
  const { env, settings } = config;
  await using started = new AsyncDisposableStack();
  if (config.isProduction && env.SUPPORT_EMAIL === undefined) log.warn(`SUPPORT_EMAIL is not set: visitors are told to write to ${config.contacts.supportEmail}`);
  const onError = (error: unknown) => log.error({ error }, "something failed in the background");

  const connection = await connectToDatabase(around.mongodbUri);
  started.defer(() => connection.close());
  const workerId = `${hostname()}:${process.pid}:${randomUUID()}`;
  // Before anything is changed.
  const claim = await claimDatabase(connection, { holder: workerId, isAlone: config.isAlone, leaseMs: settings.domain.leaseMs, onError });
  started.defer(() => claim.release());
  const database = watchDatabase(connection);
  started.defer(() => database.stop());
  database.onChange((isUp) => (isUp ? log.info("the database answers again") : log.warn("the database does not answer; calls are told to come back")));
  const versionNote = await fitDatabase(connection, env.ROLE === "all");
  if (versionNote !== null) log.warn(versionNote);
  const { bus, cluster, openCounter, hostSemaphore, ...sharing } = await openSharing(config, log);
  started.defer(() => sharing.close());
  const store = await openStore(config, started);
  const tickets = await openTickets(connection, bus, {
    name: workerId,
    concurrency: env.WORKER_CONCURRENCY,
    lockMs: settings.domain.leaseMs,
    pollMs: settings.worker.ticketPollMs,
    onError,
  });
  const billingTickets = await openBillingTickets(connection, bus, {
    name: workerId,
    concurrency: BILLING_CONCURRENCY,
    lockMs: BILLING_LOCK_MS,
    pollMs: settings.worker.ticketPollMs,
    onError,
  });
  const users = await openUserModel(connection);
  const { billing, paymentPage } = await openBilling({ connection, users, queue: billingTickets, config, around, log });
  const usage = await openUsageModel(connection);
  const domain: Domain = {
    jobs: await openJobModel(connection),
    users,
    sessions: await openSessionModel(connection),
    usage,
    accountHooks: [usageAccountHook(usage), billingAccountHook(billing)],
    bus,
    tickets,
    videoHosts: [...env.VIDEO_HOSTS, ...around.extraVideoHosts],
    limits: settings.domain,
    removeFile: (key) => store.remove(key),
  };

  const metrics = createMetrics(domain.jobs, bus, database);
  if (cluster !== null) metrics.show("tapedeck_redis_up", () => Number(cluster.isUp()));
  const hasSite = env.ROLE !== "worker";
  // A web process reads metadata for its previews; only a worker goes on from there.
  const pipeline = await openPipeline({ config, around, videoHosts: domain.videoHosts, hostSemaphore, log, started });
  const newsSettings = { pushIntervalMs: settings.realtime.pushIntervalMs, countNews: (event: NewsEvent) => metrics.countNews(event) };
  // Before the worker: what it says first is heard.
  const news = hasSite || cluster === null ? null : sendNews(bus, { cluster, ...newsSettings });
  const { isAlone } = config;
  const scratch = isAlone ? { path: join(config.dataDir, "scratch") } : started.use(await openScratch(join(config.dataDir, "scratch"), workerId, settings.domain.leaseMs, onError));
  const makers = await openMakers(connection, { workerId, leaseMs: settings.domain.leaseMs });
  const worker = env.ROLE === "web" ? null : await openWorker({ config, around, pipeline, domain, store, makers, scratchFolder: scratch.path, tickets, workerId, isAlone, log });
  if (worker) metrics.show("tapedeck_conversions_running", () => worker.runningCount());
  const billingWorker = env.ROLE === "web" ? null : await startBillingWorker(billing, billingTickets, { sweepMs: settings.worker.sweepMs, log });
  const cookies = createDeviceCookies(around.sessionKeys, config.publicUrl.startsWith("https:"));
  const identifyViewer = createIdentifyViewer(domain, cookies, around.sessionKeys);
  const isOwnOrigin = createOriginCheck(config.publicUrl);
  let isReady = true;
  const health = { isReady: async () => isReady && (await database.answersNow()) };
  const operators = { page: metrics, token: env.METRICS_TOKEN };
  const isSecure = config.publicUrl.startsWith("https:");
  const securityHeaders = await createSecurityHeaders({ isSecure, paymentPage, distFolder: around.distFolder });
  const site = {
    domain,
    previews: openPreviews(config, pipeline, scratch.path, started),
    store,
    billing,
    paymentPage,
    cookies,
    identifyViewer,
    sessionKeys: around.sessionKeys,
    signIn: config.signIn ?? around.identityProvider?.signIn ?? null,
    signInTiming: { timeoutMs: settings.signIn.timeoutMs, sessionMs: config.sessionMs },
    publicUrl: config.publicUrl,
    trustedProxies: env.TRUST_PROXY,
    rateLimits: settings.rates,
    openCounter,
    isOwnOrigin,
    health,
    database,
    metrics: operators,
    sampleLinks: around.sampleLinks,
    distFolder: around.distFolder,
    contacts: config.contacts,
    isSecure,
    securityHeaders,
    log,
  };
  const answer = (hasSite ? createApp(site) : createHealthApp({ health, metrics: operators, securityHeaders, log })).callback();
  http.removeAllListeners("request");
  const { identityProvider } = around;
  http.on("request", (request, response) => {
    if (hasSite && identityProvider && request.url?.startsWith(`${identityProvider.prefix}/`)) identityProvider.handle(request, response);
    else void answer(request, response);
  });
  // After that: Socket.IO puts itself before whoever answers by then, or long polling finds nobody.
  const realtime = !hasSite ? null : startRealtime(http, domain, {
    prove: createProofReader(cookies, around.sessionKeys),
    identify: (cookieHeader) => database.during(() => identifyViewer(cookieHeader)),
    database,
    sessionCheckMs: settings.realtime.sessionCheckMs,
    isOwnOrigin,
    socketsPerDevice: settings.realtime.socketsPerDevice,
    recoveryMs: settings.realtime.recoveryMs,
    pingIntervalMs: settings.realtime.pingIntervalMs,
    pingTimeoutMs: settings.realtime.pingTimeoutMs,
    cluster,
    ...newsSettings,
    onError,
  });
  installFrontDoor(http, securityHeaders, SOCKET_PATH);

  if (realtime) metrics.show("tapedeck_sockets", () => realtime.socketCount());
  const tierWatch = hasSite ? watchTiers(domain, settings.realtime.tierPollMs, onError) : null;
  started.defer(async () => tierWatch?.stop());
  const rest = started.move();
  const stop = async (stopWorker: () => Promise<void> | undefined, drainMs: number): Promise<void> => {
    isReady = false;
    // Hand-backs are still pushed to browsers, so the sockets go after the worker.
    await Promise.all([stopWorker(), billingWorker?.stop()]);
    news?.close();
    await closeConnections(http, realtime, drainMs);
    await rest.disposeAsync();
  };
  return {
    lost: claim.lost,
    stop: () => stop(() => worker?.stop(), config.drainMs),
    die: () => stop(() => worker?.die(), 0),
  };
}

/** Sockets at once, they find another process; calls and downloads when they are done, or when their time is up. */
async function closeConnections(http: Server, realtime: { close(): Promise<void> } | null, drainMs: number): Promise<void> {
  if (drainMs === 0) http.closeAllConnections();
  const cutOff = setTimeout(() => http.closeAllConnections(), drainMs);
  try {
    if (realtime) await realtime.close();
    else await new Promise((closed) => http.close(closed));
  } finally {
    clearTimeout(cutOff);
  }
}

interface PipelineParts {
  readonly config: Config;
  readonly around: Surroundings;
  readonly videoHosts: Domain["videoHosts"];
  readonly hostSemaphore: HostSemaphore;
  readonly log: Logger;
  readonly started: AsyncDisposableStack;
}

async function openPipeline({ config, around, videoHosts, hostSemaphore, log, started }: PipelineParts): Promise<Pipeline> {
  const guard = await startEgressGuard({ allow: videoHosts, log: (line) => log.warn(line) });
  started.defer(() => guard.stop());
  const extractorHost = await startExtractorHost(around.ytDlpPath, config.dataDir);
  if (extractorHost) started.use(extractorHost);
  else log.warn("yt-dlp cannot be kept loaded here; every conversion starts it anew");
  const extractions = new SharedWork<VideoInfo>(PREVIEW_KEPT);
  return {
    ...(extractorHost ? { extractorHost } : {}),
    cores: new CoreShare(),
    paces: new LearnedPaces(),
    hostSemaphore,
    tools: { ytDlpPath: around.ytDlpPath, ffmpegPath: around.ffmpegPath, ffprobePath: around.ffprobePath, nodePath: process.execPath },
    guard,
    videoHosts,
    limits: config.settings.pipeline,
    extractions,
  };
}

function openPreviews(config: Config, pipeline: Pipeline, scratchFolder: string, started: AsyncDisposableStack): Previews {
  const previews = createPreviews(pipeline, { scratchFolder, concurrency: config.settings.previews.concurrency, pictureMs: config.settings.previews.pictureMs, kept: PREVIEW_KEPT });
  started.defer(() => previews.stop());
  return previews;
}

interface WorkerParts {
  readonly config: Config;
  readonly around: Pick<Surroundings, "convert">;
  readonly pipeline: Pipeline;
  readonly domain: Domain;
  readonly store: FileStore;
  readonly makers: Makers;
  readonly scratchFolder: string;
  readonly tickets: Tickets;
  readonly workerId: string;
  /** Nobody else works on the queue. */
  readonly isAlone: boolean;
  readonly log: Logger;
}

function openWorker({ config, around, pipeline, tickets, workerId, isAlone, ...workshop }: WorkerParts): Promise<ConversionWorker> {
  const { settings } = config;
  return startWorker(
    {
      ...workshop,
      writeIntervalMs: settings.worker.progressWriteMs,
      convert: around.convert ?? ((request, listener, signal) => convert(request, listener, pipeline, signal)),
    },
    tickets,
    {
      workerId,
      heartbeatMs: Math.floor(settings.domain.leaseMs / 3),
      sweepMs: settings.worker.sweepMs,
      strayFileCheckMs: settings.worker.strayFileCheckMs,
      strayFileAgeMs: settings.worker.strayFileAgeMs,
      isAlone,
      drainMs: config.drainMs,
    },
  );
}
