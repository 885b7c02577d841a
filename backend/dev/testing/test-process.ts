/** The product as a separate process for a test, in its own process group and data folder. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { inject } from "vitest";
import { Job } from "../../../common/job.ts";
import { REPOSITORY_ROOT } from "../repository.ts";
import { isReady } from "../product/product.ts";
import { linkSharedFolders, processesOf } from "../product/data-folder.ts";
import type { TestDevice } from "./test-device.ts";

export { processesOf, readStore } from "../product/data-folder.ts";
export { samplePage as sampleUrl } from "../product/product.ts";

const POLL_MS = 50;
const folders: string[] = [];
const started: { readonly group: number; readonly ended: Promise<unknown> }[] = [];

/** Ends all processes that a test started here and removes their folders; for `afterEach`. */
export async function endProcesses(): Promise<void> {
  const ending = started.splice(0);
  for (const { group } of ending) killGroup(group, "SIGKILL");
  await Promise.all(ending.map(({ ended }) => ended));
  for (const folder of folders.splice(0)) {
    await untilUnused(folder);
    await rm(folder, { recursive: true, force: true });
  }
}

/** Waits for the databases and tools of killed servers, which end by themselves and may still write until then. */
async function untilUnused(folder: string): Promise<void> {
  while ((await processesOf(folder)).length > 0) await delay(POLL_MS);
}

export function killGroup(group: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-group, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** Makes a data folder with links to the shared database program and sample clips. */
export async function newDataDir(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "tapedeck-main-"));
  folders.push(folder);
  return await linkSharedFolders(folder);
}

export interface StartedProcess {
  readonly child: ChildProcess;
  readonly origin: string;
  readonly output: string[];
  /** The exit code, null when a signal ended it. */
  readonly ended: Promise<number | null>;
}

/** Starts a command in its own process group, as a terminal does. */
export function run(command: readonly [string, ...string[]], env: Record<string, string>): StartedProcess {
  const [program, ...args] = command;
  const { ytDlpPath, ffmpegPath } = inject("toolPaths");
  const child = spawn(program, args, {
    cwd: REPOSITORY_ROOT,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, YTDLP_PATH: ytDlpPath, FFMPEG_PATH: ffmpegPath, NODE_ENV: "development", ...env },
  });
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr]) createInterface(stream).on("line", (line) => output.push(line));
  const ended = once(child, "close").then(([code]) => code as number | null);
  if (child.pid !== undefined) started.push({ group: child.pid, ended });
  return { child, origin: `http://localhost:${env["PORT"]}`, output, ended };
}

/**
 * Waits until the server answers `/readyz` with 200.
 * @throws Error with its output when it ends before
 */
export async function untilReady({ origin, output, ended }: StartedProcess): Promise<void> {
  let hasEnded = false;
  void ended.then(() => {
    hasEnded = true;
  });
  while (!(await isReady(origin))) {
    if (hasEnded) throw new Error(output.join("\n"));
    await delay(POLL_MS);
  }
}

export async function readJob(device: TestDevice, id: string): Promise<Job> {
  return Job.parse(await (await device.call("GET", `/api/conversions/${id}`)).json());
}
