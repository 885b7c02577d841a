/** Jobs that are run by one worker process after the other, each of which a test may end by kill -9. */
import { fork, type ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { join } from "node:path";
import mongoose from "mongoose";
import { expect, inject } from "vitest";
import { parseHostEntry } from "../../../common/hosts.ts";
import { createInProcessBus } from "../../domain/bus.ts";
import { openModels } from "../../domain/database/models.ts";
import type { Domain } from "../../domain/domain.ts";
import { DEFAULT_DOMAIN_LIMITS } from "../../domain/limits.ts";
import { every } from "../../domain/every.ts";
import { BlockList } from "../../domain/blocks/block-list.ts";
import { SILENT_JOURNAL } from "../../domain/jobs/job-journal.ts";
import { createConversion } from "../../domain/jobs/add-jobs.ts";
import { openTickets } from "../../worker/tickets.ts";
import { PATIENT_PIPELINE, PATIENT_SETTINGS } from "./patient-settings.ts";
import { startTestServer, type TestServer } from "./test-server.ts";
import type { WorkerOrder } from "./test-worker.ts";

const POLL_MS = 50;

interface WorkerOptions {
  /** The processes have yt-dlp, and look at followed lists. */
  readonly readsLists?: boolean;
}

async function startWorkerProcess(server: TestServer, { readsLists }: WorkerOptions): Promise<ChildProcess> {
  const child = fork(join(import.meta.dirname, "test-worker.ts"), {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const order: WorkerOrder = {
    env: { DATA_DIR: server.config.dataDir, WORKER_CONCURRENCY: "4" },
    settings: {
      // Longer than any test: a job whose lease ends by a late heartbeat would count one more worker death. The leases
      // of a killed worker are ended below.
      domain: { leaseMs: 600_000, lookLeaseMs: 1_000 },
      worker: { sweepMs: 200, ticketPollMs: 100, followPollMs: 100 },
      pipeline: PATIENT_PIPELINE,
      database: PATIENT_SETTINGS.database,
    },
    mongodbUri: server.mongodbUri,
    siteHost: server.site.host,
    savesPages: true,
    readsLists,
    toolPaths: inject("toolPaths"),
  };
  child.send(order);
  await once(child, "message");
  return child;
}

async function openDomain(connection: mongoose.Connection, server: TestServer): Promise<Domain> {
  const bus = createInProcessBus();
  return {
    ...(await openModels(connection)).stored,
    blocks: new BlockList(),
    accountHooks: [],
    bus,
    journal: SILENT_JOURNAL,
    tickets: await openTickets(connection, bus, {
      name: "test",
      concurrency: 1,
      lockMs: 3_000,
      pollMs: 100,
      onError: () => undefined,
    }),
    webhookQueue: { enqueue: () => Promise.resolve() },
    videoHosts: [parseHostEntry(server.site.host)],
    limits: { ...DEFAULT_DOMAIN_LIMITS, sharesFiles: true },
    isStored: () => Promise.resolve(false),
    removeFile: () => Promise.resolve(),
  };
}

/** What time does after the death of workers: ends what they held. */
export async function endLeases({ jobs }: Domain, deadPids: readonly number[]): Promise<void> {
  const ofDead = { $regex: `:(?:${deadPids.join("|")}):` };
  await jobs.updateMany(
    { workerId: ofDead, leaseExpiresAt: { $gt: new Date(0) } },
    { $set: { leaseExpiresAt: new Date(0) } },
  );
  await jobs.db
    .collection("tickets")
    .updateMany({ lastModifiedBy: ofDead, lockedAt: { $gt: new Date(0) } }, { $set: { lockedAt: new Date(0) } });
}

/** A server of which only database, folders and video site are used, and the worker process of the moment. */
export interface KillableWorkers extends AsyncDisposable {
  readonly server: TestServer;
  readonly domain: Domain;
  /** Address of a page that the site holds back until it is let go. */
  readonly linkOf: (name: string) => string;
  /** Queues a job of a new visitor. @returns its id */
  readonly convert: (name: string) => Promise<string>;
  /** Ends the worker process by kill -9. */
  readonly kill: () => Promise<void>;
  /** Starts the next worker process. @returns its process id */
  readonly startWorker: () => Promise<number | undefined>;
}

export async function openKillableWorkers(options: WorkerOptions = {}): Promise<KillableWorkers> {
  await using opened = new AsyncDisposableStack();
  const server = opened.use(await startTestServer({ hasExtractor: false }));
  // Only its database, folders and video site are used; processes that can be killed run the jobs.
  await server.stop();
  const connection = opened.adopt(await mongoose.createConnection(server.mongodbUri).asPromise(), (open) =>
    open.close(),
  );
  const domain = await openDomain(connection, server);
  const linkOf = (name: string): string => `${server.site.urlOf("held-page")}?${name}`;
  let worker: ChildProcess | undefined;
  opened.defer(() => void worker?.kill("SIGKILL"));
  const deadPids: number[] = [];
  // Again and again: the database may carry out the last writes of a worker when that is dead already.
  const ending = every(
    POLL_MS,
    async () => {
      if (deadPids.length > 0) await endLeases(domain, deadPids);
    },
    (error) => expect.unreachable(String(error)),
  );
  opened.defer(() => ending.stop());
  const rest = opened.move();
  return {
    server,
    domain,
    linkOf,
    async convert(name) {
      const viewer = { deviceId: randomUUID(), userId: null, tier: "free" } as const;
      return (await createConversion(domain, viewer, { youtubeUrl: linkOf(name), format: "mp3" }))._id;
    },
    async kill() {
      if (!worker) return;
      const exited = once(worker, "exit");
      worker.kill("SIGKILL");
      await exited;
      deadPids.push(worker.pid ?? 0);
      await endLeases(domain, deadPids);
    },
    async startWorker() {
      worker = await startWorkerProcess(server, options);
      return worker.pid;
    },
    [Symbol.asyncDispose]: () => rest.disposeAsync(),
  };
}
