/**
 * A whole cluster as processes of this machine: database, Redis, S3-compatible storage, web and worker
 * processes configured by environment variables alone, and a load balancer. Each part can be killed and
 * started again while the others run.
 */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import getPort from "get-port";
import { startEmbeddedDatabase } from "../database/embedded-database.ts";
import { startMinio, type Minio } from "../stand-ins/minio.ts";
import { startRedis, type Redis } from "../stand-ins/redis.ts";
import { REPOSITORY_ROOT, repositoryDataDir } from "../repository.ts";
import { startSeparateIdentityProvider } from "../stand-ins/separate-identity-provider.ts";
import { startSampleSite, type SampleSite } from "../stand-ins/sample-site/sample-site.ts";
import { loadSessionKeys } from "../setup/session-keys.ts";
import type { ToolPaths } from "../setup/tools.ts";
import type { SettingsOverrides } from "../../config/settings.ts";
import { MAIN_WITH_SETTINGS } from "../settings-argument.ts";
import { startBalancer, type Balancer } from "./balancer.ts";
import { createPart, type Part } from "./part.ts";

/** Time between SIGTERM and SIGKILL, as an operator configures it. */
const STOP_TIMEOUT_MS = 15_000;
const BUCKET = "tapedeck";

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
  /** Whether parts that end by themselves are started again. */
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
  readonly minio: Minio;
  readonly bucket: string;
  readonly webs: readonly ClusterPart[];
  readonly workers: readonly ClusterPart[];
  /** Stops all parts, first those that depend on others. */
  [Symbol.asyncDispose](): Promise<void>;
}

export interface ClusterPart extends Part {
  readonly origin: string;
  /** Its own data folder. */
  readonly dataDir: string;
}

/**
 * Starts every part and waits until all are ready.
 * @throws SetUpError when a part cannot be installed or does not start; the started parts are stopped again
 */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const { dataDir, tools, report = () => undefined } = options;
  await using started = new AsyncDisposableStack();
  await mkdir(dataDir, { recursive: true });

  const [mongodbUri, redis, minio, site] = await inParallel(
    (async () => {
      if (options.mongodbUri !== undefined) return options.mongodbUri;
      const database = await startEmbeddedDatabase({ dataDir, toolsDir: join(repositoryDataDir(), "tools"), report });
      started.defer(() => database.stop());
      return `${database.uri.replace(/\/$/, "")}/tapedeck`;
    })(),
    (async () => {
      const redis = await startRedis({ report });
      started.defer(() => redis.stop());
      return redis;
    })(),
    (async () => {
      const minio = await startMinio({ folder: join(dataDir, "minio") });
      started.defer(() => minio.stop());
      return minio;
    })(),
    (async () => {
      const site = await startSampleSite({
        port: options.samplePort ?? 0,
        dataDir: repositoryDataDir(),
        ffmpegPath: tools.ffmpegPath,
        report,
      });
      started.defer(() => site.stop());
      return site;
    })(),
  );
  const bucket = await minio.newBucket(BUCKET);
  const sessionKeys = await loadSessionKeys(dataDir);
  const port = options.port ?? (await getPort());
  const publicUrl = `http://localhost:${port}`;
  const signIn = await startSeparateIdentityProvider(publicUrl, dataDir, started);

  const shared = {
    // As operators run it: nothing is set up automatically, everything is configured.
    NODE_ENV: "production",
    HOST: "127.0.0.1",
    PUBLIC_URL: publicUrl,
    TRUST_PROXY: "1",
    MONGODB_URI: mongodbUri,
    REDIS_URL: redis.url,
    ...bucket,
    SESSION_KEYS: sessionKeys.join(","),
    ...signIn,
    VIDEO_HOSTS: `youtube.com,youtu.be,${site.host}`,
    YTDLP_PATH: tools.ytDlpPath,
    FFMPEG_PATH: tools.ffmpegPath,
    LOG_LEVEL: "warn",
    ...options.env,
  };

  async function createMember(role: "web" | "worker", n: number): Promise<ClusterPart> {
    const name = `${role} ${n}`;
    const folder = join(dataDir, `${role}-${n}`);
    const own = await getPort();
    const origin = `http://127.0.0.1:${own}`;
    const entry = role === "worker" ? (options.workerEntry ?? MAIN_WITH_SETTINGS) : MAIN_WITH_SETTINGS;
    const part = createPart({
      name,
      command: [process.execPath, join(REPOSITORY_ROOT, entry), JSON.stringify(options.settings ?? {})],
      cwd: REPOSITORY_ROOT,
      env: { ...shared, ROLE: role, PORT: String(own), DATA_DIR: folder },
      isReady: async () => {
        const answer = await fetch(`${origin}/readyz`);
        await answer.body?.cancel();
        return answer.ok;
      },
      stopTimeoutMs: STOP_TIMEOUT_MS,
      ...(options.isRevived === undefined ? {} : { isRevived: options.isRevived }),
      report,
      onOutput: (line) => options.onOutput?.(name, line),
    });
    started.defer(() => part.stop());
    return Object.defineProperties(part as ClusterPart, { origin: { value: origin }, dataDir: { value: folder } });
  }
  const webs = await Promise.all(Array.from({ length: options.webs ?? 2 }, (_, n) => createMember("web", n + 1)));
  const workers = await Promise.all(
    Array.from({ length: options.workers ?? 2 }, (_, n) => createMember("worker", n + 1)),
  );
  await inParallel(...[...webs, ...workers].map((part) => part.start()));
  const balancer = await startBalancer({ port, targets: webs.map(({ origin }) => origin), report });
  started.defer(() => balancer.stop());
  const rest = started.move();
  return {
    origin: publicUrl,
    mongodbUri,
    sessionKeys,
    site,
    balancer,
    redis,
    minio,
    bucket: BUCKET,
    webs,
    workers,
    async [Symbol.asyncDispose]() {
      // First the balancer, then the processes behind it, then the services that these use.
      await balancer.stop();
      await Promise.all([...webs, ...workers].map((part) => part.stop()));
      await rest.disposeAsync();
    },
  };
}

/** Waits until all tasks have settled before it throws the first failure: none is then still starting a part. */
async function inParallel<T extends readonly unknown[]>(
  ...tasks: { readonly [K in keyof T]: Promise<T[K]> }
): Promise<T> {
  await Promise.allSettled(tasks);
  return Promise.all(tasks);
}
