/** The product as an operator has it: a command, its signals, and what it leaves behind. */
import { spawn, type ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, expect, inject, it, vi } from "vitest";
import { findFreePort } from "./dev/free-port.ts";
import { Job } from "../common/job.ts";
import { PublicConfig } from "../common/api.ts";
import { repositoryDataDir } from "./dev/repository.ts";
import { openDevice } from "./dev/test-server.ts";

const ROOT = resolve(import.meta.dirname, "..");
const folders: string[] = [];
const groups: number[] = [];

afterEach(async () => {
  for (const group of groups.splice(0)) killGroup(group, "SIGKILL");
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

function killGroup(group: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-group, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** A data folder of its own with the database's program and the clips that all runs share. */
async function newDataDir(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "tapedeck-main-"));
  folders.push(folder);
  await mkdir(join(folder, "tools"));
  for (const shared of ["tools/database", "sample-site"]) await symlink(join(repositoryDataDir(), shared), join(folder, shared));
  return folder;
}

interface Started {
  readonly child: ChildProcess;
  readonly origin: string;
  readonly output: string[];
  /** The exit code, null when a signal ended it. */
  readonly ended: Promise<number | null>;
}

/** Starts a command in a process group of its own, as a terminal does. */
function run(command: [string, ...string[]], env: Record<string, string>): Started {
  const [program, ...args] = command;
  const { ytDlpPath, ffmpegPath } = inject("toolPaths");
  const child = spawn(program, args, {
    cwd: ROOT,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, YTDLP_PATH: ytDlpPath, FFMPEG_PATH: ffmpegPath, NODE_ENV: "development", MIN_FREE_DISK_MB: "1", ...env },
  });
  if (child.pid !== undefined) groups.push(child.pid);
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr]) createInterface(stream).on("line", (line) => output.push(line));
  const ended = once(child, "close").then(([code]) => code as number | null);
  return { child, origin: `http://localhost:${env["PORT"]}`, output, ended };
}

async function untilReady({ origin, output, child }: Started): Promise<void> {
  await vi.waitFor(
    async () => {
      if (child.exitCode !== null) throw new Error(output.join("\n"));
      const answer = await fetch(`${origin}/readyz`);
      expect(answer.status).toBe(200);
    },
    { timeout: 120_000, interval: 50 },
  );
}

/** Processes with the folder in their command line or as their place: whatever a server started. */
async function processesOf(folder: string): Promise<string[]> {
  const found: string[] = [];
  for (const pid of await readdir("/proc")) {
    if (!/^\d+$/.test(pid)) continue;
    const commandLine = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
    if (commandLine.includes(folder)) found.push(`${pid} ${commandLine.replaceAll("\0", " ")}`);
  }
  return found;
}

async function sampleUrl(origin: string, name: string): Promise<string> {
  const { sampleLinks } = PublicConfig.parse(await (await fetch(`${origin}/api/config`)).json());
  return new URL(`/watch/${name}`, sampleLinks[0]?.url).href;
}

async function readJob(device: Awaited<ReturnType<typeof openDevice>>, id: string): Promise<Job> {
  return Job.parse(await (await device.call("GET", `/api/conversions/${id}`)).json());
}

const STOPS: { how: string; command: [string, ...string[]]; stop: (child: ChildProcess) => void }[] = [
  { how: "SIGTERM to the server", command: ["node", "backend/main.ts"], stop: (child) => child.kill("SIGTERM") },
  { how: "SIGTERM to npm", command: ["npm", "start"], stop: (child) => child.kill("SIGTERM") },
  { how: "Ctrl-C in npm's terminal", command: ["npm", "start"], stop: (child) => killGroup(child.pid ?? 0, "SIGINT") },
];

