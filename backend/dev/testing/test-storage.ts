/** S3-compatible storage for a file of tests: a MinIO in its own folder. */
import { randomUUID } from "node:crypto";
import { mkdtemp, open, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { readConfig } from "../../config/config.ts";
import type { S3Settings } from "../../storage/s3-client.ts";
import { openFaultProxy, type FaultProxy } from "../stand-ins/fault-proxy.ts";
import { startMinio, type Minio } from "../stand-ins/minio.ts";
import { CHOSEN_TESTS } from "../test-run/chosen-tests.ts";

/**
 * Whether tests of S3-compatible storage run: only in `npm run test:cluster`, because MinIO is built from source, which
 * takes 5 minutes on two cores, a third of the time of all other tests.
 */
export const IS_S3_TESTED = CHOSEN_TESTS === "cluster";

/** A fault proxy in front of the storage. */
type FaultyLink = FaultProxy & AsyncDisposable & { readonly endpoint: string };

export interface TestStorage extends AsyncDisposable {
  readonly minio: Minio;
  /** Makes a bucket and returns its settings as the server reads them from its environment. */
  settings(overrides?: Partial<S3Settings>): Promise<S3Settings>;
  /** Opens a fault proxy to the same storage. */
  link(): Promise<FaultyLink>;
  /** Writes a file outside the storage; a number makes a sparse file of so many zeros. */
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
      const proxy = await openFaultProxy(minio.port);
      return Object.assign(proxy, {
        endpoint: `http://127.0.0.1:${proxy.port}`,
        [Symbol.asyncDispose]: () => proxy.close(),
      });
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
