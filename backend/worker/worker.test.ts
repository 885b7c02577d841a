import { fork, type ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import mongoose from "mongoose";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { parseHostEntry } from "../../common/hosts.ts";
import type { Job } from "../../common/job.ts";
import { PATIENT_PIPELINE } from "../dev/testing/patient-settings.ts";
import { startTestServer, type LiveView, type TestServer } from "../dev/testing/test-server.ts";
import type { WorkerOrder } from "../dev/testing/test-worker.ts";
import { createInProcessBus } from "../domain/bus.ts";
import { DEFAULT_DOMAIN_LIMITS, type Domain } from "../domain/domain.ts";
import { SILENT_JOURNAL } from "../domain/jobs/job-journal.ts";
import { openSelectionModel } from "../domain/jobs/selection-model.ts";
import { openSessionModel } from "../domain/accounts/sessions.ts";
import { openTokenModel } from "../domain/accounts/token-model.ts";
import { openTombstoneModel } from "../domain/accounts/tombstones.ts";
import { openUsageModel } from "../domain/accounts/usage-model.ts";
import { openOperatorModels } from "../domain/operator/operator-models.ts";
import { openWebhookModels } from "../domain/webhooks/webhook-model.ts";
import { openUserModel } from "../domain/accounts/user-model.ts";
import { openFileRemovalModel } from "../domain/jobs/file-removals.ts";
import { BlockList } from "../domain/blocks/block-list.ts";
import { openBlockModels } from "../domain/blocks/block-model.ts";
import { openJobModel, type StoredJob } from "../domain/jobs/job-model.ts";
import { createConversion } from "../domain/jobs/requests.ts";
import { openTickets } from "./tickets.ts";

const scratchOf = (server: TestServer) => readdir(join(server.config.dataDir, "scratch"));
const filesOf = (server: TestServer) => readdir(join(server.config.dataDir, "files"));

/** @returns the command lines of processes that name the folder */
async function processesIn(folder: string): Promise<string[]> {
  const found: string[] = [];
  for (const pid of await readdir("/proc")) {
    if (!/^\d+$/.test(pid)) continue;
    const commandLine = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
    if (commandLine.includes(folder)) found.push(commandLine.replaceAll("\0", " "));
  }
  return found;
}

/** Waits until no temporary folder and no tool of a conversion is left. */
async function untilNothingRuns(server: TestServer): Promise<void> {
  const scratch = join(server.config.dataDir, "scratch");
  await expect
    .poll(async () => ({ processes: await processesIn(scratch), folders: await scratchOf(server) }))
    .toEqual({ processes: [], folders: [] });
}

const CANCELED_WHILE: {
  state: string;
  page: "stalled-page" | "held" | "rain";
  format: "mp3" | "mp4";
  fits: (job: Job) => boolean;
}[] = [
  { state: "pending", page: "stalled-page", format: "mp3", fits: (job) => job.status === "pending" },
  {
    state: "downloading",
    page: "held",
    format: "mp3",
    fits: (job) => job.status === "processing" && job.stage === "download" && job.progress > 0,
  },
  {
    state: "converting",
    page: "rain",
    format: "mp4",
    fits: (job) => job.status === "processing" && job.stage === "convert",
  },
];

describe("a worker", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({
      WORKER_CONCURRENCY: "4",
    });
  });
  afterAll(() => server[Symbol.asyncDispose]());

  it("completes twelve jobs that were created at once, in four places, each exactly once", async () => {
    const device = await server.newDevice();
    const live = await device.live();
    const jobs = await Promise.all(
      Array.from({ length: 12 }, (_, n) => device.convert(`${server.site.urlOf("cello")}?n=${n}`)),
    );
    const ended = await Promise.all(jobs.map((job) => live.untilStatus(job.id, "completed", "failed")));
    expect(ended.filter((job) => job.status !== "completed")).toEqual([]);
    for (const job of jobs) {
      const versions = live.pushes.filter((push) => push.id === job.id);
      expect(versions.filter((push) => push.status === "completed")).toHaveLength(1);
      expect(Math.max(...versions.map((push) => push.attempt))).toBe(1);
    }
    const names = (await filesOf(server)).filter((name) => name.endsWith(".mp3"));
    expect(jobs.map(({ id }) => names.filter((name) => name.startsWith(id)).length)).toEqual(jobs.map(() => 1));
    await untilNothingRuns(server);
  });

  it("shares one conversion among requests for the same link", async () => {
    const devices = await Promise.all([server.newDevice(), server.newDevice(), server.newDevice()]);
    const jobs: { job: Job; done: Promise<Job> }[] = [];
    for (const device of devices) {
      const live = await device.live();
      const job = await device.convert(server.site.urlOf("unhurried"), "mp4");
      jobs.push({ job, done: live.untilStatus(job.id, "completed", "failed") });
    }
    for (const { done } of jobs) expect((await done).status).toBe("completed");
    expect(server.site.requests.filter((request) => request.path.startsWith("/watch/unhurried"))).toHaveLength(1);
    // A later request reuses the stored file.
    const late = await server.newDevice();
    const live = await late.live();
    const repeat = await late.convert(server.site.urlOf("unhurried"), "mp4");
    expect((await live.untilStatus(repeat.id, "completed", "failed")).status).toBe("completed");
    expect(live.pushes.filter(({ id }) => id === repeat.id).map(({ status }) => status)).toEqual([
      "queued",
      "completed",
    ]);
    expect(server.site.requests.filter((request) => request.path.startsWith("/watch/unhurried"))).toHaveLength(1);
    // Removing one job does not remove the file of another.
    const [first] = devices;
    expect((await first?.call("DELETE", `/api/conversions/${jobs[0]?.job.id}`))?.status).toBe(204);
    expect((await late.call("GET", `/api/conversions/${repeat.id}/file`)).status).toBe(200);
  });

  it("continues a shared conversion when one of its jobs is canceled", async () => {
    const link = `${server.site.urlOf("held")}?shared`;
    const a = await server.newDevice();
    const b = await server.newDevice();
    const liveA = await a.live();
    const liveB = await b.live();
    const jobA = await a.convert(link);
    await liveA.untilStatus(jobA.id, "processing");
    const jobB = await b.convert(link);
    await liveB.untilStatus(jobB.id, "processing");
    await a.call("DELETE", `/api/conversions/${jobA.id}`);
    expect((await liveA.untilStatus(jobA.id, "canceled")).status).toBe("canceled");
    server.site.release(link);
    const done = await liveB.untilStatus(jobB.id, "completed", "failed");
    expect(done).toMatchObject({ status: "completed", attempt: 1 });
  });

  it.each(CANCELED_WHILE)(
    "cancels a job while it is $state and removes its files and processes",
    async ({ page, format, fits }) => {
      const device = await server.newDevice();
      const live = await device.live();
      const job = await device.convert(`${server.site.urlOf(page)}?canceled`, format);
      await live.until(job.id, fits);
      const answer = await device.call("DELETE", `/api/conversions/${job.id}`);
      expect(answer.status).toBe(200);
      expect(await answer.json()).toMatchObject({ id: job.id, status: "canceled" });
      await untilNothingRuns(server);
      const names = (await filesOf(server)).filter((name) => name.startsWith(job.id));
      expect(names.filter((name) => !name.endsWith(".jpg"))).toEqual([]);
      expect(live.pushes.findLast((push) => push.id === job.id)?.status).toBe("canceled");
    },
  );

  it("retries a job after a transient error with the next attempt number", async () => {
    const device = await server.newDevice();
    const live = await device.live();
    const job = await device.convert(server.site.urlOf("busy"));
    expect(await live.untilStatus(job.id, "completed", "failed")).toMatchObject({ status: "completed", attempt: 3 });
  });

  it("deletes an expired file and pushes the job without its download link", async () => {
    const device = await server.newDevice();
    const live = await device.live();
    const job = await device.convert(server.site.urlOf("cello"));
    await live.untilStatus(job.id, "completed");
    const connection = await mongoose.createConnection(server.mongodbUri).asPromise();
    await connection
      .collection<StoredJob>("jobs")
      .updateOne({ _id: job.id }, { $set: { expiresAt: new Date(Date.now() - 1) } });
    await connection.close();
    const expired = await live.until(
      job.id,
      (version) => version.status === "completed" && version.downloadUrl === undefined,
    );
    expect(expired.status).toBe("completed");
    expect((await filesOf(server)).filter((name) => name.startsWith(job.id) && name.endsWith(".mp3"))).toEqual([]);
    expect((await device.call("GET", `/api/conversions/${job.id}/file`)).status).toBe(404);
  });

  it("removes stored files that no job names at the start", async () => {
    await server.stop();
    const mediaOf = async () => (await filesOf(server)).filter((name) => !name.endsWith(".jpg")).sort();
    const stored = await mediaOf();
    await writeFile(join(server.config.dataDir, "files", "unnamed.1.mp3"), "left by a crash");
    await writeFile(join(server.config.dataDir, "files", "half.1.mp3.partial"), "left by a crash");
    await server.start();
    expect(await mediaOf()).toEqual(stored);
  });

  it("requeues running jobs when it stops and completes them after the next start", async () => {
    const link = `${server.site.urlOf("held")}?stopped`;
    const device = await server.newDevice();
    const live = await device.live();
    const job = await device.convert(link);
    await live.until(job.id, (version) => version.status === "processing" && version.progress > 0);
    const givenBack = live.until(job.id, (version) => version.attempt === 2 && version.status === "queued");
    await server.stop();
    await givenBack;
    expect(await scratchOf(server)).toEqual([]);
    server.site.release(link);
    await server.start();
    expect(await live.untilStatus(job.id, "completed", "failed")).toMatchObject({ status: "completed", attempt: 2 });
  });
});

