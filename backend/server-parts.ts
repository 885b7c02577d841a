/** The steps of a start before the site: database, domain, workers. */
import { join } from "node:path";
import type { Logger } from "pino";
import { acceptsAnyHost } from "../common/hosts.ts";
import type { Config } from "./config/config.ts";
import { tidyTombstoneFile, tombstoneFileHook } from "./backup/tombstone-file.ts";
import { BlockList } from "./domain/blocks/block-list.ts";
import { watchBlocks } from "./domain/blocks/watch-blocks.ts";
import { billingAccountHook } from "./domain/billing/account-hook.ts";
import { watchDatabase } from "./domain/database/database-watch.ts";
import type { Domain } from "./domain/domain.ts";
import { SiteReports } from "./domain/sites/site-reports.ts";
import { openConversionLeases } from "./domain/jobs/conversion-leases.ts";
import { resumeCaughtUp } from "./domain/jobs/work.ts";
import { openModels } from "./domain/database/models.ts";
import { webhookAccountHook } from "./domain/webhooks/webhooks.ts";
import { usageAccountHook } from "./domain/accounts/usage.ts";
import { convert } from "./pipeline/convert.ts";
import type { Pipeline } from "./pipeline/pipeline.ts";
import { joinSongs } from "./pipeline/tape/join-songs.ts";
import { startWorkerPublisher } from "./realtime/publisher.ts";
import { readFreeBytes } from "./runtime/free-disk.ts";
import { connectToDatabase } from "./runtime/database.ts";
import { checkDatabaseVersion } from "./runtime/database-version.ts";
import type { Metrics } from "./runtime/metrics/metrics.ts";
import { openBilling } from "./runtime/parts/open-billing.ts";
import { openPipeline } from "./runtime/parts/open-pipeline.ts";
import { openStore } from "./runtime/parts/open-store.ts";
import { claimDatabase } from "./runtime/process-claim.ts";
import type { Runtime } from "./runtime/runtime.ts";
import { TracedJournal } from "./runtime/telemetry/journal.ts";
import type { Tracer } from "./runtime/telemetry/tracing.ts";
import { openScratch } from "./runtime/scratch.ts";
import { openSharing } from "./runtime/sharing.ts";
import { EarlyFiles } from "./storage/early-files.ts";
import { BILLING_QUEUE, startBillingWorker } from "./worker/billing-worker.ts";
import { listsAfterVisitors, readLists, startFollowWorker } from "./worker/follow-worker.ts";
import { openTickets } from "./worker/tickets.ts";
import { createWebhookSender } from "./worker/webhook-sender.ts";
import { WEBHOOK_QUEUE, startWebhookWorker } from "./worker/webhook-worker.ts";
import { startWorker, type ConversionWorker, type Worker } from "./worker/worker.ts";
import { openTaskTickets } from "./worker/task-tickets.ts";

/** Billing tasks wait for the payment provider rather than for this machine. */
const BILLING_CONCURRENCY = 4;
/** Webhooks wait for the programs of users, and the time of each try is limited. */
const WEBHOOK_CONCURRENCY = 16;
/** Longer than all tries of one run. */
const WEBHOOK_LOCK_MS = 5 * 60 * 1_000;
/** Longer than all requests and retries of one billing task may take. */
const BILLING_LOCK_MS = 5 * 60 * 1_000;

/** Passed to each step of the start. */
export interface Start {
  readonly config: Config;
  readonly runtime: Runtime;
  readonly log: Logger;
  /** Closed in reverse order when the server stops, or at once when the start fails. */
  readonly started: AsyncDisposableStack;
  /** Unique among all processes. */
  readonly workerId: string;
  readonly onError: (error: unknown) => void;
  readonly tracer: Tracer;
}
export type Foundation = Awaited<ReturnType<typeof openFoundation>>;
export type Product = Awaited<ReturnType<typeof openProduct>>;
export type Work = Awaited<ReturnType<typeof startWork>>;

/** Opens the database, the parts shared with other processes, and the file store. */
export async function openFoundation({ config, runtime, log, started, workerId, onError }: Start) {
  const connection = await connectToDatabase(runtime.mongodbUri, config.settings.database);
  started.defer(() => connection.close());
  // Before the first write, so that a rejected process changes nothing.
  const claim = await claimDatabase(connection, {
    holder: workerId,
    isSingleProcess: config.isSingleProcess,
    leaseMs: config.settings.domain.leaseMs,
    onError,
  });
  started.defer(() => claim.release());
  const database = watchDatabase(connection, config.settings.database);
  started.defer(() => database.stop());
  database.onChange((isUp) => {
    if (isUp) log.info("the database answers again");
    else log.warn("the database does not answer; requests get 503 until it does");
  });
  const versionNote = await checkDatabaseVersion(connection, config.env.ROLE === "all");
  if (versionNote !== null) log.warn(versionNote);
  if (acceptsAnyHost(config.env.VIDEO_HOSTS)) log.warn("VIDEO_HOSTS: links to any public host are accepted");
  const sharing = await openSharing(config, log);
  started.defer(() => sharing.close());
  const siteReports = started.use(new SiteReports(sharing.bus));
  const store = await openStore(config, started);
  const earlyFiles = config.isSingleProcess ? new EarlyFiles() : undefined;
  return { connection, claim, database, sharing, siteReports, store, earlyFiles };
}

