/** The product as `npm start` runs it: a process that can be killed and started again on the same data. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { PublicConfig } from "../../../common/api.ts";
import type { SettingsOverrides } from "../../config/settings.ts";
import { readDatabaseAddress } from "../../runtime/database-address.ts";
import { startArguments } from "../bench/product.ts";
import { createPart, type Part } from "../cluster/part.ts";
import { ownPort } from "../own-port.ts";
import { REPOSITORY_ROOT } from "../repository.ts";
import type { ToolPaths } from "../setup/tools.ts";
import { linkSharedFolders } from "./data-folder.ts";

/** A busy machine needs several times longer than an idle one. */
const START_TIMEOUT_MS = 4 * 60 * 1_000;
const STOP_TIMEOUT_MS = 60_000;

export interface ProductOptions {
  /** Its data folder; empty at the first start. */
  readonly dataDir: string;
  readonly tools: ToolPaths;
  readonly settings?: SettingsOverrides;
  readonly env?: Readonly<Record<string, string>>;
  /** Further arguments of node. */
  readonly nodeArguments?: readonly string[];
  /** Lists the names of stored files; those in its data folder unless given. */
  readonly listFiles?: () => Promise<string[]>;
}

export interface Product extends Part {
  readonly origin: string;
  readonly dataDir: string;
  /** Every line of its output. */
  readonly log: readonly string[];
  /** @returns the address of a page of the sample site, which the product starts */
  sampleUrl(page: string): Promise<string>;
  /** @throws Error while its embedded database does not run */
  databaseUri(): Promise<string>;
  /** @returns the process id of the embedded database */
  databasePid(): Promise<number>;
  /** Lists the names of stored files. */
  listFiles(): Promise<string[]>;
}

/** As `npm start` and the image have them, because they decide about memory. */
const NODE_OPTIONS = ["--max-semi-space-size=4", "--heap-growing-percent=50"];

/** @returns a product that is not started yet */
export async function createProduct(options: ProductOptions): Promise<Product> {
  const { dataDir, tools, settings = {}, env = {}, nodeArguments = [] } = options;
  await linkSharedFolders(dataDir);
  const port = await ownPort();
  const origin = `http://localhost:${port}`;
  const log: string[] = [];
  const part = createPart({
    name: "the server",
    command: [process.execPath, ...NODE_OPTIONS, ...nodeArguments, ...(await startArguments(settings))],
    cwd: REPOSITORY_ROOT,
    env: {
      NODE_ENV: "development",
      MONGODB_URI: "",
      PORT: String(port),
      DATA_DIR: dataDir,
      YTDLP_PATH: tools.ytDlpPath,
      FFMPEG_PATH: tools.ffmpegPath,
      YOUTUBE_EXTRACTOR_RELEASE: "off",
      LOG_LEVEL: "warn",
      ...env,
    },
    isReady: async () => {
      const answer = await fetch(`${origin}/readyz`);
      await answer.body?.cancel();
      return answer.ok;
    },
    startTimeoutMs: START_TIMEOUT_MS,
    stopTimeoutMs: STOP_TIMEOUT_MS,
    onOutput: (line) => log.push(line),
  });
  return Object.assign(part, {
    origin,
    dataDir,
    log,
    async sampleUrl(page: string) {
      const { sampleLinks } = PublicConfig.parse(await (await fetch(`${origin}/api/config`)).json());
      return new URL(`/watch/${page}`, sampleLinks[0]?.url).href;
    },
    async databaseUri() {
      const uri = env["MONGODB_URI"] ?? (await readDatabaseAddress(dataDir));
      if (uri === null) throw new Error(`no embedded database runs on ${dataDir}`);
      return uri;
    },
    databasePid: async () => Number(await readFile(join(dataDir, "database", "server.pid"), "utf8")),
    listFiles: options.listFiles ?? (() => readdir(join(dataDir, "files"))),
  });
}

const MB = 1_000_000;

/** @returns the resident memory of a process; undefined when it has ended */
export async function residentMb(pid: number | undefined): Promise<number | undefined> {
  if (pid === undefined) return undefined;
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB/m.exec(status) ?? [];
  return kilobytes === undefined ? undefined : (Number(kilobytes) * 1_024) / MB;
}
