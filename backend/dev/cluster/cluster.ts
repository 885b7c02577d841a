/**
 * The product on more machines than one, as processes of this one: a database, Redis and storage for
 * files, web and worker processes that are told by environment alone where these are, and a load balancer
 * before them. Every part can be killed and started again while the others go on.
 */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import getPort from "get-port";
import { startEmbeddedDatabase } from "../database/embedded-database.ts";
import { startMinio, type Minio } from "../stand-ins/minio.ts";
import { startRedis, type OwnRedis } from "../setup/redis-set-up.ts";
import { REPOSITORY_ROOT, repositoryDataDir } from "../repository.ts";
import { startSeparateIdentityProvider } from "../stand-ins/separate-identity-provider.ts";
import { startSampleSite, type SampleSite } from "../stand-ins/sample-site/sample-site.ts";
import { loadSessionKeys } from "../setup/session-keys.ts";
import type { ToolPaths } from "../setup/tools.ts";
import type { SettingsOverrides } from "../../config/settings.ts";
import { MAIN_WITH_SETTINGS } from "../settings-argument.ts";
import { startBalancer, type Balancer } from "./balancer.ts";
import { createPart, type Part } from "./part.ts";

/** What an operator's set-up gives a process to put its work in order, and a little. */
const STOP_TIMEOUT_MS = 15_000;
const BUCKET = "tapedeck";

export interface ClusterOptions {
  /** Everything that is written lies below it. */
  readonly dataDir: string;
  readonly tools: ToolPaths;
  readonly webs?: number;
  readonly workers?: number;
  /** Of the balancer; a free one unless named. */
  readonly port?: number;
  /** Of the sample video site; a free one unless named. */
  readonly samplePort?: number;
  /** A database to use, with its name in the address; one is started unless named. */
  readonly mongodbUri?: string;
  /** For every web and worker process, by the variables' own names. */
  readonly env?: Readonly<Record<string, string>>;
  /** Of every web and worker process. */
  readonly settings?: SettingsOverrides;
  /** What a worker runs, with the settings as its argument: the product unless named. */
  readonly workerEntry?: string;
  /** Parts that die by themselves are started again. */
  readonly isRevived?: boolean;
  readonly report?: (line: string) => void;
  /** Hears every line that a web or worker process prints. */
  readonly onOutput?: (name: string, line: string) => void;
}

export interface Cluster {
  /** Where the product is reached. */
  readonly origin: string;
  readonly mongodbUri: string;
  readonly sessionKeys: readonly string[];
  readonly site: SampleSite;
  readonly balancer: Balancer;
  readonly redis: OwnRedis;
  readonly minio: Minio;
  readonly bucket: string;
  readonly webs: readonly ClusterPart[];
  readonly workers: readonly ClusterPart[];
  /** Ends everything, in the order in which nothing is lost. */
  [Symbol.asyncDispose](): Promise<void>;
}

export interface ClusterPart extends Part {
  readonly origin: string;
  /** What it alone writes to. */
  readonly dataDir: string;
}

/** @throws SetUpError when something it takes cannot be had or does not start; what was started is stopped again */
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
      const site = await startSampleSite({ port: options.samplePort ?? 0, dataDir: repositoryDataDir(), ffmpegPath: tools.ffmpegPath, report });
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
    // As an operator runs it: nothing is made or found, everything is said.
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
  const workers = await Promise.all(Array.from({ length: options.workers ?? 2 }, (_, n) => createMember("worker", n + 1)));
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
      // Visitors first, then those who work for them, then what these stand on.
      await balancer.stop();
      await Promise.all([...webs, ...workers].map((part) => part.stop()));
      await rest.disposeAsync();
    },
  };
}

/** All have settled before the first failure is thrown, so that nothing is still starting while we stop. */
async function inParallel<T extends readonly unknown[]>(...tasks: { readonly [K in keyof T]: Promise<T[K]> }): Promise<T> {
  await Promise.allSettled(tasks);
  return Promise.all(tasks);
}
