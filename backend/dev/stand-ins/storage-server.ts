/** A versitygw (S3-compatible storage) on a free port of this machine, for tests and the cluster. */
import { randomUUID } from "node:crypto";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { S3Client } from "@aws-sdk/client-s3";
import { ownPort } from "../own-port.ts";
import { ServerProcess } from "../product/server-process.ts";
import { VERSITYGW, prepareGoProgram } from "../setup/go-programs.ts";
import { repositoryDataDir } from "../repository.ts";
import { runTool } from "../setup/run-tool.ts";

const REGION = "us-east-1";
const ADMIN = { accessKeyId: "admin", secretAccessKey: "admin-secret" };
/** The user that the server is, as in docker/compose.yaml: it may use the buckets that were made for it. */
const USER = { accessKeyId: "tapedeck-dev", secretAccessKey: "tapedeck-dev-secret" };

/** Values of the server's `S3_` variables that make it use one bucket of this storage. */
export type S3Environment = Record<
  "S3_ENDPOINT" | "S3_REGION" | "S3_BUCKET" | "S3_ACCESS_KEY_ID" | "S3_SECRET_ACCESS_KEY",
  string
>;

export interface StorageServerOptions {
  /** Where the storage keeps its files. */
  readonly folder: string;
  /** A free one unless given. */
  readonly port?: number;
  readonly dataDir?: string;
  readonly log?: (line: string) => void;
}

export class StorageServer extends ServerProcess {
  readonly port: number;
  readonly endpoint: string;
  /** Of the administrator, for tests that read the storage without our own code. */
  readonly client: S3Client;
  readonly #program: string;

  constructor(program: string, port: number, { folder, log }: Pick<StorageServerOptions, "folder" | "log">) {
    const address = ["--port", `127.0.0.1:${port}`, "--region", REGION, "--health", "/health"];
    super({
      name: "the storage",
      command: [program, ...address, "--iam-dir", path.join(folder, "users"), "posix", path.join(folder, "buckets")],
      ready: async () => (await fetch(`http://127.0.0.1:${port}/health`)).ok,
      env: { ROOT_ACCESS_KEY_ID: ADMIN.accessKeyId, ROOT_SECRET_ACCESS_KEY: ADMIN.secretAccessKey },
      onOutput: log,
    });
    this.#program = program;
    this.port = port;
    this.endpoint = `http://127.0.0.1:${port}`;
    this.client = new S3Client({
      endpoint: this.endpoint,
      region: REGION,
      credentials: ADMIN,
      forcePathStyle: true,
    });
  }

  /** Makes the user that `newBucket` makes buckets for, unless it is there. */
  async makeUser(): Promise<void> {
    if ((await this.#administer("list-users")).includes(USER.accessKeyId)) return;
    await this.#administer("create-user", "-a", USER.accessKeyId, "-s", USER.secretAccessKey, "-r", "user");
  }

  /**
   * Makes a bucket if there is none of that name.
   * @param name a new one unless given
   */
  async newBucket(name = `test-${randomUUID()}`): Promise<S3Environment> {
    const known = await this.#administer("list-buckets");
    if (!known.split(/\s+/).includes(name))
      await this.#administer("create-bucket", "--bucket", name, "--owner", USER.accessKeyId);
    return {
      S3_ENDPOINT: this.endpoint,
      S3_REGION: REGION,
      S3_BUCKET: name,
      S3_ACCESS_KEY_ID: USER.accessKeyId,
      S3_SECRET_ACCESS_KEY: USER.secretAccessKey,
    };
  }

  override async stop(): Promise<void> {
    this.client.destroy();
    await super.stop();
  }

  #administer(...command: string[]): Promise<string> {
    const signIn = ["-a", ADMIN.accessKeyId, "-s", ADMIN.secretAccessKey, "-er", this.endpoint];
    return runTool(this.#program, ["admin", ...signIn, ...command]);
  }
}

/**
 * Starts a storage and waits until it listens.
 * @throws SetUpError when versitygw is missing and cannot be built, or ends before it listens
 */
export async function startStorageServer(options: StorageServerOptions): Promise<StorageServer> {
  const report = options.log ?? (() => undefined);
  const program = await prepareGoProgram(VERSITYGW, { dataDir: options.dataDir ?? repositoryDataDir(), report });
  for (const name of ["users", "buckets"]) await mkdir(path.join(options.folder, name), { recursive: true });
  const server = new StorageServer(program, options.port ?? (await ownPort()), options);
  await server.start();
  await server.makeUser();
  return server;
}
