/** The product as an operator has it: a command, its signals, and what it leaves behind. */
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
 * What a server leaves that is killed between storing and writing it down: of this job, and of one that was removed.
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

it.each(STOPS)("$how ends everything within 10 s, and the next start finishes the jobs", async ({ command, stop }) => {
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

it("finishes after a kill -9 of everything in mid-encode, one attempt later and with nothing left over", async () => {
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
  // The stage is told just before its tool has begun.
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

/** Has the server throw outside of any promise when it is told to. */
const THROWING = "--import=data:text/javascript,process.on(%22SIGUSR2%22,()=>{throw%20new%20Error(%22planted%22)})";

it("ends in order and says so once after an error that nothing caught, and the next start finishes the jobs", async () => {
  const dataDir = await newDataDir();
  const env = { PORT: String(await getPort()), SAMPLE_PORT: String(await getPort()), DATA_DIR: dataDir };
  const first = run(["node", "backend/main.ts"], { ...env, NODE_OPTIONS: THROWING });
  await untilReady(first);
  const device = await openDevice(first.origin);
  const live = await device.live();
  const link = await sampleUrl(first.origin, "held");
  const job = await device.convert(link);
  await live.until(job.id, (version) => version.status === "processing" && version.progress > 0);
  const givenBack = live.until(job.id, (version) => version.status === "queued" && version.attempt === 2);
  first.child.kill("SIGUSR2");
  expect(await first.ended).toBe(1);
  await givenBack;
  // Logged once; what the log shows in development of the error itself takes more lines.
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

it("says that the port is taken, and takes no other", async () => {
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

it("names a wrong variable in one line and ends with 1", async () => {
  const started = run(["node", "backend/main.ts"], { PORT: "abc", DATA_DIR: await newDataDir() });
  expect(await started.ended).toBe(1);
  expect(started.output).toEqual(['PORT must be a whole number from 1 to 65535, but is "abc"']);
});

const ONE_OF_SEVERAL = {
  NODE_ENV: "production",
  ROLE: "worker",
  SHARED_DISK: "on",
  SESSION_KEYS: "a-key-of-more-than-thirty-two-characters",
};
it.each([
  { lack: "no Redis is named", env: { REDIS_URL: "" }, says: /^REDIS_URL must be set with ROLE=worker: / },
  {
    lack: "Redis cannot be reached",
    env: { REDIS_URL: "redis://:secret@127.0.0.1:1" },
    says: /^REDIS_URL must name a Redis that can be used, but the one at 127\.0\.0\.1:1 does not answer as it should \(connect ECONNREFUSED 127\.0\.0\.1:1\)$/,
  },
  {
    lack: "no place for files is shared",
    env: { REDIS_URL: "redis://127.0.0.1:1", SHARED_DISK: "" },
    says: /^S3_ENDPOINT must be set with ROLE=worker, /,
  },
  {
    lack: "the database does not answer",
    env: { REDIS_URL: "redis://127.0.0.1:1", MONGODB_URI: "mongodb://127.0.0.1:1/tapedeck" },
    says: /^MONGODB_URI must name a database that answers, but the one at 127\.0\.0\.1:1 does not \(/,
  },
])("a worker refuses to start in one line when $lack", async ({ env, says }) => {
  const mongodbUri = `${inject("mongodbUri").replace(/\/$/, "")}/test-${randomUUID()}`;
  const started = run(["node", "backend/main.ts"], {
    ...ONE_OF_SEVERAL,
    PORT: String(await getPort()),
    DATA_DIR: await newDataDir(),
    MONGODB_URI: mongodbUri,
    LOG_LEVEL: "error",
    ...env,
  });
  expect(await started.ended).toBe(1);
  expect(started.output).toEqual([expect.stringMatching(says)]);
});
