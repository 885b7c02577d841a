/** Several real servers on one database or in one data folder. */
import { readdir } from "node:fs/promises";
import mongoose from "mongoose";
import { beforeAll, describe, expect, inject, it, vi } from "vitest";
import { ownPort } from "../dev/own-port.ts";
import {
  endProcesses,
  killGroup,
  newDataDir,
  readJob,
  run,
  sampleUrl,
  untilReady,
  type StartedProcess,
} from "../dev/testing/test-process.ts";
import { repositoryDataDir } from "../dev/repository.ts";
import { startRedis } from "../dev/stand-ins/redis.ts";
import { startSampleSite } from "../dev/stand-ins/sample-site/sample-site.ts";
import { PATIENT_SETTINGS } from "../dev/testing/patient-settings.ts";
import { openDevice, startTestServer } from "../dev/testing/test-server.ts";
import type { JobDocument } from "../domain/jobs/job-model.ts";
import { serverArguments } from "../dev/settings-argument.ts";
import { testDatabaseUri } from "../dev/testing/test-connection.ts";

/** Longer than any test waits. */
const LONG_LEASE_MS = 600_000;
const REFUSED = new RegExp(
  String.raw`^The database is in use by another running Tapedeck \(process \d+ on \S+\); ` +
    String.raw`stop it, or set MONGODB_URI to another database\. `,
);

async function start(env: Record<string, string>, leaseMs = LONG_LEASE_MS): Promise<StartedProcess> {
  const command = ["node", ...serverArguments({ ...PATIENT_SETTINGS, domain: { leaseMs } })] as const;
  return run(command, {
    PORT: String(await ownPort()),
    LOG_LEVEL: "error",
    ...env,
  });
}

describe("a second server", () => {
  interface First {
    readonly server: StartedProcess;
    readonly env: { readonly MONGODB_URI: string; readonly DATA_DIR: string };
  }
  /** One server for all tests, because a start takes most of their time. */
  let first: First;
  let startedWithIt: StartedProcess;

  beforeAll(async () => {
    const MONGODB_URI = testDatabaseUri();
    const envs = [await newDataDir(), await newDataDir()].map((DATA_DIR) => ({ MONGODB_URI, DATA_DIR }));
    const both = await Promise.all(envs.map(async (env) => ({ server: await start(env), env })));
    const loser = await Promise.race(both.map(async (one) => (await one.server.ended, one)));
    const winner = both.find((one) => one !== loser);
    if (!winner) throw new Error("both have ended");
    await untilReady(winner.server);
    first = winner;
    startedWithIt = loser.server;
    return endProcesses;
  });

  it("is rejected, and only one of them, when both start at the same moment", () => {
    expect(startedWithIt.output).toEqual([expect.stringMatching(REFUSED)]);
    expect(first.server.child.exitCode).toBeNull();
  });

  it("is rejected on the same database, and does not change the jobs of the first one", async () => {
    const device = await openDevice(first.server.origin);
    const live = await device.live();
    const done = await device.convert(await sampleUrl(first.server.origin, "rain"));
    await live.untilStatus(done.id, "completed");
    const link = await sampleUrl(first.server.origin, "held");
    const running = await device.convert(link);
    await live.until(running.id, (version) => version.status === "processing" && version.progress > 0);

    const second = await start({ ...first.env, DATA_DIR: await newDataDir() });
    expect(await second.ended).toBe(1);
    expect(second.output).toEqual([expect.stringMatching(REFUSED)]);

    expect(await readJob(device, running.id)).toMatchObject({ status: "processing", attempt: 1 });
    const file = await device.call("GET", `/api/conversions/${done.id}/file`);
    expect((await file.arrayBuffer()).byteLength).toBe(Number(file.headers.get("content-length")));
    await fetch(new URL("/release", link));
    expect(await live.untilStatus(running.id, "completed", "failed")).toMatchObject({
      status: "completed",
      attempt: 1,
    });
    device.close();
  });

  it("is rejected in the same data folder, even with another database", async () => {
    const dataDir = first.env.DATA_DIR;
    const before = (await readdir(dataDir)).sort();
    const second = await start({ MONGODB_URI: testDatabaseUri(), DATA_DIR: dataDir });
    expect(await second.ended).toBe(1);
    expect(second.output).toEqual([
      `The data folder ${dataDir} is in use by another running Tapedeck; stop it, or set DATA_DIR to another folder.`,
    ]);
    expect((await readdir(dataDir)).sort()).toEqual(before);
  });

  it("starts at once after a kill -9 of the first one", async () => {
    killGroup(first.server.child.pid ?? 0, "SIGKILL");
    await first.server.ended;
    // The lease of the first would last for ten minutes.
    const second = await start(first.env);
    await untilReady(second);
    expect(second.output).toEqual([]);
  });
});

it("a server that was suspended past its lease ends when another one has taken over", async () => {
  // Not the site of a server: it would be suspended with it, and end with it.
  await using resources = new AsyncDisposableStack();
  const { ffmpegPath } = inject("toolPaths");
  const site = await startSampleSite({ dataDir: repositoryDataDir(), ffmpegPath, report: () => undefined });
  resources.defer(() => site.stop());
  const env = { MONGODB_URI: testDatabaseUri(), VIDEO_HOSTS: site.host };
  const first = await start({ ...env, DATA_DIR: await newDataDir() }, 5_000);
  await untilReady(first);
  const device = await openDevice(first.origin);
  const live = await device.live();
  const job = await device.convert(site.urlOf("held"));
  await live.until(job.id, (version) => version.status === "processing" && version.progress > 0);
  first.child.kill("SIGSTOP");
  const connection = await mongoose.createConnection(env.MONGODB_URI).asPromise();
  try {
    await vi.waitFor(
      async () =>
        expect(await connection.collection("processes").countDocuments({ until: { $gt: new Date() } })).toBe(0),
      { timeout: 120_000, interval: 100 },
    );
    // Nothing writes any more: on a busy machine the first one may have lost the job by itself, and begun it again.
    const suspended = await connection.collection<JobDocument>("jobs").findOne();
    const second = await start({ ...env, DATA_DIR: await newDataDir() });
    await untilReady(second);
    first.child.kill("SIGCONT");
    expect(await first.ended).toBe(1);
    expect(first.output.at(-1)).toMatch(/^Another Tapedeck has taken over this database/);
    const jobs = await connection.collection("jobs").find().toArray();
    expect(jobs).toMatchObject([{ _id: job.id, attempt: (suspended?.attempt ?? 0) + 1 }]);
  } finally {
    device.close();
    await connection.close();
    await endProcesses();
  }
});

it("rejects a single server beside the processes of a cluster, and the reverse", async () => {
  const redis = await startRedis();
  try {
    await using alone = await startTestServer({ hasExtractor: false });
    await expect(startTestServer({ hasExtractor: false, ROLE: "worker", REDIS_URL: redis.url }, alone)).rejects.toThrow(
      REFUSED,
    );
    await alone.stop();
    await using worker = await startTestServer(
      { hasExtractor: false, ROLE: "worker", REDIS_URL: redis.url, DRAIN_MS: "0" },
      alone,
    );
    await expect(alone.start()).rejects.toThrow(REFUSED);
    await using web = await startTestServer(
      { hasExtractor: false, ROLE: "web", REDIS_URL: redis.url, DRAIN_MS: "0" },
      worker,
    );
    expect((await fetch(`${web.origin}/readyz`)).status).toBe(200);
  } finally {
    await redis.stop();
  }
});
