/** The product for the bench: in production mode, with an identity provider, and with wide limits. */
import { createWriteStream } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { mergeSettings } from "../../config/settings.ts";
import { siteDatabaseUri, startEmbeddedDatabase } from "../database/embedded-database.ts";
import { ownPort } from "../own-port.ts";
import { createProduct, type Product } from "../product/product.ts";
import { REPOSITORY_ROOT } from "../repository.ts";
import { buildFrontend } from "../setup/frontend-build.ts";
import type { ToolPaths } from "../setup/tools.ts";
import { startSeparateIdentityProvider } from "../stand-ins/separate-identity-provider.ts";
import { setTier } from "../testing/change-accounts.ts";
import { openDevice, walkThroughSignIn, type TestDevice } from "../testing/test-device.ts";
import { FEW_VISITORS_LIMITS } from "../wide-limits.ts";
import { childOf } from "./measuring/process-tree.ts";

const PRO_EMAIL = "bench@tapedeck.test";
// A repeated link is measured for its first owner and for another.
const SETTINGS = mergeSettings(FEW_VISITORS_LIMITS, { domain: { sharesFiles: true } });
/** Becomes the parent of the server, and of processes that lose theirs. */
const COLLECTOR = ["python3", join(import.meta.dirname, "measuring", "collect_children.py")];

export interface BenchProductOptions {
  /** The bench's own folder; data of earlier runs is removed. */
  readonly folder: string;
  /** The checkout's data folder, with fetched programs and clips. */
  readonly sharedDataDir: string;
  readonly tools: ToolPaths;
  /** As VIDEO_HOSTS names them. */
  readonly videoHosts: readonly string[];
  readonly report: (line: string) => void;
  readonly env?: Readonly<Record<string, string>> | undefined;
}

export interface BenchProduct {
  readonly origin: string;
  readonly pid: number;
  /** The server's parent, which also collects processes that lose theirs. */
  readonly treePid: number;
  /** Folder of finished files. */
  readonly filesFolder: string;
  readonly mongodbUri: string;
  readonly databasePid: number;
  /** A visitor on the free plan. */
  newVisitor(): Promise<TestDevice>;
  /** A signed-in user on Pro. */
  newProUser(): Promise<TestDevice>;
  stop(): Promise<void>;
}

/** @throws SetUpError when it is not ready in time; its output is in server.log in the folder */
export async function startBenchProduct(options: BenchProductOptions): Promise<BenchProduct> {
  const { folder, tools, report, videoHosts } = options;
  await using started = new AsyncDisposableStack();
  const dataDir = join(folder, "data");
  await rm(dataDir, { recursive: true, force: true });
  await mkdir(dataDir, { recursive: true });
  const toolsDir = join(options.sharedDataDir, "tools");
  const database = await startEmbeddedDatabase({ dataDir, toolsDir, report });
  started.defer(() => database.stop());
  const mongodbUri = siteDatabaseUri(database);
  const port = await ownPort();
  const signIn = await startSeparateIdentityProvider(`http://127.0.0.1:${port}`, dataDir, started);
  await buildFrontend({ root: REPOSITORY_ROOT, outDir: join(REPOSITORY_ROOT, "frontend", "dist"), report });
  const log = started.adopt(createWriteStream(join(folder, "server.log")), (file) => void file.end());
  const product = await createProduct({
    dataDir,
    tools,
    isProduction: true,
    settings: SETTINGS,
    wrapper: COLLECTOR,
    port,
    env: { MONGODB_URI: mongodbUri, VIDEO_HOSTS: videoHosts.join(","), LOG_LEVEL: "info", ...signIn, ...options.env },
    onOutput: (line) => log.write(`${line}\n`),
  });
  started.defer(() => product.stop());
  await product.start();
  const devices: TestDevice[] = [];
  started.defer(() => devices.forEach((device) => device.close()));
  const resources = started.move();
  const newVisitor = async (): Promise<TestDevice> => {
    const device = await openDevice(product.origin);
    devices.push(device);
    return device;
  };
  return {
    ...pidsOf(product),
    origin: product.origin,
    filesFolder: join(dataDir, "files"),
    mongodbUri,
    databasePid: database.pid,
    newVisitor,
    async newProUser() {
      const device = await newVisitor();
      await walkThroughSignIn(device, { email: PRO_EMAIL });
      await setTier(mongodbUri, PRO_EMAIL, "pro");
      return device;
    },
    stop: () => resources.disposeAsync(),
  };
}

/** @throws Error when the server has ended */
function pidsOf({ pid: treePid }: Product): Pick<BenchProduct, "pid" | "treePid"> {
  const pid = treePid === undefined ? undefined : childOf(treePid);
  if (treePid === undefined || pid === undefined) throw new Error("the server has no process");
  return { treePid, pid };
}
