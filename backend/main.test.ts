/** The server as a process: its start, its signals, and the files and processes that it leaves behind. */
import type { ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { readdir, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import getPort from "get-port";
import { afterEach, expect, inject, it, vi } from "vitest";
import type { Format } from "../common/tiers.ts";
import {
  endProcesses,
  killGroup,
  newDataDir,
  processesOf,
  readJob,
  readStore,
  run,
  sampleUrl,
  untilReady,
} from "./dev/testing/test-process.ts";
import { openDevice } from "./dev/testing/test-server.ts";

afterEach(endProcesses);

/**
 * Writes the files of a server that was killed after storing them and before naming them: those of the job, and those
 * of a job that was removed.
 */
async function storeUnnamed(dataDir: string, jobId: string): Promise<void> {
  for (const key of [`${jobId}.1.mp3`, "removed.1.jpg", "removed.1.mp3", "removed.1.mp3.partial"])
    await writeFile(join(dataDir, "files", key), "stored");
}

function onlySecondAttempt(jobId: string, format: Format): Awaited<ReturnType<typeof readStore>> {
  const keys = [`${jobId}.2.jpg`, `${jobId}.2.${format}`];
  return { stored: keys, named: keys };
}

const STOPS: { how: string; command: [string, ...string[]]; stop: (child: ChildProcess) => void }[] = [
  { how: "SIGTERM to the server", command: ["node", "backend/main.ts"], stop: (child) => child.kill("SIGTERM") },
  { how: "SIGTERM to npm", command: ["npm", "start"], stop: (child) => child.kill("SIGTERM") },
  { how: "Ctrl-C in npm's terminal", command: ["npm", "start"], stop: (child) => killGroup(child.pid ?? 0, "SIGINT") },
];

it.each(STOPS)("$how ends all processes in 10 s, and the next start finishes the jobs", async ({ command, stop }) => {
  const dataDir = await newDataDir();
  const port = String(await getPort());
  const samplePort = String(await getPort());
  const env = { PORT: port, SAMPLE_PORT: samplePort, DATA_DIR: dataDir };
  const first = run(command, env);
  await untilReady(first);
  const device = await openDevice(first.origin);
  const live = await device.live();
  const link = await sampleUrl(first.origin, "held");
  const job = await device.convert(link);
  await live.until(
    job.id,
    (version) => version.status === "processing" && version.progress > 0 && version.thumbnailUrl !== undefined,
  );
  stop(first.child);
  await vi.waitFor(async () => expect(await processesOf(dataDir)).toEqual([]), { timeout: 10_000, interval: 50 });
  await first.ended;
  await expect(fetch(`${first.origin}/healthz`)).rejects.toThrow("fetch failed");
  expect(await readdir(join(dataDir, "scratch"))).toEqual([]);
  await storeUnnamed(dataDir, job.id);

  const second = run(["node", "backend/main.ts"], env);
  await untilReady(second);
  expect((await fetch(new URL("/release", link))).status).toBe(200);
  const resumed = await device.live();
  expect(
    await resumed.until(job.id, (version) => version.status === "completed" || version.status === "failed"),
  ).toMatchObject({
    status: "completed",
    attempt: 2,
  });
  await expect.poll(() => readStore(dataDir)).toEqual(onlySecondAttempt(job.id, "mp3"));
  device.close();
  second.child.kill("SIGTERM");
  expect(await second.ended).toBe(0);
});

it("finishes a job with its second attempt after a kill -9 during the encode, and leaves no files behind", async () => {
  const dataDir = await newDataDir();
  const env = { PORT: String(await getPort()), SAMPLE_PORT: String(await getPort()), DATA_DIR: dataDir };
  const first = run(["node", "backend/main.ts"], env);
  await untilReady(first);
  const device = await openDevice(first.origin);
  const live = await device.live();
  const job = await device.convert(await sampleUrl(first.origin, "rain"), "mp4");
  await live.until(
    job.id,
    (version) => version.status === "processing" && version.stage === "convert" && version.thumbnailUrl !== undefined,
  );
  // The stage is pushed just before its tool starts.
  await expect
    .poll(async () => (await processesOf(join(dataDir, "scratch"))).filter((process) => process.includes("ffmpeg")), {
      interval: 10,
    })
    .not.toEqual([]);
  killGroup(first.child.pid ?? 0, "SIGKILL");
  await first.ended;
  await expect.poll(() => processesOf(dataDir)).toEqual([]);
  await storeUnnamed(dataDir, job.id);

  const second = run(["node", "backend/main.ts"], env);
  await untilReady(second);
  await expect.poll(() => readJob(device, job.id)).toMatchObject({ status: "completed", attempt: 2 });
  await expect.poll(() => readdir(join(dataDir, "scratch"))).toEqual([]);
  await expect.poll(() => readStore(dataDir)).toEqual(onlySecondAttempt(job.id, "mp4"));
  device.close();
  second.child.kill("SIGTERM");
  expect(await second.ended).toBe(0);
});

/** Makes the server throw an uncaught error on SIGUSR2. */
const THROWING = "--import=data:text/javascript,process.on(%22SIGUSR2%22,()=>{throw%20new%20Error(%22planted%22)})";

it("stops in order after an uncaught error, logs it once, and the next start finishes the jobs", async () => {
  const dataDir = await newDataDir();
  const env = { PORT: String(await getPort()), SAMPLE_PORT: String(await getPort()), DATA_DIR: dataDir };
  const first = run(["node", "backend/main.ts"], { ...env, NODE_OPTIONS: THROWING });
  await untilReady(first);
  const device = await openDevice(first.origin);
  const live = await device.live();
  const link = await sampleUrl(first.origin, "held");
  const job = await device.convert(link);
  await live.until(job.id, (version) => version.status === "processing" && version.progress > 0);
  const requeued = live.until(job.id, (version) => version.status === "queued" && version.attempt === 2);
  first.child.kill("SIGUSR2");
  expect(await first.ended).toBe(1);
  await requeued;
  // One log entry; in development its error takes more lines.
  expect(first.output.filter((line) => line.includes("outside of any promise"))).toEqual([
    expect.stringContaining("the server ends"),
  ]);
  expect(first.output.filter((line) => line.includes("Error: planted"))).toHaveLength(1);
  await expect.poll(() => processesOf(dataDir)).toEqual([]);
  expect(await readdir(join(dataDir, "scratch"))).toEqual([]);

  const second = run(["node", "backend/main.ts"], env);
  await untilReady(second);
  expect((await fetch(new URL("/release", link))).status).toBe(200);
  await expect.poll(() => readJob(device, job.id)).toMatchObject({ status: "completed", attempt: 2 });
  device.close();
  second.child.kill("SIGTERM");
  expect(await second.ended).toBe(0);
});

it("fails when the port is taken, and uses no other", async () => {
  const holder = createServer().listen(0);
  await once(holder, "listening");
  const port = String((holder.address() as AddressInfo).port);
  const started = run(["node", "backend/main.ts"], { PORT: port, DATA_DIR: await newDataDir() });
  expect(await started.ended).toBe(1);
  expect(started.output).toEqual([
    expect.stringMatching(new RegExp(`^PORT must be a free port, but ${port} is taken`)),
  ]);
  holder.close();
});

it("names a wrong variable in one line and exits with 1", async () => {
  const started = run(["node", "backend/main.ts"], { PORT: "abc", DATA_DIR: await newDataDir() });
  expect(await started.ended).toBe(1);
  expect(started.output).toEqual(['PORT must be a whole number from 1 to 65535, but is "abc"']);
});

const WORKER_ENV = {
  NODE_ENV: "production",
  ROLE: "worker",
  SHARED_DISK: "on",
  SESSION_KEYS: "a-key-of-more-than-thirty-two-characters",
};
it.each([
  { problem: "REDIS_URL is not set", env: { REDIS_URL: "" }, message: /^REDIS_URL must be set with ROLE=worker: / },
  {
    problem: "Redis cannot be reached",
    env: { REDIS_URL: "redis://:secret@127.0.0.1:1" },
    message: new RegExp(
      String.raw`^REDIS_URL must name a Redis that can be used, but the one at 127\.0\.0\.1:1 ` +
        String.raw`does not answer as it should \(connect ECONNREFUSED 127\.0\.0\.1:1\)$`,
    ),
  },
  {
    problem: "there is no shared storage",
    env: { REDIS_URL: "redis://127.0.0.1:1", SHARED_DISK: "" },
    message: /^S3_ENDPOINT must be set with ROLE=worker, /,
  },
  {
    problem: "the database does not answer",
    env: { REDIS_URL: "redis://127.0.0.1:1", MONGODB_URI: "mongodb://127.0.0.1:1/tapedeck" },
    message: /^MONGODB_URI must name a database that answers, but the one at 127\.0\.0\.1:1 does not \(/,
  },
])("a worker fails to start with one line when $problem", async ({ env, message }) => {
  const mongodbUri = `${inject("mongodbUri").replace(/\/$/, "")}/test-${randomUUID()}`;
  const started = run(["node", "backend/main.ts"], {
    ...WORKER_ENV,
    PORT: String(await getPort()),
    DATA_DIR: await newDataDir(),
    MONGODB_URI: mongodbUri,
    LOG_LEVEL: "error",
    ...env,
  });
  expect(await started.ended).toBe(1);
  expect(started.output).toEqual([expect.stringMatching(message)]);
});
