/** The server as a process: its start, its signals, and the files and processes that it leaves behind. */
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readdir, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { CreatedFeed } from "../common/feed-calls.ts";
import { Job } from "../common/job.ts";
import type { Format } from "../common/tiers.ts";
import { ownPort } from "./dev/own-port.ts";
import { serverArguments } from "./dev/settings-argument.ts";
import { PATIENT_SETTINGS, PATIENT_STOP } from "./dev/testing/patient-settings.ts";
import {
  endProcesses,
  killGroup,
  newDataDir,
  processesOf,
  readStore,
  run,
  sampleUrl,
  untilReady,
  type StartedProcess,
} from "./dev/testing/test-process.ts";
import { testDatabaseUri } from "./dev/testing/test-connection.ts";
import { walkThroughSignIn } from "./dev/testing/test-device.ts";
import { openDevice, type TestDevice } from "./dev/testing/test-server.ts";

/**
 * A server in the data folder of all tests of stops. Each test takes over the server with which the test before found out
 * that a start finishes the jobs, because a start takes most of the time of such a test.
 */
let running: StartedProcess | undefined;
let env: Record<string, string>;
let dataDir: string;

const SERVER = ["node", ...serverArguments({ ...PATIENT_SETTINGS, shutdown: PATIENT_STOP })] as const;
const NPM = ["npm", "start"] as const;
/** A server that throws an uncaught error on SIGUSR2. */
const THROWING_SERVER = [
  "node",
  "--import=data:text/javascript,process.on(%22SIGUSR2%22,()=>{throw%20new%20Error(%22planted%22)})",
  // However long its stop takes on a busy machine.
  ...serverArguments({ ...PATIENT_SETTINGS, shutdown: PATIENT_STOP }),
] as const;

/** @returns the server that runs, or one that is started with this command if none does */
async function runningServer(command: readonly [string, ...string[]]): Promise<StartedProcess> {
  running ??= run(command, env);
  await untilReady(running);
  return running;
}

async function stopRunning(): Promise<number | null> {
  running?.child.kill("SIGTERM");
  const code = await running?.ended;
  running = undefined;
  return code ?? null;
}

/**
 * Writes the files of a server that was killed after storing them and before naming them: those of the job, and those
 * of a job that was removed.
 */
async function storeUnnamed(jobId: string): Promise<void> {
  for (const key of [`${jobId}.1.mp3`, "removed.1.jpg", "removed.1.mp3", "removed.1.mp3.partial"])
    await writeFile(join(dataDir, "files", key), "stored");
}

/**
 * Waits until the second attempt of a job is the only one that is stored, and removes the job.
 * @returns how the job ended
 */
async function endOfSecondAttempt(device: TestDevice, id: string, format: Format): Promise<Job> {
  const live = await device.live();
  const ended = await live.until(id, (version) => version.status === "completed" || version.status === "failed");
  const keys = [`${id}.2.jpg`, `${id}.2.${format}`];
  await expect.poll(() => readStore(dataDir)).toEqual({ stored: keys, named: keys });
  await expect.poll(() => readdir(join(dataDir, "scratch"))).toEqual([]);
  expect((await device.call("DELETE", `/api/conversions/${id}`)).status).toBe(204);
  expect(await readStore(dataDir)).toEqual({ stored: [], named: [] });
  return ended;
}

