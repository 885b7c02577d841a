/** S3-compatible storage for a file of tests: a server in its own folder. */
import { randomUUID } from "node:crypto";
import { open, writeFile } from "node:fs/promises";
import path from "node:path";
import { readConfig } from "../../config/config.ts";
import type { S3Settings } from "../../storage/s3-client.ts";
import { openFaultProxy, type FaultProxy } from "../stand-ins/fault-proxy.ts";
import { startStorageServer, type StorageServer } from "../stand-ins/storage-server.ts";
import { testFolder } from "./test-folder.ts";
import { CHOSEN_TESTS } from "../test-run/chosen-tests.ts";

/**
 * Whether tests of S3-compatible storage run: only in `npm run test:cluster`, because versitygw is built from source,
 * which takes some minutes on two cores.
 */
export const IS_S3_TESTED = CHOSEN_TESTS === "cluster";

/** A fault proxy in front of the storage. */
type FaultyLink = FaultProxy & AsyncDisposable & { readonly endpoint: string };

export interface TestStorage extends AsyncDisposable {
  readonly server: StorageServer;
  /** Makes a bucket and returns its settings as the server reads them from its environment. */
  settings(overrides?: Partial<S3Settings>): Promise<S3Settings>;
  /** Opens a fault proxy to the same storage. */
  link(): Promise<FaultyLink>;
  /** Writes a file outside the storage; a number makes a sparse file of so many zeros. */
  localFile(content: Uint8Array | number): Promise<string>;
}

export async function startTestStorage(): Promise<TestStorage> {
  const folder = await testFolder();
  const server = await startStorageServer({ folder: path.join(folder, "server") });
  return {
    server,
    async settings(overrides) {
      const { s3 } = readConfig(await server.newBucket());
      if (!s3) throw new Error("the environment names no storage");
      return { ...s3, ...overrides };
    },
    async link() {
      const proxy = await openFaultProxy(server.port);
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
    [Symbol.asyncDispose]: () => server.stop(),
  };
}
