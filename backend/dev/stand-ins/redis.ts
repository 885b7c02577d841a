/** A Redis on a free port of this machine, for tests and the cluster; it writes nothing to disk. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { ownPort } from "../own-port.ts";
import { prepareRedis } from "../setup/debian-programs.ts";
import { startServerProcess, type ServerProcess } from "./server-process.ts";

export class Redis {
  readonly port: number;
  readonly url: string;
  readonly #program: string;
  /** Redis's working folder. */
  readonly #folder: string;
  #process: ServerProcess | undefined;

  constructor(program: string, port: number, folder: string) {
    this.#program = program;
    this.port = port;
    this.url = `redis://127.0.0.1:${port}`;
    this.#folder = folder;
  }

  get pid(): number {
    return this.#process?.pid ?? 0;
  }

  /** Starts it, empty; also again after `kill`. */
  async start(): Promise<void> {
    const network = ["--port", String(this.port), "--bind", "127.0.0.1"];
    const noFiles = ["--save", "", "--appendonly", "no", "--dir", this.#folder];
    this.#process = await startServerProcess({
      name: "redis-server",
      command: [this.#program, ...network, ...noFiles],
      readyLine: /Ready to accept connections/,
      detached: true,
    });
  }

  /** Sends SIGKILL; all data is lost. */
  async kill(): Promise<void> {
    await this.#process?.end("SIGKILL");
  }

  /** Stops it with SIGSTOP; connections stay open until `resume` continues it. */
  pause(): void {
    this.#process?.signal("SIGSTOP");
  }

  resume(): void {
    this.#process?.signal("SIGCONT");
  }

  async stop(): Promise<void> {
    await this.kill();
    await rm(this.#folder, { recursive: true, force: true });
  }
}

/**
 * Starts a Redis and waits until it listens.
 * @param options.port a free one unless given
 * @throws SetUpError when Redis cannot be installed
 * @throws Error when it ends before it listens
 */
export async function startRedis(
  options: { readonly port?: number; readonly report?: (line: string) => void } = {},
): Promise<Redis> {
  const program = await prepareRedis({ report: options.report ?? (() => undefined) });
  const port = options.port ?? (await ownPort());
  const redis = new Redis(program, port, await mkdtemp(path.join(tmpdir(), "tapedeck-redis-")));
  await redis.start();
  return redis;
}
