/** A Redis on a free port of this machine, for tests and the cluster; it writes nothing to disk. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { ownPort } from "../own-port.ts";
import { ServerProcess } from "../product/server-process.ts";
import { prepareRedis } from "../setup/debian-programs.ts";

/** Empty after each start. */
export class Redis extends ServerProcess {
  readonly port: number;
  readonly url: string;
  /** Redis's working folder. */
  readonly #folder: string;

  constructor(program: string, port: number, folder: string) {
    const network = ["--port", String(port), "--bind", "127.0.0.1"];
    const noFiles = ["--save", "", "--appendonly", "no", "--dir", folder];
    super({ name: "redis-server", command: [program, ...network, ...noFiles], ready: /Ready to accept connections/ });
    this.port = port;
    this.url = `redis://127.0.0.1:${port}`;
    this.#folder = folder;
  }

  override async stop(): Promise<void> {
    await this.kill();
    await rm(this.#folder, { recursive: true, force: true });
  }
}

/**
 * Starts a Redis and waits until it listens.
 * @param options.port a free one unless given
 * @throws SetUpError when Redis cannot be installed or ends before it listens
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
