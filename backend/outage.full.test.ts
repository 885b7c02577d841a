/** The server while the embedded database is suspended, is killed, or has no disk space left. */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SENTENCES } from "../common/errors.ts";
import { ownPort } from "./dev/own-port.ts";
import { serverArguments } from "./dev/settings-argument.ts";
import { PATIENT_PIPELINE } from "./dev/testing/patient-settings.ts";
import {
  endProcesses,
  newDataDir,
  readJob,
  run,
  sampleUrl,
  untilReady,
  type StartedProcess,
} from "./dev/testing/test-process.ts";
import { openDevice, walkThroughSignIn, type TestDevice } from "./dev/testing/test-server.ts";

const execute = promisify(execFile);
/** Longer than any test waits: what ends before, is ended by the server's own deadlines and not by the driver's. */
const DRIVER_TIMEOUT_MS = 3_600_000;

afterAll(endProcesses);

async function start(dataDir: string): Promise<StartedProcess> {
  const database = {
    startMs: 60_000,
    // Long enough that a busy machine does not look like an outage.
    lostAfterMs: 10_000,
    failOverMs: DRIVER_TIMEOUT_MS,
    answerMs: DRIVER_TIMEOUT_MS,
  };
  const server = run(["node", ...serverArguments({ pipeline: PATIENT_PIPELINE, database })], {
    PORT: String(await ownPort()),
    DATA_DIR: dataDir,
    MONGODB_URI: "",
  });
  await untilReady(server);
  return server;
}

async function databasePid(dataDir: string): Promise<number> {
  return Number(await readFile(join(dataDir, "database", "server.pid"), "utf8"));
}

/** Stops a process. The signal reaches its threads one after the other, and each may answer until then. */
async function suspend(pid: number): Promise<void> {
  process.kill(pid, "SIGSTOP");
  const stateOf = async (thread: string): Promise<string | undefined> => {
    const stat = await readFile(`/proc/${pid}/task/${thread}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2)[0];
  };
  await expect
    .poll(async () => new Set(await Promise.all((await readdir(`/proc/${pid}/task`)).map(stateOf))))
    .toEqual(new Set(["T"]));
}

/** Starts a job of its own name and waits until it downloads; `release` lets the site send the rest. */
async function beginHeldJob(
  server: StartedProcess,
  device: TestDevice,
  name: string,
): Promise<{ readonly id: string; release(): Promise<void> }> {
  const live = await device.live();
  const link = `${await sampleUrl(server.origin, "held")}?${name}`;
  const { id } = await device.convert(link);
  await live.until(id, (version) => version.status === "processing" && version.progress > 0);
  return { id, release: async () => void (await fetch(new URL(`/release?${name}`, link))) };
}

/** Waits until the server ends. @returns its exit code and what it printed */
async function endOf({ ended, output }: StartedProcess) {
  const code = await ended;
  return { code, lastLine: output.at(-1), stack: output.filter((line) => /^\s+at /.test(line)) };
}

describe("an embedded database", () => {
  let dataDir: string;
  /** One for both tests, because a start takes most of their CPU time. It ends in the second one. */
  let server: StartedProcess;
  beforeAll(async () => {
    dataDir = await newDataDir();
    server = await start(dataDir);
  });

  it("answers 503 and closes sockets while the database is suspended, and goes on afterwards", async () => {
    const device = await openDevice(server.origin);
    await walkThroughSignIn(device, { email: "ada@example.com" });
    const live = await device.live();
    const job = await beginHeldJob(server, device, "suspended");
    const get = (path: string, accept = "*/*") =>
      fetch(server.origin + path, { headers: { accept, cookie: device.cookie } });
    const cutOff = once(live.socket as unknown as NodeJS.EventEmitter, "disconnect");

    const pid = await databasePid(dataDir);
    try {
      await suspend(pid);
      const answer = get("/api/conversions");
      // A ping that the database answered just before it was stopped still counts.
      await expect.poll(async () => (await get("/readyz")).status).toBe(503);
      const early = await answer;
      expect({ status: early.status, retryAfter: early.headers.get("retry-after") }).toEqual({
        status: 503,
        retryAfter: "1",
      });
      expect(await early.json()).toEqual({ code: "unavailable_now", message: SENTENCES.unavailable_now });
      await cutOff;
      const late = await device.call("POST", "/api/conversions", {
        youtubeUrl: await sampleUrl(server.origin, "rain").catch(() => "https://youtu.be/x"),
        format: "mp3",
      });
      expect({ status: late.status, retryAfter: late.headers.get("retry-after") }).toEqual({
        status: 503,
        retryAfter: "1",
      });
      const page = await get("/", "text/html");
      expect({
        status: page.status,
        refresh: page.headers.get("refresh"),
        type: page.headers.get("content-type"),
      }).toEqual({ status: 503, refresh: "1", type: "text/html; charset=utf-8" });
      expect((await fetch(`${server.origin}/`, { headers: { accept: "text/html" } })).status).toBe(200);
      expect((await get("/healthz")).status).toBe(200);
      expect((await fetch(`${server.origin}/socket.io/?EIO=4&transport=polling`)).status).toBe(403);
    } finally {
      process.kill(pid, "SIGCONT");
    }

    await untilReady(server);
    await job.release();
    expect(await live.untilStatus(job.id, "completed", "failed")).toMatchObject({ status: "completed", attempt: 1 });
    expect(await readJob(device, job.id)).toMatchObject({ status: "completed", attempt: 1 });
    expect(server.output.filter((line) => /^\s+at /.test(line))).toEqual([]);
    device.close();
  });

  it("exits with one line when the database is killed, also during jobs and requests", async () => {
    const device = await openDevice(server.origin);
    await beginHeldJob(server, device, "killed");
    process.kill(await databasePid(dataDir), "SIGKILL");
    await Promise.allSettled([
      device.call("GET", "/api/conversions"),
      device.call("POST", "/api/conversions", { youtubeUrl: "https://youtu.be/x", format: "mp3" }),
    ]);
    expect(await endOf(server)).toEqual({
      code: 1,
      lastLine: expect.stringMatching(
        /^The embedded database has ended unexpectedly \(.*\); start again, jobs go on where they were\.$/,
      ),
      stack: [],
    });
    device.close();
  });
});

it("exits with one line when the disk of the database is full", async ({ skip }) => {
  const dataDir = await newDataDir();
  const folder = join(dataDir, "database");
  await mkdir(folder);
  try {
    await execute("mount", ["-t", "tmpfs", "-o", "size=64m", "tapedeck-test", folder]);
  } catch {
    skip("file systems cannot be mounted here");
  }
  try {
    const server = await start(dataDir);
    const device = await openDevice(server.origin);
    await beginHeldJob(server, device, "full");
    const { bavail, bsize } = await statfs(folder);
    await writeFile(join(folder, "filler"), Buffer.alloc(bavail * bsize)).catch(() => undefined);
    // Causes database writes, in addition to the progress of the job.
    await Promise.allSettled(
      Array.from({ length: 20 }, () =>
        device.call("POST", "/api/conversions", { youtubeUrl: "https://youtu.be/x", format: "mp3" }),
      ),
    );
    expect(await endOf(server)).toEqual({
      code: 1,
      lastLine: expect.stringMatching(/^The embedded database has ended unexpectedly \(.*disk is full\); /),
      stack: [],
    });
    device.close();
  } finally {
    // Lazy, because the processes that have files open there may still be ending.
    await execute("umount", ["--lazy", folder]);
  }
});