describe("a stop of the server", () => {
  beforeAll(async () => {
    dataDir = await newDataDir();
    // The site is started again with each server, at the same address.
    await writeFile(join(dataDir, "sample-site-port"), `${await ownPort()}\n`);
    env = { PORT: String(await ownPort()), DATA_DIR: dataDir };
    return endProcesses;
  });

  /** Starts a job that the site holds back, and waits until it downloads and has its picture. */
  async function beginHeldJob(server: StartedProcess, name: string) {
    const device = await openDevice(server.origin);
    const live = await device.live();
    const link = `${await sampleUrl(server.origin, "held")}?${name}`;
    const { id } = await device.convert(link);
    await live.until(
      id,
      (version) => version.status === "processing" && version.progress > 0 && version.thumbnailUrl !== undefined,
    );
    return { device, live, link, id };
  }

  it.each<{
    how: string;
    command: readonly [string, ...string[]];
    next: readonly [string, ...string[]];
    stop: (child: ChildProcess) => void;
  }>([
    { how: "SIGTERM to the server", command: SERVER, next: NPM, stop: (child) => child.kill("SIGTERM") },
    { how: "SIGTERM to npm", command: NPM, next: NPM, stop: (child) => child.kill("SIGTERM") },
    { how: "Ctrl-C in npm's terminal", command: NPM, next: SERVER, stop: (c) => killGroup(c.pid ?? 0, "SIGINT") },
  ])("by $how ends all processes, and the next start finishes the jobs", async ({ how, command, next, stop }) => {
    const first = await runningServer(command);
    const { device, link, id } = await beginHeldJob(first, encodeURIComponent(how));
    stop(first.child);
    await vi.waitFor(async () => expect(await processesOf(dataDir)).toEqual([]), { timeout: 120_000, interval: 50 });
    await first.ended;
    await expect(fetch(`${first.origin}/healthz`)).rejects.toThrow("fetch failed");
    expect(await readdir(join(dataDir, "scratch"))).toEqual([]);
    await storeUnnamed(id);

    running = undefined;
    await runningServer(next);
    expect((await fetch(new URL(`/release?${encodeURIComponent(how)}`, link))).status).toBe(200);
    expect(await endOfSecondAttempt(device, id, "mp3")).toMatchObject({ status: "completed", attempt: 2 });
    device.close();
  });

  it("by kill -9 during an encode leaves no files behind, and the job is finished with its second attempt", async () => {
    const first = await runningServer(SERVER);
    const device = await openDevice(first.origin);
    const live = await device.live();
    const answer = await device.call("POST", "/api/conversions", {
      youtubeUrl: await sampleUrl(first.origin, "rain"),
      format: "mp4",
      // Enough to be killed in the middle of it.
      choices: { part: { startSeconds: 0, endSeconds: 8 } },
    });
    const job = Job.parse(await answer.json());
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
    await storeUnnamed(job.id);

    running = undefined;
    await runningServer(THROWING_SERVER);
    expect(await endOfSecondAttempt(device, job.id, "mp4")).toMatchObject({ status: "completed", attempt: 2 });
    device.close();
  });

  it("by kill -9 right after a tape and its feed were made leaves the feed as apps know it", async () => {
    const first = await runningServer(THROWING_SERVER);
    const device = await openDevice(first.origin);
    expect(await walkThroughSignIn(device, { email: "listener@example.com" })).toBe("/");
    const live = await device.live();
    const { url } = CreatedFeed.parse(await (await device.call("POST", "/api/feed", {})).json());
    const { id } = await device.convert(await sampleUrl(first.origin, "rain"));
    await live.untilStatus(id, "completed");
    const before = await fetch(first.origin + url);
    killGroup(first.child.pid ?? 0, "SIGKILL");
    const document = await before.text();
    expect(document).toContain(`<guid isPermaLink="false">${id}</guid>`);
    await first.ended;
    await expect.poll(() => processesOf(dataDir)).toEqual([]);

    running = undefined;
    await runningServer(THROWING_SERVER);
    const tag = before.headers.get("etag") ?? "";
    expect((await fetch(first.origin + url, { headers: { "if-none-match": tag } })).status).toBe(304);
    const after = await fetch(first.origin + url);
    expect([after.headers.get("etag"), await after.text()]).toEqual([tag, document]);
    expect((await device.call("DELETE", `/api/conversions/${id}`)).status).toBe(204);
    expect(await readStore(dataDir)).toEqual({ stored: [], named: [] });
    device.close();
  });

  it("after an uncaught error is in order and logged once, and the next start finishes the jobs", async () => {
    const first = await runningServer(THROWING_SERVER);
    const { device, live, link, id } = await beginHeldJob(first, "uncaught");
    const requeued = live.until(id, (version) => version.status === "queued" && version.attempt === 2);
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

    running = undefined;
    await runningServer(SERVER);
    expect((await fetch(new URL("/release?uncaught", link))).status).toBe(200);
    expect(await endOfSecondAttempt(device, id, "mp3")).toMatchObject({ status: "completed", attempt: 2 });
    device.close();
    expect(await stopRunning()).toBe(0);
  });
});

describe("a start that fails", () => {
  afterEach(endProcesses);

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

  const WORKER_ENV = {
    NODE_ENV: "production",
    ROLE: "worker",
    SHARED_DISK: "on",
    SESSION_KEYS: "a-key-of-more-than-thirty-two-characters",
  };
  it.each([
    {
      problem: "Redis cannot be reached",
      settings: PATIENT_SETTINGS,
      env: { REDIS_URL: "redis://:secret@127.0.0.1:1" },
      message: new RegExp(
        String.raw`^REDIS_URL must name a Redis that can be used, but the one at 127\.0\.0\.1:1 ` +
          String.raw`does not answer as it should \(connect ECONNREFUSED 127\.0\.0\.1:1\)$`,
      ),
    },
    {
      problem: "the database does not answer",
      settings: {},
      env: { REDIS_URL: "redis://127.0.0.1:1", MONGODB_URI: "mongodb://127.0.0.1:1/tapedeck" },
      message: /^MONGODB_URI must name a database that answers, but the one at 127\.0\.0\.1:1 does not \(/,
    },
  ])("a worker fails to start with one line when $problem", async ({ settings, env, message }) => {
    const mongodbUri = testDatabaseUri();
    const started = run(["node", ...serverArguments(settings)], {
      ...WORKER_ENV,
      PORT: String(await ownPort()),
      DATA_DIR: await newDataDir(),
      MONGODB_URI: mongodbUri,
      LOG_LEVEL: "error",
      ...env,
    });
    expect(await started.ended).toBe(1);
    expect(started.output).toEqual([expect.stringMatching(message)]);
  });
});
