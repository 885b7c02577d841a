import { fork, type ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import mongoose from "mongoose";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { parseHostEntry } from "../../common/hosts.ts";
import type { Job } from "../../common/job.ts";
import { endLeases } from "../dev/testing/killable-workers.ts";
import { PATIENT_PIPELINE, PATIENT_SETTINGS } from "../dev/testing/patient-settings.ts";
import { startTestServer, type TestServer } from "../dev/testing/test-server.ts";
import type { WorkerOrder } from "../dev/testing/test-worker.ts";
import { createInProcessBus } from "../domain/bus.ts";
import type { Domain } from "../domain/domain.ts";
import { DEFAULT_DOMAIN_LIMITS } from "../domain/limits.ts";
import { SILENT_JOURNAL } from "../domain/jobs/job-journal.ts";
import { openFollowModel } from "../domain/follows/follow-model.ts";
import { openSelectionModel } from "../domain/jobs/selection-model.ts";
import { openSessionModel } from "../domain/accounts/sessions.ts";
import { openTokenModel } from "../domain/accounts/token-model.ts";
import { openTombstoneModel } from "../domain/accounts/tombstones.ts";
import { openUsageModel } from "../domain/accounts/usage-model.ts";
import { openOperatorModels } from "../domain/operator/operator-models.ts";
import { openWebhookModels } from "../domain/webhooks/webhook-model.ts";
import { openUserModel } from "../domain/accounts/user-model.ts";
import { openFeedModel } from "../domain/feeds/feed-model.ts";
import { openFileRemovalModel } from "../domain/jobs/file-removals.ts";
import { BlockList } from "../domain/blocks/block-list.ts";
import { openBlockModels } from "../domain/blocks/block-model.ts";
import { openJobModel, type JobDocument } from "../domain/jobs/job-model.ts";
import { createConversion } from "../domain/jobs/add-jobs.ts";
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

describe("a worker with real tools", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server[Symbol.asyncDispose]());

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
      // Longer than the test: the second worker must not lose its job by a late heartbeat. Those of the first are ended.
      domain: { leaseMs: 600_000 },
      worker: { sweepMs: 200, ticketPollMs: 100 },
      pipeline: PATIENT_PIPELINE,
      database: PATIENT_SETTINGS.database,
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
    feeds: await openFeedModel(connection),
    usage: await openUsageModel(connection),
    tombstones: await openTombstoneModel(connection),
    fileRemovals: await openFileRemovalModel(connection),
    selections: await openSelectionModel(connection),
    follows: await openFollowModel(connection),
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
  const read = (id: string) => jobs.findById(id).lean<JobDocument>();

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
  const endLeasesAndRead = async () => {
    // Again and again: a heartbeat may have been on its way when the worker was stopped.
    await endLeases(domain, [first.child.pid ?? 0]);
    return read(_id);
  };
  await expect.poll(endLeasesAndRead).toMatchObject({ status: "completed", attempt: 2, isUsageCounted: true });
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
