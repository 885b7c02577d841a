/**
 * The product as a process: how tests, benches and long runs start it. It has an address and a data folder that stay,
 * so it can be killed and started again on the same data.
 */
import { randomBytes } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { PublicConfig } from "../../../common/api.ts";
import type { SettingsOverrides } from "../../config/settings.ts";
import { readDatabaseAddress } from "../../runtime/database-address.ts";
import { residentBytes } from "../bench/measuring/process-tree.ts";
import { ownPort } from "../own-port.ts";
import { REPOSITORY_ROOT } from "../repository.ts";
import { MAIN_WITH_SETTINGS } from "../settings-argument.ts";
import type { ToolPaths } from "../setup/tools.ts";
import { ServerProcess, type ServerProcessOptions } from "./server-process.ts";

export interface ProductOptions extends Pick<
  ServerProcessOptions,
  "isRevived" | "report" | "onOutput" | "stopTimeoutMs"
> {
  /** For messages; "the server" unless given. */
  readonly name?: string;
  /** Its data folder; see `linkSharedFolders` for one that has no programs and clips yet. */
  readonly dataDir: string;
  readonly tools: ToolPaths;
  /** As operators run it: nothing is set up automatically. It needs `MONGODB_URI` and a sign-in then. */
  readonly isProduction?: boolean;
  readonly settings?: SettingsOverrides | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Arguments of node, beside those of `npm start`. */
  readonly nodeArguments?: readonly string[];
  /** A free one unless given. */
  readonly port?: number;
  /** A command that runs the command that follows it. */
  readonly wrapper?: readonly string[];
  /** Script that gets the settings as its argument, relative to the repository; the product unless given. */
  readonly entry?: string | undefined;
}

export class Product extends ServerProcess {
  readonly origin: string;
  readonly dataDir: string;
  /** The variables that it is started with, beside those of this process. */
  readonly env: Readonly<Record<string, string>>;

  constructor(options: ServerProcessOptions, parts: Pick<Product, "origin" | "dataDir" | "env">) {
    super(options);
    this.origin = parts.origin;
    this.dataDir = parts.dataDir;
    this.env = parts.env;
  }

  /** @returns the address of a page of the sample site, which the product starts */
  async sampleUrl(page: string): Promise<string> {
    return await samplePage(this.origin, page);
  }

  /** @throws Error while its embedded database does not run */
  async databaseUri(): Promise<string> {
    const uri = this.env["MONGODB_URI"] || (await readDatabaseAddress(this.dataDir));
    if (uri === null) throw new Error(`no embedded database runs on ${this.dataDir}`);
    return uri;
  }

  /** @returns the process id of the embedded database */
  async databasePid(): Promise<number> {
    return Number(await readFile(join(this.dataDir, "database", "server.pid"), "utf8"));
  }

  /** Lists the names of stored files. */
  async listFiles(): Promise<string[]> {
    return await readdir(join(this.dataDir, "files"));
  }

  /** @returns its resident memory; undefined while it does not run */
  residentMb(): number | undefined {
    return this.pid === undefined ? undefined : residentBytes(this.pid) / 1_000_000;
  }
}

/** Chooses an address; the product is not started yet. */
export async function createProduct(options: ProductOptions): Promise<Product> {
  const { name = "the server", dataDir, wrapper = [], nodeArguments = [], settings = {} } = options;
  const port = options.port ?? (await ownPort());
  const origin = `http://${options.isProduction ? "127.0.0.1" : "localhost"}:${port}`;
  const env = { ...environmentOf(options, origin), PORT: String(port), ...options.env };
  const node = [process.execPath, ...(await productionNodeArguments()), ...nodeArguments];
  const [program, ...args] = [
    ...wrapper,
    ...node,
    options.entry ?? MAIN_WITH_SETTINGS,
    JSON.stringify(settings),
  ] as const;
  const { isRevived, report, onOutput, stopTimeoutMs } = options;
  return new Product(
    {
      name,
      command: [program, ...args],
      cwd: REPOSITORY_ROOT,
      env,
      ready: () => isReady(origin),
      stopTimeoutMs,
      isRevived,
      report,
      onOutput,
    },
    { origin, dataDir, env },
  );
}

/**
 * Starts the product and waits until it is ready.
 * @throws SetUpError when it ends or is not ready in time
 */
export async function startProduct(options: ProductOptions): Promise<Product> {
  const product = await createProduct(options);
  try {
    await product.start();
  } catch (error) {
    await product.kill();
    throw error;
  }
  return product;
}

/** Whether a server answers `/readyz` with 200; false when it does not listen. */
export async function isReady(origin: string): Promise<boolean> {
  try {
    const answer = await fetch(`${origin}/readyz`);
    await answer.body?.cancel();
    return answer.ok;
  } catch {
    return false;
  }
}

/** @returns the address of a page of the sample site that a server in development starts */
export async function samplePage(origin: string, page: string): Promise<string> {
  const { sampleLinks } = PublicConfig.parse(await (await fetch(`${origin}/api/config`)).json());
  return new URL(`/watch/${page}`, sampleLinks[0]?.url).href;
}

function environmentOf({ dataDir, tools, isProduction }: ProductOptions, origin: string): Record<string, string> {
  const shared = {
    PUBLIC_URL: origin,
    DATA_DIR: dataDir,
    YTDLP_PATH: tools.ytDlpPath,
    FFMPEG_PATH: tools.ffmpegPath,
    // No test depends on the release of the day.
    YOUTUBE_EXTRACTOR_RELEASE: "off",
    LOG_LEVEL: "warn",
    // Overrides an address in the environment or in .env, so that no other database is filled.
    MONGODB_URI: "",
  };
  if (isProduction !== true) return { ...shared, NODE_ENV: "development" };
  return {
    ...shared,
    NODE_ENV: "production",
    HOST: "127.0.0.1",
    SESSION_KEYS: randomBytes(32).toString("hex"),
    // Machines of developers may have none.
    TOOL_SANDBOX: "preferred",
  };
}

/** @returns arguments for node with which `npm start` and the image run the server */
async function productionNodeArguments(): Promise<string[]> {
  const { scripts } = z
    .object({ scripts: z.object({ start: z.string().startsWith("exec node ") }) })
    .parse(JSON.parse(await readFile(join(REPOSITORY_ROOT, "package.json"), "utf8")));
  return scripts.start
    .split(" ")
    .slice(2)
    .filter((argument) => argument !== "backend/main.ts");
}
