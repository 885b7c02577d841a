/** A MinIO of one's own: on a free port, in a folder of its own, gone with whoever started it. */
import { spawn, type ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import getPort from "get-port";
import { CreateBucketCommand, S3Client } from "@aws-sdk/client-s3";
import { prepareMinio } from "../setup/minio-set-up.ts";
import { repositoryDataDir } from "../repository.ts";
import { boundToParent } from "../setup/run-tool.ts";

const REGION = "us-east-1";

/** What the server's `S3_` variables are set to, so that it uses a bucket of this MinIO. */
export type S3Environment = Record<
  "S3_ENDPOINT" | "S3_REGION" | "S3_BUCKET" | "S3_ACCESS_KEY_ID" | "S3_SECRET_ACCESS_KEY",
  string
>;

export interface Minio {
  readonly port: number;
  readonly endpoint: string;
  /** For whoever wants to look past our own store. */
  readonly client: S3Client;
  /** Makes a bucket, of a new name unless one is given; one that is there is used. */
  newBucket(name?: string): Promise<S3Environment>;
  /** As a crash would: at once, in the middle of whatever it does. */
  kill(): Promise<void>;
  /** After `kill`, on the same port and files. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

export interface MinioOptions {
  /** Where it keeps its files. */
  readonly folder: string;
  /** A free one unless named. */
  readonly port?: number;
  readonly dataDir?: string;
  readonly log?: (line: string) => void;
}

/**
 * Starts one and waits until it answers.
 * @throws SetUpError when it cannot be had, Error when it ends before it listens
 */
export async function startMinio(options: MinioOptions): Promise<Minio> {
  const log = options.log ?? (() => undefined);
  const program = await prepareMinio({ dataDir: options.dataDir ?? repositoryDataDir(), report: log });
  const port = options.port ?? (await getPort());
  const endpoint = `http://127.0.0.1:${port}`;
  const credentials = { accessKeyId: "tapedeck-dev", secretAccessKey: "tapedeck-dev-secret" };
  let child: ChildProcess | undefined;

  async function start(): Promise<void> {
    await mkdir(options.folder, { recursive: true });
    const current = spawn(
      ...boundToParent(program, [
        "server",
        "--address",
        `127.0.0.1:${port}`,
        "--certs-dir",
        path.join(options.folder, ".no-certificates"),
        path.join(options.folder, "data"),
      ]),
      {
        stdio: ["ignore", "pipe", "pipe"],
        env: {
          PATH: process.env["PATH"],
          HOME: options.folder,
          MINIO_ROOT_USER: credentials.accessKeyId,
          MINIO_ROOT_PASSWORD: credentials.secretAccessKey,
          MINIO_REGION: REGION,
          MINIO_BROWSER: "off",
          MINIO_UPDATE: "off",
          // A folder of the system's disk will do.
          MINIO_CI_CD: "on",
        },
      },
    );
    child = current;
    const said: string[] = [];
    await new Promise<void>((resolve, reject) => {
      for (const stream of [current.stdout, current.stderr])
        createInterface(stream).on("line", (line) => {
          log(line);
          said.push(line.trim());
          // Printed once it serves.
          if (line.startsWith("API: ")) resolve();
        });
      current.once("error", reject);
      current.once("exit", (code) =>
        reject(
          new Error(
            `MinIO ended with ${String(code)} before it listened: ${said
              .filter((line) => line !== "")
              .slice(-3)
              .join(" ")}`,
          ),
        ),
      );
    });
  }
  async function end(signal: NodeJS.Signals): Promise<void> {
    const current = child;
    child = undefined;
    if (!current || current.exitCode !== null || current.signalCode !== null) return;
    const exited = once(current, "exit");
    current.kill(signal);
    await exited;
  }

  await start();
  const client = new S3Client({ endpoint, region: REGION, credentials, forcePathStyle: true });
  return {
    port,
    endpoint,
    client,
    async newBucket(name = `test-${randomUUID()}`) {
      try {
        await client.send(new CreateBucketCommand({ Bucket: name }));
      } catch (error) {
        if (!(error instanceof Error && error.name === "BucketAlreadyOwnedByYou")) throw error;
      }
      return {
        S3_ENDPOINT: endpoint,
        S3_REGION: REGION,
        S3_BUCKET: name,
        S3_ACCESS_KEY_ID: credentials.accessKeyId,
        S3_SECRET_ACCESS_KEY: credentials.secretAccessKey,
      };
    },
    kill: () => end("SIGKILL"),
    start,
    async stop() {
      client.destroy();
      await end("SIGTERM");
    },
  };
}
