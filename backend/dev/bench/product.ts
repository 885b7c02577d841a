/** Starts the product in production mode on a free port, with its own data folder and wide limits. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { randomBytes } from "node:crypto";
import { mkdir, open, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import getPort from "get-port";
import { z } from "zod";
import { startEmbeddedDatabase } from "../database/embedded-database.ts";
import { buildFrontend } from "../setup/frontend-build.ts";
import { startSeparateIdentityProvider } from "../stand-ins/separate-identity-provider.ts";
import { openDevice, walkThroughSignIn, type TestDevice } from "../testing/test-device.ts";
import { REPOSITORY_ROOT } from "../repository.ts";
import type { ToolPaths } from "../setup/tools.ts";
import { untilReady } from "../measure/until-ready.ts";
import { serverArguments } from "../settings-argument.ts";
import type { SettingsOverrides } from "../../config/settings.ts";

const START_TIMEOUT_MS = 120_000;
const PRO_EMAIL = "bench@tapedeck.test";
const MANY = 1_000_000;

/** All requests of the bench come from one address, for which the default limits are too low. */
const LIMITS: SettingsOverrides = {
  domain: { activeJobs: { free: 1_000, pro: 1_000 } },
  rates: {
    createPerDevice: { free: MANY, pro: MANY },
    createPerUser: { free: MANY, pro: MANY },
    createPerAddress: { free: MANY, pro: MANY },
    signInPerAddress: MANY,
  },
  realtime: { socketsPerDevice: 10_000 },
};

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
  readonly env?: Readonly<Record<string, string>>;
}

export interface Product {
  readonly origin: string;
  readonly pid: number;
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
export async function startProduct({
  folder,
  sharedDataDir,
  tools,
  videoHosts,
  mongodbUri: givenUri,
  report,
  env = {},
}: ProductOptions): Promise<Product> {
  await using started = new AsyncDisposableStack();
  const dataDir = join(folder, "data");
  await rm(dataDir, { recursive: true, force: true });
  await mkdir(dataDir, { recursive: true });
  const port = await getPort();
  const origin = `http://127.0.0.1:${port}`;
  const mongodbUri = givenUri === "" ? await startDatabase(dataDir, sharedDataDir, report, started) : givenUri;
  const signIn = await startSeparateIdentityProvider(origin, dataDir, started);
  await buildFrontend({ root: REPOSITORY_ROOT, outDir: join(REPOSITORY_ROOT, "frontend", "dist"), report });
  const serverEnv = {
    ...process.env,
    ...signIn,
    // Overrides a MONGODB_URI in the environment or in .env, so that no other database is filled.
    MONGODB_URI: mongodbUri,
    NODE_ENV: "production",
    SESSION_KEYS: randomBytes(32).toString("hex"),
    PORT: String(port),
    HOST: "127.0.0.1",
    PUBLIC_URL: origin,
    DATA_DIR: dataDir,
    VIDEO_HOSTS: videoHosts.join(","),
    YTDLP_PATH: tools.ytDlpPath,
    FFMPEG_PATH: tools.ffmpegPath,
    LOG_LEVEL: "info",
    ...env,
  };
  await using log = await open(join(folder, "server.log"), "w");
  const server = spawn(process.execPath, await startArguments(), {
    cwd: REPOSITORY_ROOT,
    stdio: ["ignore", log.fd, log.fd],
    env: serverEnv,
  });
  const exited = once(server, "exit");
  const { pid } = server;
  const devices: TestDevice[] = [];
  started.defer(async () => {
    for (const device of devices) device.close();
    server.kill("SIGTERM");
    await exited;
  });
  await untilReady(server, origin, { timeoutMs: START_TIMEOUT_MS, hint: `; see ${join(folder, "server.log")}` });
  if (pid === undefined) throw new Error("the server has no process");
  const rest = started.move();
  const newVisitor = async (): Promise<TestDevice> => {
    const device = await openDevice(origin);
    devices.push(device);
    return device;
  };
  return {
    origin,
    pid,
    filesFolder: join(dataDir, "files"),
    mongodbUri,
    newVisitor,
    async newProUser() {
      const device = await newVisitor();
      await walkThroughSignIn(device, { email: PRO_EMAIL });
      await promisify(execFile)(process.execPath, ["backend/commands/change-tier.ts", "pro", PRO_EMAIL], {
        cwd: REPOSITORY_ROOT,
        env: serverEnv,
      });
      return device;
    },
    stop: () => rest.disposeAsync(),
  };
}

/** @returns arguments of `npm start`, with the bench's limits */
async function startArguments(): Promise<string[]> {
  const { scripts } = z
    .object({ scripts: z.object({ start: z.string().startsWith("exec node ") }) })
    .parse(JSON.parse(await readFile(join(REPOSITORY_ROOT, "package.json"), "utf8")));
  const production = scripts.start.split(" ").slice(2);
  return [...production.filter((argument) => argument !== "backend/main.ts"), ...serverArguments(LIMITS)];
}

/** @returns the URI of an embedded database, with the database name */
async function startDatabase(
  dataDir: string,
  sharedDataDir: string,
  report: (line: string) => void,
  started: AsyncDisposableStack,
): Promise<string> {
  const database = await startEmbeddedDatabase({ dataDir, toolsDir: join(sharedDataDir, "tools"), report });
  started.defer(() => database.stop());
  return `${database.uri.replace(/\/$/, "")}/tapedeck`;
}
