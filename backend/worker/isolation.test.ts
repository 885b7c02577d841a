/** A job that kills its worker process each time it runs, beside jobs that do not. */
import { fork, type ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { join } from "node:path";
import mongoose from "mongoose";
import { expect, inject, it } from "vitest";
import { parseHostEntry } from "../../common/hosts.ts";
import { startTestServer, type TestServer } from "../dev/test-server.ts";
import type { WorkerOrder } from "../dev/test-worker.ts";
import { createInProcessBus } from "../domain/bus.ts";
import { DEFAULT_DOMAIN_LIMITS, type Domain } from "../domain/domain.ts";
import { openJobModel, type StoredJob } from "../domain/job-model.ts";
import { createConversion } from "../domain/requests.ts";
import { openSessionModel } from "../domain/sessions.ts";
import { openUsageModel } from "../domain/usage-model.ts";
import { openUserModel } from "../domain/user-model.ts";
import { openTickets } from "./tickets.ts";

async function startWorkerProcess(server: TestServer): Promise<ChildProcess> {
  const child = fork(join(import.meta.dirname, "../dev/test-worker.ts"), { stdio: ["ignore", "ignore", "inherit", "ipc"] });
  const order: WorkerOrder = {
    env: { DATA_DIR: server.config.dataDir, WORKER_CONCURRENCY: "4", LEASE_MS: "3000", SWEEP_INTERVAL_MS: "200", TICKET_POLL_MS: "100", MIN_FREE_DISK_MB: "1", STALL_TIMEOUT_MS: "30000" },
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
    tickets: await openTickets(connection, bus, { name: "test", concurrency: 1, lockMs: 3_000, pollMs: 100, onError: () => undefined }),
    videoHosts: [parseHostEntry(server.site.host)],
    limits: DEFAULT_DOMAIN_LIMITS,
    removeFile: () => Promise.resolve(),
  };
}

it("is alone with its third worker; jobs beside it die twice at most and complete", async () => {
  await using server = await startTestServer();
  // Only its database, folders and video site are used: the work is done by processes that can be killed.
  await server.stop();
  await using opened = new AsyncDisposableStack();
  const connection = opened.adopt(await mongoose.createConnection(server.mongodbUri).asPromise(), (open) => open.close());
  const domain = await openDomain(connection, server);
  const linkOf = (name: string): string => `${server.site.urlOf("held")}?${name}`;
  const convert = async (name: string): Promise<string> => {
    const viewer = { deviceId: randomUUID(), userId: null, tier: "free" } as const;
    return (await createConversion(domain, viewer, { youtubeUrl: linkOf(name), format: "mp3" }))._id;
  };
  const jobs = new Map<string, string>();
  for (const name of ["killer", "first", "second"]) jobs.set(await convert(name), name);
  const killer = [...jobs.keys()][0] ?? "";

  let worker: ChildProcess | undefined;
  opened.defer(() => void worker?.kill("SIGKILL"));
  const die = async (): Promise<void> => {
    if (!worker) return;
    const exited = once(worker, "exit");
    worker.kill("SIGKILL");
    await exited;
  };
  // Twice all of them are lost with the killer.
  for (const attempt of [1, 2]) {
    worker = await startWorkerProcess(server);
    await expect.poll(() => domain.jobs.countDocuments({ status: "processing", attempt })).toBe(3);
    await die();
  }
  // One who comes only now shares no process with it.
  const late = await convert("late");
  jobs.set(late, "late");

  /** Without those that the dead worker held until their leases end. */
  const findRunning = async (): Promise<string[]> => {
    const running = await domain.jobs.find({ status: { $in: ["pending", "processing"] }, $or: [{ attempt: 3 }, { _id: late }] }).lean<StoredJob[]>();
    return running.map(({ _id }) => _id);
  };
  worker = await startWorkerProcess(server);
  const ended = new Set<string>();
  while (ended.size < 4) {
    let running: string[] = [];
    await expect.poll(async () => (running = await findRunning())).not.toEqual([]);
    expect(running.length === 1 || running.every((id) => id === late)).toBe(true);
    const [id = ""] = running;
    if (id === killer) {
      await die();
      worker = await startWorkerProcess(server);
    } else server.site.letGo(linkOf(jobs.get(id) ?? ""));
    await expect.poll(async () => (await domain.jobs.findById(id).lean<StoredJob>())?.status).toMatch(/completed|failed/);
    ended.add(id);
  }
  const stored = await domain.jobs.find().lean<StoredJob[]>();
  const outcomes = Object.fromEntries(stored.map(({ _id, status, attempt, workerDeaths = 0 }) => [jobs.get(_id), { status, attempt, workerDeaths }]));
  expect(outcomes).toEqual({
    killer: { status: "failed", attempt: 3, workerDeaths: 2 },
    first: { status: "completed", attempt: 3, workerDeaths: 2 },
    second: { status: "completed", attempt: 3, workerDeaths: 2 },
    late: { status: "completed", attempt: 1, workerDeaths: 0 },
  });
});
