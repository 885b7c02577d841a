/** A server whose database, Redis and storage are processes of their own, which are stopped, killed and started again. */
import { join } from "node:path";
import { ListObjectsV2Command } from "@aws-sdk/client-s3";
import { startRedis, type Redis } from "../stand-ins/redis.ts";
import { startStorageServer, type StorageServer } from "../stand-ins/storage-server.ts";
import { siteDatabaseUri, startEmbeddedDatabase, type EmbeddedDatabase } from "../database/embedded-database.ts";
import { openFaultProxy, type FaultProxy } from "../stand-ins/fault-proxy.ts";
import { repositoryDataDir } from "../repository.ts";
import type { ToolPaths } from "../setup/tools.ts";
import type { Outage } from "./outage.ts";
import { linkSharedFolders } from "../product/data-folder.ts";
import { startProduct, type Product } from "../product/product.ts";
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
  const database = await RestartableDatabase.start(join(folder, "database"));
  started.defer(() => database.stop());
  const redis = await startRedis();
  started.defer(() => redis.stop());
  const storage = hasStorage ? await startStorageServer({ folder: join(folder, "storage") }) : null;
  if (storage) started.defer(() => storage.stop());
  const product = await startProduct({
    dataDir: await linkSharedFolders(join(folder, "server")),
    tools,
    settings: ONE_ADDRESS_LIMITS,
    env: { MONGODB_URI: database.uri, REDIS_URL: redis.url, ...(await storage?.newBucket(BUCKET)) },
  });
  started.defer(() => product.stop());
  if (storage) product.listFiles = () => listBucket(storage);
  const rest = started.move();
  return {
    product,
    outages: storage ? storageOutages(storage) : [...databaseOutages(database), ...redisOutages(redis)],
    [Symbol.asyncDispose]: () => rest.disposeAsync(),
  };
}

function databaseOutages(database: RestartableDatabase): Outage[] {
  return [
    {
      name: "database stopped",
      seconds: SECONDS,
      calls: "refused",
      begin: () => database.signal("SIGSTOP"),
      end: () => database.signal("SIGCONT"),
    },
    {
      name: "database killed",
      seconds: SECONDS,
      calls: "refused",
      begin: () => database.kill(),
      end: () => database.startAgain(),
    },
  ];
}

function redisOutages(redis: Redis): Outage[] {
  return [
    {
      name: "Redis stopped",
      seconds: SECONDS,
      calls: "served",
      begin: () => redis.pause(),
      end: () => redis.resume(),
    },
    { name: "Redis killed", seconds: SECONDS, calls: "served", begin: () => redis.kill(), end: () => redis.start() },
  ];
}

function storageOutages(storage: StorageServer): Outage[] {
  return [
    {
      name: "storage stopped",
      seconds: SECONDS,
      calls: "served",
      begin: () => storage.pause(),
      end: () => storage.resume(),
    },
    {
      name: "storage killed",
      seconds: SECONDS,
      calls: "served",
      begin: () => storage.kill(),
      end: () => storage.start(),
    },
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

  static async start(folder: string): Promise<RestartableDatabase> {
    const database = await startDatabase(folder);
    return new RestartableDatabase(folder, database, await openFaultProxy(portOf(database)));
  }

  /** With the name of the database. */
  get uri(): string {
    const uri = new URL(siteDatabaseUri(this.#database));
    uri.port = String(this.#proxy.port);
    return uri.href;
  }

  signal(signal: NodeJS.Signals): void {
    process.kill(this.#database.pid, signal);
  }

  /** Sends SIGKILL; connections are refused until it is started again. */
  async kill(): Promise<void> {
    this.#proxy.setUp(false);
    this.signal("SIGKILL");
    await this.#database.exited;
  }

  async startAgain(): Promise<void> {
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
