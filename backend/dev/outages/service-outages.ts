/** A server whose database, Redis and storage are processes of their own, which are stopped, killed and started again. */
import { join } from "node:path";
import { ListObjectsV2Command } from "@aws-sdk/client-s3";
import { startRedis } from "../stand-ins/redis.ts";
import { startStorageServer, type StorageServer } from "../stand-ins/storage-server.ts";
import { siteDatabaseUri, startEmbeddedDatabase, type EmbeddedDatabase } from "../database/embedded-database.ts";
import { openFaultProxy, type FaultProxy } from "../stand-ins/fault-proxy.ts";
import { repositoryDataDir } from "../repository.ts";
import type { ToolPaths } from "../setup/tools.ts";
import type { Outage } from "./outage.ts";
import { linkSharedFolders } from "../product/data-folder.ts";
import { startProduct, type Product } from "../product/product.ts";
import type { ServerProcess } from "../product/server-process.ts";
import { ONE_ADDRESS_LIMITS } from "../wide-limits.ts";

const SECONDS = 20;
const BUCKET = "outages";
const report = () => undefined;

export interface Services extends AsyncDisposable {
  readonly product: Product;
  readonly outages: readonly Outage[];
}

/**
 * Starts a server, its services, and waits until it is ready.
 * @param hasStorage files are kept in S3-compatible storage instead of on the disk
 */
export async function startServices(folder: string, tools: ToolPaths, hasStorage: boolean): Promise<Services> {
  await using started = new AsyncDisposableStack();
  const database = await RestartableDatabase.open(join(folder, "database"));
  started.defer(() => database.stop());
  const redis = started.use(await startRedis());
  const storage = started.use(hasStorage ? await startStorageServer({ folder: join(folder, "storage") }) : null);
  const product = await startProduct({
    dataDir: await linkSharedFolders(join(folder, "server")),
    tools,
    settings: ONE_ADDRESS_LIMITS,
    env: { MONGODB_URI: database.uri, REDIS_URL: redis.url, ...(await storage?.newBucket(BUCKET)) },
  });
  started.use(product);
  if (storage) product.listFiles = () => listBucket(storage);
  const rest = started.move();
  return {
    product,
    outages: storage
      ? outagesOf("storage", "served", storage)
      : [...outagesOf("database", "refused", database), ...outagesOf("Redis", "served", redis)],
    [Symbol.asyncDispose]: () => rest.disposeAsync(),
  };
}

/** A process that stops without closing its connections, and one that is killed. */
function outagesOf(
  name: string,
  calls: Outage["calls"],
  service: Pick<ServerProcess, "pause" | "resume" | "kill" | "start">,
): Outage[] {
  const about = { seconds: SECONDS, calls };
  return [
    { ...about, name: `${name} stopped`, begin: () => service.pause(), end: () => service.resume() },
    { ...about, name: `${name} killed`, begin: () => service.kill(), end: () => service.start() },
  ];
}

async function listBucket({ client }: StorageServer): Promise<string[]> {
  const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: BUCKET }));
  return Contents.map(({ Key = "" }) => Key.replace(/^files\//, ""));
}

/** A database behind a proxy, so that it keeps its address when it is started again. */
class RestartableDatabase {
  readonly #folder: string;
  readonly #proxy: FaultProxy;
  #database: EmbeddedDatabase;

  private constructor(folder: string, database: EmbeddedDatabase, proxy: FaultProxy) {
    this.#folder = folder;
    this.#database = database;
    this.#proxy = proxy;
  }

  static async open(folder: string): Promise<RestartableDatabase> {
    const database = await startDatabase(folder);
    return new RestartableDatabase(folder, database, await openFaultProxy(portOf(database)));
  }

  /** With the name of the database. */
  get uri(): string {
    const uri = new URL(siteDatabaseUri(this.#database));
    uri.port = String(this.#proxy.port);
    return uri.href;
  }

  pause(): void {
    process.kill(this.#database.pid, "SIGSTOP");
  }

  resume(): void {
    process.kill(this.#database.pid, "SIGCONT");
  }

  /** Connections are refused until it is started again. */
  async kill(): Promise<void> {
    this.#proxy.setUp(false);
    process.kill(this.#database.pid, "SIGKILL");
    await this.#database.exited;
  }

  async start(): Promise<void> {
    this.#database = await startDatabase(this.#folder, new URL(this.#database.uri).password);
    this.#proxy.retarget(portOf(this.#database));
    this.#proxy.setUp(true);
  }

  async stop(): Promise<void> {
    await this.#proxy.close();
    await this.#database.stop();
  }
}

function startDatabase(folder: string, password?: string): Promise<EmbeddedDatabase> {
  return startEmbeddedDatabase({ dataDir: folder, toolsDir: join(repositoryDataDir(), "tools"), password, report });
}

function portOf({ uri }: EmbeddedDatabase): number {
  return Number(new URL(uri).port);
}
