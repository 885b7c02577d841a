/** Isolation of a job that kills its worker process each time it runs, among jobs that do not. */
import { fork, type ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import mongoose from "mongoose";
import { expect, inject, it } from "vitest";
import { parseHostEntry } from "../../common/hosts.ts";
import { startTestServer, type TestServer } from "../dev/testing/test-server.ts";
import type { WorkerOrder } from "../dev/testing/test-worker.ts";
import { createInProcessBus } from "../domain/bus.ts";
import { DEFAULT_DOMAIN_LIMITS, type Domain } from "../domain/domain.ts";
import { openJobModel, type StoredJob } from "../domain/jobs/job-model.ts";
import { createConversion } from "../domain/jobs/requests.ts";
import { openSessionModel } from "../domain/accounts/sessions.ts";
import { openUsageModel } from "../domain/accounts/usage-model.ts";
import { openUserModel } from "../domain/accounts/user-model.ts";
import { openTickets } from "./tickets.ts";

async function startWorkerProcess(server: TestServer): Promise<ChildProcess> {
  const child = fork(join(import.meta.dirname, "../dev/testing/test-worker.ts"), {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const order: WorkerOrder = {
    env: { DATA_DIR: server.config.dataDir, WORKER_CONCURRENCY: "4" },
    settings: {
      domain: { leaseMs: 3_000 },
      worker: { sweepMs: 200, ticketPollMs: 100 },
      pipeline: { minFreeDiskBytes: 1_000_000, stallTimeoutMs: 30_000 },
    },
    mongodbUri: server.mongodbUri,
    siteHost: server.site.host,
    toolPaths: inject("toolPaths"),
  };
  child.send(order);
  await once(child, "message");
  return child;
}

async function openDomain(connection: mongoose.Connection, server: TestServer): Promise<Domain> {
  const bus = createInProcessBus();
  return {
    jobs: await openJobModel(connection),
    users: await openUserModel(connection),
    sessions: await openSessionModel(connection),
    usage: await openUsageModel(connection),
    accountHooks: [],
    bus,
    tickets: await openTickets(connection, bus, {
      name: "test",
      concurrency: 1,
      lockMs: 3_000,
      pollMs: 100,
      onError: () => undefined,
    }),
    videoHosts: [parseHostEntry(server.site.host)],
    limits: DEFAULT_DOMAIN_LIMITS,
    removeFile: () => Promise.resolve(),
  };
}

/** Jobs of different visitors, run by one worker process after the other. */
interface Bench extends AsyncDisposable {
  readonly server: TestServer;
  readonly domain: Domain;
  /** Address of a video that the site holds back until it is let go. */
  readonly linkOf: (name: string) => string;
  /** @returns the job's id */
  readonly convert: (name: string) => Promise<string>;
  /** Ends the worker process by kill -9. */
  readonly kill: () => Promise<void>;
  /** Starts the next worker process. @returns its process id */
  readonly startWorker: () => Promise<number | undefined>;
}

async function openBench(): Promise<Bench> {
  await using opened = new AsyncDisposableStack();
  const server = opened.use(await startTestServer({ hasExtractor: false }));
  // Only its database, folders and video site are used; processes that can be killed run the jobs.
  await server.stop();
  const connection = opened.adopt(await mongoose.createConnection(server.mongodbUri).asPromise(), (open) =>
    open.close(),
  );
  const domain = await openDomain(connection, server);
  const linkOf = (name: string): string => `${server.site.urlOf("held")}?${name}`;
  let worker: ChildProcess | undefined;
  opened.defer(() => void worker?.kill("SIGKILL"));
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
    },
    async startWorker() {
      worker = await startWorkerProcess(server);
      return worker.pid;
    },
    [Symbol.asyncDispose]: () => rest.disposeAsync(),
  };
}

it("runs a job alone after two worker deaths, so that the jobs that ran beside it complete", async () => {
  await using bench = await openBench();
  const { server, domain, linkOf, convert } = bench;
  const jobs = new Map<string, string>();
  for (const name of ["killer", "first", "second"]) jobs.set(await convert(name), name);
  const killer = [...jobs.keys()][0] ?? "";
  // All three jobs lose their worker twice.
  for (const attempt of [1, 2]) {
    await bench.startWorker();
    await expect.poll(() => domain.jobs.countDocuments({ status: "processing", attempt })).toBe(3);
    await bench.kill();
  }
  // A job that is created now never shares a process with the killer.
  const late = await convert("late");
  jobs.set(late, "late");

  /** Leaves out jobs that still belong to a dead worker until their leases end. */
  const findRunning = async (): Promise<string[]> => {
    const running = await domain.jobs
      .find({ status: { $in: ["pending", "processing"] }, $or: [{ attempt: 3 }, { _id: late }] })
      .lean<StoredJob[]>();
    return running.map(({ _id }) => _id);
  };
  await bench.startWorker();
  const ended = new Set<string>();
  while (ended.size < 4) {
    let running: string[] = [];
    await expect.poll(async () => (running = await findRunning())).not.toEqual([]);
    expect(running.length === 1 || running.every((id) => id === late)).toBe(true);
    const [id = ""] = running;
    if (id === killer) {
      await bench.kill();
      await bench.startWorker();
    } else server.site.release(linkOf(jobs.get(id) ?? ""));
    await expect
      .poll(async () => (await domain.jobs.findById(id).lean<StoredJob>())?.status)
      .toMatch(/completed|failed/);
    ended.add(id);
  }
  const stored = await domain.jobs.find().lean<StoredJob[]>();
  const outcomes = Object.fromEntries(
    stored.map(({ _id, status, attempt, workerDeaths = 0 }) => [jobs.get(_id), { status, attempt, workerDeaths }]),
  );
  expect(outcomes).toEqual({
    killer: { status: "failed", attempt: 3, workerDeaths: 2 },
    first: { status: "completed", attempt: 3, workerDeaths: 2 },
    second: { status: "completed", attempt: 3, workerDeaths: 2 },
    late: { status: "completed", attempt: 1, workerDeaths: 0 },
  });
});

it("ends every job exactly once when five workers are killed", async () => {
  await using bench = await openBench();
  const { server, domain, linkOf, convert } = bench;
  const names = ["a", "b", "c", "d", "e", "f"];
  for (const name of names) await convert(name);
  for (let kills = 0; kills < 5; kills += 1) {
    const pid = await bench.startWorker();
    await expect
      .poll(() => domain.jobs.countDocuments({ status: "processing", workerId: { $regex: `:${pid}:` } }))
      .toBeGreaterThan(0);
    await bench.kill();
  }
  for (const name of names) server.site.release(linkOf(name));
  await bench.startWorker();
  await expect.poll(() => domain.jobs.countDocuments({ status: { $in: ["completed", "failed"] } })).toBe(names.length);
  const stored = await domain.jobs.find().lean<StoredJob[]>();
  const completed = stored.filter(({ status }) => status === "completed");
  expect(completed.length).toBeGreaterThan(0);
  expect(stored.filter(({ status, attempt }) => status === "failed" && attempt < 3)).toEqual([]);
  const files = (await readdir(join(server.config.dataDir, "files"))).filter((name) => name.endsWith(".mp3"));
  expect(files.sort()).toEqual(completed.map(({ fileKey }) => String(fileKey)).sort());
});
