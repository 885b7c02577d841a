/** Starts the product in production mode on a free port, with its own data folder and wide limits. */
import { execFile, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { randomBytes } from "node:crypto";
import { mkdir, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { startEmbeddedDatabase } from "../database/embedded-database.ts";
import { ownPort } from "../own-port.ts";
import { buildFrontend } from "../setup/frontend-build.ts";
import { startSeparateIdentityProvider } from "../stand-ins/separate-identity-provider.ts";
import { openDevice, walkThroughSignIn, type TestDevice } from "../testing/test-device.ts";
import { productionNodeArguments } from "../production-arguments.ts";
import { REPOSITORY_ROOT } from "../repository.ts";
import type { ToolPaths } from "../setup/tools.ts";
import { childOf } from "./measuring/process-tree.ts";
import { untilReady } from "../measure/until-ready.ts";
import { serverArguments } from "../settings-argument.ts";
import { FEW_VISITORS_LIMITS } from "../wide-limits.ts";
import { mergeSettings, type SettingsOverrides } from "../../config/settings.ts";

const START_TIMEOUT_MS = 120_000;
const PRO_EMAIL = "bench@tapedeck.test";
// A repeated link is measured for its first owner and for another.
const SETTINGS = mergeSettings(FEW_VISITORS_LIMITS, { domain: { sharesFiles: true } });

export interface ProductOptions {
  /** The bench's own folder; data of earlier runs is removed. */
  readonly folder: string;
  /** The checkout's data folder, with fetched programs and clips. */
  readonly sharedDataDir: string;
  readonly tools: ToolPaths;
  /** As VIDEO_HOSTS names them. */
  readonly videoHosts: readonly string[];
  /** A database for the bench alone; "" starts an embedded one. */
  readonly mongodbUri: string;
  readonly report: (line: string) => void;
  readonly env?: Readonly<Record<string, string>> | undefined;
}

export interface Product {
  readonly origin: string;
  readonly pid: number;
  /** The server's parent, which also collects processes that lose theirs. */
  readonly treePid: number;
  /** Folder of finished files. */
  readonly filesFolder: string;
  readonly mongodbUri: string;
  /** A visitor on the free plan. */
  newVisitor(): Promise<TestDevice>;
  /** A signed-in user on Pro. */
  newProUser(): Promise<TestDevice>;
  stop(): Promise<void>;
}

/** @throws Error when it is not ready in time; its output is in server.log in the folder */
export async function startProduct(options: ProductOptions): Promise<Product> {
  const { folder, report } = options;
  await using started = new AsyncDisposableStack();
  const dataDir = join(folder, "data");
  await rm(dataDir, { recursive: true, force: true });
  await mkdir(dataDir, { recursive: true });
  const port = await ownPort();
  const origin = `http://127.0.0.1:${port}`;
  const mongodbUri = options.mongodbUri === "" ? await startDatabase(dataDir, options, started) : options.mongodbUri;
  const signIn = await startSeparateIdentityProvider(origin, dataDir, started);
  await buildFrontend({ root: REPOSITORY_ROOT, outDir: join(REPOSITORY_ROOT, "frontend", "dist"), report });
  const env = { ...environmentOf(options, { port, origin, dataDir, mongodbUri }), ...signIn, ...options.env };
  const logFile = join(folder, "server.log");
  const server = await startServerProcess(env, logFile, started);
  const devices: TestDevice[] = [];
  started.defer(() => devices.forEach((device) => device.close()));
  await untilReady(server, origin, { timeoutMs: START_TIMEOUT_MS, hint: `; see ${logFile}` });
  const treePid = server.pid;
  const pid = treePid === undefined ? undefined : childOf(treePid);
  if (treePid === undefined || pid === undefined) throw new Error("the server has no process");
  const resources = started.move();
  const newVisitor = async (): Promise<TestDevice> => {
    const device = await openDevice(origin);
    devices.push(device);
    return device;
  };
  return {
    origin,
    pid,
    treePid,
    filesFolder: join(dataDir, "files"),
    mongodbUri,
    newVisitor,
    async newProUser() {
      const device = await newVisitor();
      await walkThroughSignIn(device, { email: PRO_EMAIL });
      const command = ["backend/commands/change-tier.ts", "pro", PRO_EMAIL];
      await promisify(execFile)(process.execPath, command, { cwd: REPOSITORY_ROOT, env });
      return device;
    },
    stop: () => resources.disposeAsync(),
  };
}

function environmentOf(
  { videoHosts, tools }: ProductOptions,
  server: { port: number; origin: string; dataDir: string; mongodbUri: string },
): NodeJS.ProcessEnv {
  return {
    ...process.env,
    // Overrides a MONGODB_URI in the environment or in .env, so that no other database is filled.
    MONGODB_URI: server.mongodbUri,
    NODE_ENV: "production",
    // Machines of developers may have none.
    TOOL_SANDBOX: "preferred",
    SESSION_KEYS: randomBytes(32).toString("hex"),
    PORT: String(server.port),
    HOST: "127.0.0.1",
    PUBLIC_URL: server.origin,
    DATA_DIR: server.dataDir,
    VIDEO_HOSTS: videoHosts.join(","),
    YTDLP_PATH: tools.ytDlpPath,
    FFMPEG_PATH: tools.ffmpegPath,
    LOG_LEVEL: "info",
  };
}

async function startServerProcess(
  env: NodeJS.ProcessEnv,
  logFile: string,
  started: AsyncDisposableStack,
): Promise<ChildProcess> {
  await using log = await open(logFile, "w");
  const collect = fileURLToPath(new URL("measuring/collect_children.py", import.meta.url));
  const server = spawn("python3", [collect, process.execPath, ...(await startArguments(SETTINGS))], {
    cwd: REPOSITORY_ROOT,
    stdio: ["ignore", log.fd, log.fd],
    env,
  });
  const exited = once(server, "exit");
  started.defer(async () => {
    server.kill("SIGTERM");
    await exited;
  });
  return server;
}

/** @returns arguments of `npm start` for node, with settings */
export async function startArguments(settings: SettingsOverrides): Promise<string[]> {
  return [...(await productionNodeArguments()), ...serverArguments(settings)];
}

/** @returns the URI of an embedded database, with the database name */
async function startDatabase(
  dataDir: string,
  { sharedDataDir, report }: ProductOptions,
  started: AsyncDisposableStack,
): Promise<string> {
  const database = await startEmbeddedDatabase({ dataDir, toolsDir: join(sharedDataDir, "tools"), report });
  started.defer(() => database.stop());
  return `${database.uri.replace(/\/$/, "")}/tapedeck`;
}
