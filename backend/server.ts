/** Puts the parts together and takes them apart again, in order. */
import { randomUUID } from "node:crypto";
import type { Server } from "node:http";
import { hostname } from "node:os";
import { join } from "node:path";
import mongoose from "mongoose";
import type { Logger } from "pino";
import type { Config } from "./config.ts";
import { createInProcessBus } from "./domain/bus.ts";
import { createDeviceCookies } from "./domain/device-cookie.ts";
import { createIdentifyViewer } from "./domain/identify-viewer.ts";
import type { Domain } from "./domain/domain.ts";
import { openJobModel } from "./domain/job-model.ts";
import { openSessionModel } from "./domain/sessions.ts";
import { watchTiers } from "./domain/tier-watch.ts";
import { openUsageModel } from "./domain/usage-model.ts";
import { usageAccountHook } from "./domain/usage.ts";
import { openUserModel } from "./domain/user-model.ts";
import { createApp } from "./http/app.ts";
import { createOriginCheck } from "./http/guards.ts";
import { convert } from "./pipeline/convert.ts";
import { startExtractorHost } from "./pipeline/extractor/extractor-host.ts";
import { CoreShare } from "./pipeline/core-share.ts";
import { startEgressGuard } from "./pipeline/egress-guard.ts";
import type { Pipeline } from "./pipeline/pipeline.ts";
import { startRealtime } from "./realtime/realtime.ts";
import { openDiskStore } from "./storage/disk-store.ts";
import type { FileStore } from "./storage/file-store.ts";
import type { Surroundings } from "./surroundings.ts";
import { openTickets, type Tickets } from "./worker/tickets.ts";
import { startWorker, type Worker } from "./worker/worker.ts";

export interface RunningServer {
  /**
   * In order: say that we are not ready, give running jobs back, close connections and sockets, then the database.
   * What is begun when this is called is finished or undone, never left half.
   */
  stop(): Promise<void>;
}

/** The database is answering or it is not; nobody waits half a minute to be told. */
const DATABASE_PATIENCE_MS = 5_000;
/** Far longer than any of our queries takes; a connection that hangs for longer is dead. */
const DATABASE_ANSWER_MS = 20_000;

