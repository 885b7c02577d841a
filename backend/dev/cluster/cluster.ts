/**
 * A whole cluster on this machine: database, Redis, S3-compatible storage, web and worker
 * processes configured by environment variables alone, and a load balancer. Each part can be killed and
 * started again while the others run.
 */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { siteDatabaseUri, startEmbeddedDatabase } from "../database/embedded-database.ts";
import { ownPort } from "../own-port.ts";
import { createProduct, type Product } from "../product/product.ts";
import { startStorageServer, type StorageServer } from "../stand-ins/storage-server.ts";
import { startRedis, type Redis } from "../stand-ins/redis.ts";
import { repositoryDataDir } from "../repository.ts";
import { startSeparateIdentityProvider } from "../stand-ins/separate-identity-provider.ts";
import { startSampleSite, type SampleSite } from "../stand-ins/sample-site/sample-site.ts";
import { loadSessionKeys } from "../../runtime/session-keys.ts";
import type { ToolPaths } from "../setup/tools.ts";
import type { SettingsOverrides } from "../../config/settings.ts";
import { startBalancer, type Balancer } from "./balancer.ts";

export type ClusterPart = Product;

const BUCKET = "tapedeck";
/** Time between SIGTERM and SIGKILL, as an operator configures it. */
const STOP_TIMEOUT_MS = 15_000;

export interface ClusterOptions {
  /** All files of the cluster lie below this folder. */
  readonly dataDir: string;
  readonly tools: ToolPaths;
  readonly webs?: number;
  readonly workers?: number;
  /** Port of the balancer; a free one unless given. */
  readonly port?: number;
  /** Port of the sample video site; a free one unless given. */
  readonly samplePort?: number;
  /** URI of an existing database, with the database name; an embedded one is started unless given. */
  readonly mongodbUri?: string;
  /** Environment variables of every web and worker process. */
  readonly env?: Readonly<Record<string, string>>;
  /** Settings of every web and worker process. */
  readonly settings?: SettingsOverrides;
  /** Script that workers run, with the settings as its argument; the product unless given. */
  readonly workerEntry?: string;
  /** Whether parts that end unexpectedly are restarted. */
  readonly isRevived?: boolean;
  readonly report?: (line: string) => void;
  /** Gets every line that a web or worker process prints. */
  readonly onOutput?: (name: string, line: string) => void;
}

export interface Cluster {
  /** Address of the site, through the balancer. */
  readonly origin: string;
  readonly mongodbUri: string;
  readonly sessionKeys: readonly string[];
  readonly site: SampleSite;
  readonly balancer: Balancer;
  readonly redis: Redis;
  readonly storage: StorageServer;
  readonly bucket: string;
  readonly webs: readonly ClusterPart[];
  readonly workers: readonly ClusterPart[];
  /** Stops all parts, first those that depend on others. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Starts every part and waits until all are ready.
 * @throws SetUpError when a part cannot be installed or does not start; the started parts are stopped again
 */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const { dataDir, report = () => undefined } = options;
  await using started = new AsyncDisposableStack();
  await mkdir(dataDir, { recursive: true });
  const [mongodbUri, redis, storage, site] = await inParallel(
    startDatabase(options, started),
    stopWith(started, startRedis({ report })),
    stopWith(started, startStorageServer({ folder: join(dataDir, "storage") })),
    stopWith(
      started,
      startSampleSite({
        port: options.samplePort ?? 0,
        dataDir: repositoryDataDir(),
        ffmpegPath: options.tools.ffmpegPath,
        report,
      }),
    ),
  );
  const services: Services = { mongodbUri, redis, storage, site };
  const sessionKeys = await loadSessionKeys(dataDir);
  const port = options.port ?? (await ownPort());
  const publicUrl = `http://localhost:${port}`;
  const env = {
    ...(await sharedEnvironment(services, sessionKeys, publicUrl)),
    ...(await startSeparateIdentityProvider(publicUrl, dataDir, started)),
    ...options.env,
  };
  const webs = await createMembers("web", options.webs ?? 2, options, env, started);
  const workers = await createMembers("worker", options.workers ?? 2, options, env, started);
  await inParallel(...[...webs, ...workers].map((part) => part.start()));
  const balancer = await startBalancer({ port, targets: webs.map(({ origin }) => origin), report });
  started.defer(() => balancer.stop());
  const resources = started.move();
  return {
    origin: publicUrl,
    ...services,
    sessionKeys,
    balancer,
    bucket: BUCKET,
    webs,
    workers,
    async [Symbol.asyncDispose]() {
      // First the balancer, then the processes behind it, then the services that these use.
      await balancer.stop();
      await Promise.all([...webs, ...workers].map((part) => part.stop()));
      await resources.disposeAsync();
    },
  };
}

type Services = Pick<Cluster, "mongodbUri" | "redis" | "storage" | "site">;

/** @returns the URI with the database name */
async function startDatabase(options: ClusterOptions, started: AsyncDisposableStack): Promise<string> {
  const { dataDir, mongodbUri, report = () => undefined } = options;
  if (mongodbUri !== undefined) return mongodbUri;
  const toolsDir = join(repositoryDataDir(), "tools");
  const database = await stopWith(started, startEmbeddedDatabase({ dataDir, toolsDir, report }));
  return siteDatabaseUri(database);
}

/** Stops a service, once it has started, when `started` is disposed. */
async function stopWith<T extends { stop(): Promise<void> }>(
  started: AsyncDisposableStack,
  service: Promise<T>,
): Promise<T> {
  const running = await service;
  started.defer(() => running.stop());
  return running;
}

async function sharedEnvironment(
  { mongodbUri, redis, storage, site }: Services,
  sessionKeys: readonly string[],
  publicUrl: string,
): Promise<Record<string, string>> {
  return {
    PUBLIC_URL: publicUrl,
    TRUST_PROXY: "1",
    MONGODB_URI: mongodbUri,
    REDIS_URL: redis.url,
    ...(await storage.newBucket(BUCKET)),
    SESSION_KEYS: sessionKeys.join(","),
    VIDEO_HOSTS: `youtube.com,youtu.be,${site.host}`,
  };
}

async function createMembers(
  role: "web" | "worker",
  count: number,
  { dataDir, tools, settings, workerEntry, isRevived, report, onOutput }: ClusterOptions,
  env: Readonly<Record<string, string>>,
  started: AsyncDisposableStack,
): Promise<ClusterPart[]> {
  const entry = role === "worker" ? workerEntry : undefined;
  const create = (_: unknown, index: number) => {
    const name = `${role} ${index + 1}`;
    return createProduct({
      name,
      dataDir: join(dataDir, name.replace(" ", "-")),
      tools,
      isProduction: true,
      env: { ...env, ROLE: role },
      settings,
      entry,
      isRevived,
      report,
      onOutput: (line) => onOutput?.(name, line),
      stopTimeoutMs: STOP_TIMEOUT_MS,
    });
  };
  const members = await Promise.all(Array.from({ length: count }, create));
  for (const member of members) started.defer(() => member.stop());
  return members;
}

/** Waits until all tasks have settled before it throws the first failure: none is then still starting a part. */
async function inParallel<T extends readonly unknown[]>(
  ...tasks: { readonly [K in keyof T]: Promise<T[K]> }
): Promise<T> {
  await Promise.allSettled(tasks);
  return Promise.all(tasks);
}