it.each(STOPS)("$how ends everything within 10 s, and the next start finishes the jobs", async ({ command, stop }) => {
  const dataDir = await newDataDir();
  const port = String(await findFreePort());
  const samplePort = String(await findFreePort());
  const env = { PORT: port, SAMPLE_PORT: samplePort, DATA_DIR: dataDir };
  const first = run(command, env);
  await untilReady(first);
  const device = await openDevice(first.origin);
  const live = await device.live();
  const link = await sampleUrl(first.origin, "held");
  const job = await device.convert(link);
  await live.until(job.id, (version) => version.status === "processing" && version.progress > 0);
  stop(first.child);
  await vi.waitFor(async () => expect(await processesOf(dataDir)).toEqual([]), { timeout: 10_000, interval: 50 });
  await first.ended;
  await expect(fetch(`${first.origin}/healthz`)).rejects.toThrow("fetch failed");
  expect(await readdir(join(dataDir, "scratch"))).toEqual([]);

  const second = run(["node", "backend/main.ts"], env);
  await untilReady(second);
  expect((await fetch(new URL("/let-go", link))).status).toBe(200);
  const resumed = await device.live();
  expect(await resumed.until(job.id, (version) => version.status === "completed" || version.status === "failed")).toMatchObject({
    status: "completed",
    attempt: 2,
  });
  device.close();
  second.child.kill("SIGTERM");
  expect(await second.ended).toBe(0);
});

it("finishes after a kill -9 of everything in mid-encode, one attempt later and with nothing left over", async () => {
  const dataDir = await newDataDir();
  const env = { PORT: String(await findFreePort()), SAMPLE_PORT: String(await findFreePort()), DATA_DIR: dataDir };
  const first = run(["node", "backend/main.ts"], env);
  await untilReady(first);
  const device = await openDevice(first.origin);
  const live = await device.live();
  const job = await device.convert(await sampleUrl(first.origin, "rain"), "mp4");
  await live.until(job.id, (version) => version.status === "processing" && version.stage === "convert");
  // The stage is told just before its tool has begun.
  await expect.poll(async () => (await processesOf(join(dataDir, "scratch"))).filter((process) => process.includes("ffmpeg")), { interval: 10 }).not.toEqual([]);
  killGroup(first.child.pid ?? 0, "SIGKILL");
  await first.ended;
  await expect.poll(() => processesOf(dataDir)).toEqual([]);

  const second = run(["node", "backend/main.ts"], env);
  await untilReady(second);
  await expect.poll(() => readJob(device, job.id)).toMatchObject({ status: "completed", attempt: 2 });
  await expect.poll(() => readdir(join(dataDir, "scratch"))).toEqual([]);
  expect((await readdir(join(dataDir, "files"))).filter((name) => name.endsWith(".mp4"))).toEqual([`${job.id}.2.mp4`]);
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
  expect(started.output).toEqual([expect.stringMatching(new RegExp(`^PORT must be a free port, but ${port} is taken`))]);
  holder.close();
});

it("names a wrong variable in one line and ends with 1", async () => {
  const started = run(["node", "backend/main.ts"], { PORT: "abc", DATA_DIR: await newDataDir() });
  expect(await started.ended).toBe(1);
  expect(started.output).toEqual(['PORT must be a whole number from 1 to 65535, but is "abc"']);
});

const ONE_OF_SEVERAL = { NODE_ENV: "production", ROLE: "worker", SHARED_DISK: "on", SESSION_KEYS: "a-key-of-more-than-thirty-two-characters" };
it.each([
  { lack: "no Redis is named", env: { REDIS_URL: "" }, says: /^REDIS_URL must be set with ROLE=worker: / },
  { lack: "Redis cannot be reached", env: { REDIS_URL: "redis://:secret@127.0.0.1:1" }, says: /^REDIS_URL must name a Redis that can be used, but the one at 127\.0\.0\.1:1 does not answer as it should \(connect ECONNREFUSED 127\.0\.0\.1:1\)$/ },
  { lack: "no place for files is shared", env: { REDIS_URL: "redis://127.0.0.1:1", SHARED_DISK: "" }, says: /^S3_ENDPOINT must be set with ROLE=worker, / },
  { lack: "the database does not answer", env: { REDIS_URL: "redis://127.0.0.1:1", MONGODB_URI: "mongodb://127.0.0.1:1/tapedeck" }, says: /^MONGODB_URI must name a database that answers, but the one at 127\.0\.0\.1:1 does not \(/ },
])("a worker refuses to start in one line when $lack", async ({ env, says }) => {
  const mongodbUri = `${inject("mongodbUri").replace(/\/$/, "")}/test-${randomUUID()}`;
  const started = run(["node", "backend/main.ts"], { ...ONE_OF_SEVERAL, PORT: String(await findFreePort()), DATA_DIR: await newDataDir(), MONGODB_URI: mongodbUri, LOG_LEVEL: "error", ...env });
  expect(await started.ended).toBe(1);
  expect(started.output).toEqual([expect.stringMatching(says)]);
});
