/** S3-compatible storage for a file of tests: a MinIO in a folder of its own, and what leads to it. */
import { randomUUID } from "node:crypto";
import { mkdtemp, open, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { readConfig } from "../../config/config.ts";
import type { S3Settings } from "../../storage/s3-client.ts";
import { openFaultProxy, type FaultProxy } from "../stand-ins/fault-proxy.ts";
import { startMinio, type Minio } from "../stand-ins/minio.ts";

/**
 * Whether tests ask for S3-compatible storage: `npm run test:cluster` does. MinIO is built from source,
 * 5 minutes on two cores, as long as a third of all other tests take.
 */
export const IS_S3_TESTED = process.env["TEST_S3"] === "on";

export interface TestStorage extends AsyncDisposable {
  readonly minio: Minio;
  /** A bucket of its own, as the server would be told of it. */
  settings(overrides?: Partial<S3Settings>): Promise<S3Settings>;
  /** Another way to the same storage, that can fail. */
  link(): Promise<FaultProxy & AsyncDisposable & { readonly endpoint: string }>;
  /** A file outside the storage; of a number, so many zeros that take no room. */
  localFile(content: Uint8Array | number): Promise<string>;
}

export async function startTestStorage(): Promise<TestStorage> {
  const folder = await mkdtemp(path.join(tmpdir(), "tapedeck-minio-"));
  const minio = await startMinio({ folder: path.join(folder, "minio") });
  return {
    minio,
    async settings(overrides) {
      const { s3 } = readConfig(await minio.newBucket());
      if (!s3) throw new Error("the environment names no storage");
      return { ...s3, ...overrides };
    },
    async link() {
      const link = await openFaultProxy(minio.port);
      return { ...link, endpoint: `http://127.0.0.1:${link.port}`, [Symbol.asyncDispose]: () => link.close() };
    },
    async localFile(content) {
      const file = path.join(folder, randomUUID());
      if (typeof content !== "number") await writeFile(file, content);
      else {
        await using handle = await open(file, "w");
        await handle.truncate(content);
      }
      return file;
    },
    async [Symbol.asyncDispose]() {
      await minio.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
