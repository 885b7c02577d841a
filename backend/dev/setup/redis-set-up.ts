/** redis-server, from the PATH or Debian's package, for tests and for the cluster on one machine. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import getPort from "get-port";
import { prepareDebianProgram } from "./debian-program.ts";
import { boundToParent } from "./run-tool.ts";

const HOW_TO_MEND = "run `apt-get install redis-server` (macOS: `brew install redis`)";

/**
 * Finds redis-server or installs it.
 * @returns the path of the program
 * @throws SetUpError when it is missing and cannot be installed
 */
export function prepareRedis(options: {
  readonly report: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
}): Promise<string> {
  return prepareDebianProgram("redis-server", { ...options, howToMend: HOW_TO_MEND });
}

export interface OwnRedis {
  readonly port: number;
  readonly url: string;
  readonly pid: number;
  /** Sends SIGKILL; all its data is lost. */
  kill(): Promise<void>;
  /** Starts it again, empty, on the same port. */
  start(): Promise<void>;
  /** Stops it with SIGSTOP, connections stay open; `resume` continues it. */
  pause(): void;
  resume(): void;
  stop(): Promise<void>;
}

/**
 * Starts a Redis that writes nothing to disk.
 * @param options.port a free one unless given
 * @throws SetUpError when it cannot be installed
 * @throws Error when it ends before it listens
 */
export async function startRedis(
  options: { readonly port?: number; readonly report?: (line: string) => void } = {},
): Promise<OwnRedis> {
  const program = await prepareRedis({ report: options.report ?? (() => undefined) });
  const port = options.port ?? (await getPort());
  const folder = await mkdtemp(path.join(tmpdir(), "tapedeck-redis-"));
  let running = await run();

  async function run(): Promise<{
    pid: number;
    end(signal: NodeJS.Signals): Promise<void>;
    signal(signal: NodeJS.Signals): void;
  }> {
    const args = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", folder];
    const child = spawn(...boundToParent(program, args), { stdio: ["ignore", "pipe", "inherit"], detached: true });
    const exited = once(child, "exit");
    await new Promise<void>((resolve, reject) => {
      createInterface(child.stdout).on("line", (line) => {
        if (line.includes("Ready to accept connections")) resolve();
      });
      child.once("error", reject);
      void exited.then(([code]) => reject(new Error(`redis-server ended with ${String(code)} before it listened`)));
    });
    return {
      pid: child.pid ?? 0,
      signal: (signal) => void child.kill(signal),
      async end(signal) {
        child.kill(signal);
        await exited;
      },
    };
  }

  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    get pid() {
      return running.pid;
    },
    kill: () => running.end("SIGKILL"),
    async start() {
      running = await run();
    },
    pause: () => running.signal("SIGSTOP"),
    resume: () => running.signal("SIGCONT"),
    async stop() {
      await running.end("SIGKILL");
      await rm(folder, { recursive: true, force: true });
    },
  };
}