describe("a worker with one place", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({
      WORKER_CONCURRENCY: "1",
    });
  });
  afterAll(() => server[Symbol.asyncDispose]());

  it("never starts a queued job that was canceled, and starts it after a retry", async () => {
    const device = await server.newDevice();
    const live = await device.live();
    const blocking = await device.convert(server.site.urlOf("stalled-page"));
    await live.untilStatus(blocking.id, "pending");
    const waiting = await device.convert(server.site.urlOf("rain"));
    await device.call("DELETE", `/api/conversions/${waiting.id}`);
    await live.untilStatus(waiting.id, "canceled");
    await device.call("DELETE", `/api/conversions/${blocking.id}`);
    const third = await device.convert(server.site.urlOf("cello"));
    await live.untilStatus(third.id, "completed");
    expect(live.pushes.filter((push) => push.id === waiting.id).map((push) => push.status)).not.toContain("pending");
    const retried = await device.call("POST", `/api/conversions/${waiting.id}/retry`, {});
    expect(await retried.json()).toMatchObject({ status: "queued", attempt: 2, progress: 0 });
    expect(await live.untilStatus(waiting.id, "completed")).toMatchObject({ attempt: 2 });
  });

  it("starts the first job of one owner before the second job of another", async () => {
    const many = await server.newDevice();
    const one = await server.newDevice();
    const liveMany = await many.live();
    const liveOne = await one.live();
    const blocking = await many.convert(server.site.urlOf("stalled-page"));
    await liveMany.untilStatus(blocking.id, "pending");
    const batch = [];
    for (let n = 0; n < 4; n += 1) batch.push(await many.convert(`${server.site.urlOf("gone")}?n=${n}`));
    const single = await one.convert(`${server.site.urlOf("gone")}?n=single`);
    await many.call("DELETE", `/api/conversions/${blocking.id}`);
    await liveOne.untilStatus(single.id, "failed");
    await Promise.all(batch.map((job) => liveMany.untilStatus(job.id, "failed")));
    const startedAt = async (live: LiveView, job: Job) =>
      Date.parse((await live.untilStatus(job.id, "pending")).updatedAt);
    const singleStartedMs = await startedAt(liveOne, single);
    for (const job of batch) expect(await startedAt(liveMany, job)).toBeGreaterThan(singleStartedMs);
  });
});

