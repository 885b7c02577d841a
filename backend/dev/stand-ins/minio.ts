/** A MinIO (S3-compatible storage) on a free port of this machine, for tests and the cluster. */
import { randomUUID } from "node:crypto";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { CreateBucketCommand, S3Client } from "@aws-sdk/client-s3";
import { ownPort } from "../own-port.ts";
import { ServerProcess } from "../product/server-process.ts";
import { prepareMinio } from "../setup/go-programs.ts";
import { repositoryDataDir } from "../repository.ts";

const REGION = "us-east-1";
const CREDENTIALS = { accessKeyId: "tapedeck-dev", secretAccessKey: "tapedeck-dev-secret" };

/** Values of the server's `S3_` variables that make it use one bucket of this MinIO. */
export type S3Environment = Record<
  "S3_ENDPOINT" | "S3_REGION" | "S3_BUCKET" | "S3_ACCESS_KEY_ID" | "S3_SECRET_ACCESS_KEY",
  string
>;

export interface MinioOptions {
  /** Where MinIO keeps its files. */
  readonly folder: string;
  /** A free one unless given. */
  readonly port?: number;
  readonly dataDir?: string;
  readonly log?: (line: string) => void;
}

export class Minio extends ServerProcess {
  readonly port: number;
  readonly endpoint: string;
  /** For tests that read the storage without our own code. */
  readonly client: S3Client;

  constructor(program: string, port: number, { folder, log }: Pick<MinioOptions, "folder" | "log">) {
    const certificates = ["--certs-dir", path.join(folder, ".no-certificates")];
    const address = ["--address", `127.0.0.1:${port}`];
    super({
      name: "MinIO",
      command: [program, "server", ...address, ...certificates, path.join(folder, "data")],
      ready: /^API: /,
      env: {
        HOME: folder,
        MINIO_ROOT_USER: CREDENTIALS.accessKeyId,
        MINIO_ROOT_PASSWORD: CREDENTIALS.secretAccessKey,
        MINIO_REGION: REGION,
        MINIO_BROWSER: "off",
        MINIO_UPDATE: "off",
        // Without this MinIO refuses a folder on the system's disk.
        MINIO_CI_CD: "on",
      },
      onOutput: log,
    });
    this.port = port;
    this.endpoint = `http://127.0.0.1:${port}`;
    this.client = new S3Client({
      endpoint: this.endpoint,
      region: REGION,
      credentials: CREDENTIALS,
      forcePathStyle: true,
    });
  }

  /**
   * Makes a bucket if there is none of that name.
   * @param name a new one unless given
   */
  async newBucket(name = `test-${randomUUID()}`): Promise<S3Environment> {
    try {
      await this.client.send(new CreateBucketCommand({ Bucket: name }));
    } catch (error) {
      if (!(error instanceof Error && error.name === "BucketAlreadyOwnedByYou")) throw error;
    }
    return {
      S3_ENDPOINT: this.endpoint,
      S3_REGION: REGION,
      S3_BUCKET: name,
      S3_ACCESS_KEY_ID: CREDENTIALS.accessKeyId,
      S3_SECRET_ACCESS_KEY: CREDENTIALS.secretAccessKey,
    };
  }

  override async stop(): Promise<void> {
    this.client.destroy();
    await super.stop();
  }
}

/**
 * Starts a MinIO and waits until it listens.
 * @throws SetUpError when MinIO is missing and cannot be built, or ends before it listens
 */
export async function startMinio(options: MinioOptions): Promise<Minio> {
  const report = options.log ?? (() => undefined);
  const program = await prepareMinio({ dataDir: options.dataDir ?? repositoryDataDir(), report });
  await mkdir(options.folder, { recursive: true });
  const minio = new Minio(program, options.port ?? (await ownPort()), options);
  await minio.start();
  return minio;
}