/** @param http already listening, so that a taken port is known before anything is set up */
export async function startServer(http: Server, config: Config, around: Surroundings, log: Logger): Promise<RunningServer> {
  const { env } = config;
  await using started = new AsyncDisposableStack();
  const onError = (error: unknown) => log.error({ error }, "something failed in the background");

  const connection = await mongoose
    .createConnection(around.mongodbUri, { serverSelectionTimeoutMS: DATABASE_PATIENCE_MS, socketTimeoutMS: DATABASE_ANSWER_MS, appName: "tapedeck" })
    .asPromise();
  started.defer(() => connection.close());
  const bus = createInProcessBus();
  started.defer(() => bus.close());
  const store = await openDiskStore(join(config.dataDir, "files"));
  const workerId = `${hostname()}:${process.pid}:${randomUUID()}`;
  const tickets = await openTickets(connection, bus, {
    name: workerId,
    concurrency: env.WORKER_CONCURRENCY,
    lockMs: env.LEASE_MS,
    pollMs: env.TICKET_POLL_MS,
    onError,
  });
  const usage = await openUsageModel(connection);
  const domain: Domain = {
    jobs: await openJobModel(connection),
    users: await openUserModel(connection),
    sessions: await openSessionModel(connection),
    usage,
    accountHooks: [usageAccountHook(usage)],
    bus,
    tickets,
    videoHosts: [...env.VIDEO_HOSTS, ...around.extraVideoHosts],
    limits: config.domainLimits,
    removeFile: (key) => store.remove(key),
  };

  const worker = env.ROLE === "web" ? null : await openWorker({ config, around, domain, store, tickets, workerId, log, started });
  const cookies = createDeviceCookies(around.sessionKeys, config.publicUrl.startsWith("https:"));
  const identifyViewer = createIdentifyViewer(domain, cookies, around.sessionKeys);
  const isOwnOrigin = createOriginCheck(config.publicUrl);
  let isReady = true;
  const app = createApp({
    domain,
    store,
    cookies,
    identifyViewer,
    sessionKeys: around.sessionKeys,
    signIn: config.signIn ?? around.identityProvider?.signIn ?? null,
    signInTiming: { timeoutMs: env.OIDC_TIMEOUT_MS, sessionMs: config.sessionMs },
    publicUrl: config.publicUrl,
    trustedProxies: env.TRUST_PROXY,
    rateLimits: config.rateLimits,
    isOwnOrigin,
    health: {
      async isReady() {
        if (!isReady || connection.readyState !== mongoose.ConnectionStates.connected) return false;
        return connection.db?.command({ ping: 1 }).then(
          () => true,
          () => false,
        ) ?? false;
      },
    },
    sampleLinks: around.sampleLinks,
    distFolder: around.distFolder,
    isSecure: config.publicUrl.startsWith("https:"),
    log,
  });
  const answer = app.callback();
  http.removeAllListeners("request");
  const { identityProvider } = around;
  http.on("request", (request, response) => {
    if (identityProvider && request.url?.startsWith(`${identityProvider.prefix}/`)) identityProvider.handle(request, response);
    else void answer(request, response);
  });
  // After that: Socket.IO puts itself before whoever answers by then, or long polling finds nobody.
  const realtime = startRealtime(http, domain, {
    identify: identifyViewer,
    sessionCheckMs: env.SESSION_CHECK_MS,
    isOwnOrigin,
    socketsPerDevice: env.SOCKETS_PER_DEVICE,
    recoveryMs: env.SOCKET_RECOVERY_MS,
    pingIntervalMs: env.SOCKET_PING_INTERVAL_MS,
    pingTimeoutMs: env.SOCKET_PING_TIMEOUT_MS,
    onError,
  });

  const tierWatch = watchTiers(domain, env.TIER_POLL_MS, onError);
  started.defer(() => tierWatch.stop());
  const rest = started.move();
  return {
    async stop() {
      isReady = false;
      // Hand-backs are still pushed to browsers, so the sockets go after the worker.
      await worker?.stop();
      http.closeAllConnections();
      await realtime.close();
      await rest.disposeAsync();
    },
  };
}

interface WorkerParts {
  readonly config: Config;
  readonly around: Surroundings;
  readonly domain: Domain;
  readonly store: FileStore;
  readonly tickets: Tickets;
  readonly workerId: string;
  readonly log: Logger;
  readonly started: AsyncDisposableStack;
}

async function openWorker({ config, around, domain, store, tickets, workerId, log, started }: WorkerParts): Promise<Worker> {
  const { env } = config;
  const guard = await startEgressGuard({ allow: domain.videoHosts, log: (line) => log.warn(line) });
  started.defer(() => guard.stop());
  const extractorHost = await startExtractorHost(around.ytDlpPath, config.dataDir);
  if (extractorHost) started.use(extractorHost);
  else log.warn("yt-dlp cannot be kept loaded here; every conversion starts it anew");
  const pipeline: Pipeline = {
    ...(extractorHost ? { extractorHost } : {}),
    cores: new CoreShare(),
    tools: { ytDlpPath: around.ytDlpPath, ffmpegPath: around.ffmpegPath, ffprobePath: around.ffprobePath, nodePath: process.execPath },
    guard,
    videoHosts: domain.videoHosts,
    limits: config.pipelineLimits,
  };
  return startWorker(
    {
      domain,
      store,
      scratchFolder: join(config.dataDir, "scratch"),
      intervals: { pushMs: env.PUSH_INTERVAL_MS, writeMs: env.PROGRESS_WRITE_INTERVAL_MS },
      convert: (request, listener, signal) => convert(request, listener, pipeline, signal),
      log,
    },
    tickets,
    {
      workerId,
      heartbeatMs: Math.floor(env.LEASE_MS / 3),
      sweepMs: env.SWEEP_INTERVAL_MS,
      strayFileCheckMs: env.STRAY_FILE_CHECK_MS,
      strayFileAgeMs: env.STRAY_FILE_AGE_MS,
      isAlone: env.ROLE === "all",
    },
  );
}