/** Opens the domain: models, queues and billing. */
export async function openProduct(
  { config, runtime, log, started, workerId, onError, tracer }: Start,
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
  const billingTickets = await openTaskTickets(connection, bus, BILLING_QUEUE, {
    ...queue,
    concurrency: BILLING_CONCURRENCY,
    lockMs: BILLING_LOCK_MS,
  });
  const webhookTickets = await openTaskTickets(connection, bus, WEBHOOK_QUEUE, {
    ...queue,
    concurrency: WEBHOOK_CONCURRENCY,
    lockMs: WEBHOOK_LOCK_MS,
  });
  const models = await openModels(connection);
  const { stored } = models;
  if (config.isSingleProcess) await tidyTombstoneFile(config.dataDir);
  const { billing, paymentPage } = openBilling({ models: models.billing, queue: billingTickets, config, runtime, log });
  const domain: Domain = {
    ...stored,
    blocks: new BlockList((kind) => bus.publish("block:refused", { kind })),
    accountHooks: [
      usageAccountHook(stored.usage),
      billingAccountHook(billing),
      webhookAccountHook(stored.webhookRecords),
      // Processes of a cluster share no data folder that lasts.
      ...(config.isSingleProcess ? [tombstoneFileHook(config.dataDir, stored.tombstones, onError)] : []),
    ],
    bus,
    journal: new TracedJournal(tracer, log),
    tickets,
    webhookQueue: webhookTickets,
    videoHosts: [...env.VIDEO_HOSTS, ...runtime.extraVideoHosts],
    privateWebhookHosts: settings.webhooks.privateHosts,
    limits: settings.domain,
    isStored: async (key) => (await store.stat(key)) !== null,
    removeFile: (key) => store.remove(key),
  };
  const blockWatch = await watchBlocks(domain, settings.realtime.blockPollMs, onError);
  started.defer(() => blockWatch.stop());
  return { domain, tickets, webhookTickets, billing, billingTickets, paymentPage };
}

/**
 * Starts the worker for conversions, and those for billing and webhooks in processes with a site: the others have no key
 * of the payment provider. A process with ROLE=web has the pipeline for previews.
 */
export async function startWork(
  start: Start,
  { sharing, ...foundation }: Foundation,
  product: Product,
  metrics: Metrics,
) {
  const { config, started, log } = start;
  const { domain, billing, billingTickets, webhookTickets } = product;
  const { cluster, hostSemaphore, exitStates, sharedExtractions } = sharing;
  metrics.watchSites(foundation.siteReports);
  metrics.show("tapedeck_disk_free_bytes", async () => (await readFreeBytes(config.dataDir)) ?? NaN);
  if (cluster !== null) metrics.show("tapedeck_redis_up", () => Number(cluster.isUp()));
  const pipeline = await openPipeline({
    ...start,
    bus: sharing.bus,
    metrics,
    onToolSwapped: () => void resumeCaughtUp(domain).catch(start.onError),
    blocks: domain.blocks,
    videoHosts: domain.videoHosts,
    hostSemaphore,
    exitStates,
    sharedExtractions,
  });
  // Before the worker, so that its first events are published. A process with a site publishes through its sockets.
  const publisher =
    hasSite(config) || cluster === null
      ? null
      : startWorkerPublisher(sharing.bus, {
          cluster,
          pushIntervalMs: config.settings.realtime.pushIntervalMs,
          countPush: (event) => metrics.countPush(event),
        });
  const folder = join(config.dataDir, "scratch");
  const scratch = config.isSingleProcess
    ? { path: folder }
    : started.use(await openScratch(folder, start.workerId, config.settings.domain.leaseMs, start.onError));
  const worker =
    config.env.ROLE === "web" ? null : await openWorker(start, foundation, product, pipeline, scratch.path);
  if (worker !== null) metrics.show("tapedeck_conversions_running", () => worker.runningCount());
  const { sweepMs } = config.settings.worker;
  const timing = config.settings.webhooks;
  const send = createWebhookSender(pipeline.guard, timing.timeoutMs, timing.privateHosts);
  const otherWorkers = [
    ...(hasSite(config)
      ? [
          await startBillingWorker(billing, billingTickets, { sweepMs, log }),
          await startWebhookWorker(domain, webhookTickets, { send, timing, sweepMs, log }),
        ]
      : []),
    ...(worker === null ? [] : [openFollowWorker(start, domain, pipeline, scratch.path)]),
  ];
  return { pipeline, publisher, scratchFolder: scratch.path, worker, otherWorkers, sendWebhookMessage: send };
}

function openFollowWorker(
  { config, runtime, log }: Start,
  domain: Domain,
  pipeline: Pipeline,
  scratchFolder: string,
): Worker {
  const lists = runtime.lookups?.lists ?? readLists(pipeline, scratchFolder);
  return startFollowWorker(domain, listsAfterVisitors(lists, pipeline), config.settings.worker.followPollMs, log);
}

async function openWorker(
  { config, runtime, workerId, log }: Start,
  { connection, store, earlyFiles }: Pick<Foundation, "connection" | "store" | "earlyFiles">,
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
      earlyFiles,
      leases,
      scratchFolder,
      log,
      writeIntervalMs: progressWriteMs,
      storePatienceMs: config.settings.storage.patienceMs,
      lookForNewerTool: pipeline.extractors?.lookForNewer,
      joinSongs: (request, listener, signal) =>
        joinSongs({ request, listener, pipeline, signal, log: (line) => log.info(`no card for a tape: ${line}`) }),
      convert: runtime.convert ?? ((request, listener, signal) => convert({ request, listener, pipeline, signal })),
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

/** @returns false for a process that only converts */
export function hasSite({ env }: Config): boolean {
  return env.ROLE !== "worker";
}