async function startWorkerProcess(
  server: TestServer,
): Promise<{ child: ChildProcess; untilLogged(text: string): Promise<void>; [Symbol.dispose](): void }> {
  const child = fork(join(import.meta.dirname, "../dev/testing/test-worker.ts"), {
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  const seen: string[] = [];
  const waiting = new Map<string, () => void>();
  if (child.stdout)
    createInterface(child.stdout).on("line", (line) => {
      seen.push(line);
      for (const [text, resolve] of waiting) if (line.includes(text)) resolve();
    });
  const order: WorkerOrder = {
    env: { DATA_DIR: server.config.dataDir },
    settings: {
      // Long enough for a busy machine: the second worker must not lose its job by a late heartbeat.
      domain: { leaseMs: 10_000 },
      worker: { sweepMs: 200, ticketPollMs: 100 },
      pipeline: PATIENT_PIPELINE,
    },
    mongodbUri: server.mongodbUri,
    siteHost: server.site.host,
    toolPaths: inject("toolPaths"),
  };
  child.send(order);
  await once(child, "message");
  return {
    child,
    // Also after a failed test: a paused process would otherwise never end.
    [Symbol.dispose]: () => child.kill("SIGKILL"),
    untilLogged: (text) =>
      seen.some((line) => line.includes(text))
        ? Promise.resolve()
        : new Promise((resolve) => waiting.set(text, resolve)),
  };
}

it("ignores writes of a worker that was paused past its lease once a later attempt runs", async () => {
  await using server = await startTestServer({ hasExtractor: false });
  // Only its database, folders and video site are used; two other processes run the jobs.
  await server.stop();
  await using opened = new AsyncDisposableStack();
  const connection = opened.adopt(await mongoose.createConnection(server.mongodbUri).asPromise(), (open) =>
    open.close(),
  );
  const jobs = await openJobModel(connection);
  const bus = createInProcessBus();
  const tickets = await openTickets(connection, bus, {
    name: "test",
    concurrency: 1,
    lockMs: 10_000,
    pollMs: 100,
    onError: () => undefined,
  });
  const domain: Domain = {
    jobs,
    users: await openUserModel(connection),
    sessions: await openSessionModel(connection),
    tokens: await openTokenModel(connection),
    usage: await openUsageModel(connection),
    tombstones: await openTombstoneModel(connection),
    fileRemovals: await openFileRemovalModel(connection),
    selections: await openSelectionModel(connection),
    blocks: new BlockList(),
    blockRecords: await openBlockModels(connection),
    operatorRecords: await openOperatorModels(connection),
    webhookRecords: await openWebhookModels(connection),
    accountHooks: [],
    bus,
    journal: SILENT_JOURNAL,
    tickets,
    webhookQueue: { enqueue: () => Promise.resolve() },
    videoHosts: [parseHostEntry(server.site.host)],
    limits: { ...DEFAULT_DOMAIN_LIMITS, sharesFiles: true },
    isStored: () => Promise.resolve(false),
    removeFile: () => Promise.resolve(),
  };
  const read = (id: string) => jobs.findById(id).lean<StoredJob>();

  using first = await startWorkerProcess(server);
  const { _id } = await createConversion(
    domain,
    { deviceId: randomUUID(), userId: null, tier: "free" },
    { youtubeUrl: server.site.urlOf("held"), format: "mp3" },
  );
  await expect.poll(() => read(_id)).toMatchObject({ status: "processing", attempt: 1 });
  first.child.kill("SIGSTOP");
  server.site.release(server.site.urlOf("held"));
  using second = await startWorkerProcess(server);
  await expect.poll(() => read(_id)).toMatchObject({ status: "completed", attempt: 2, isUsageCounted: true });
  const after = await read(_id);
  const files = await filesOf(server);
  first.child.kill("SIGCONT");
  await first.untilLogged("the job no longer belongs to this worker");
  // A worker ends after all its writes.
  for (const { child } of [first, second]) {
    child.kill("SIGTERM");
    await once(child, "exit");
  }
  expect(await read(_id)).toEqual(after);
  expect(await filesOf(server)).toEqual(files);
  expect(await scratchOf(server)).toEqual([]);
});
