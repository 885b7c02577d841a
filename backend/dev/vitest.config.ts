import path from "node:path";
import { configDefaults, defineConfig } from "vitest/config";
import { LongFilesFirst } from "./long-files-first.ts";
import { REPOSITORY_ROOT, repositoryDataDir } from "./repository.ts";
import { IS_S3_TESTED } from "./testing/test-storage.ts";

// Test processes and the servers that they start inherit it: Node then compiles each module once, not at every start.
process.env["NODE_COMPILE_CACHE"] ??= path.join(repositoryDataDir(), "compile-cache");

export default defineConfig({
  root: REPOSITORY_ROOT,
  test: {
    include: [
      "common/**/*.test.ts",
      "backend/**/*.test.ts",
      "frontend/{src,api-client,command-line,extension}/**/*.test.{ts,tsx}",
    ],
    // Tests that need S3-compatible storage run with `npm run test:cluster`.
    exclude: [
      ...configDefaults.exclude,
      ...(IS_S3_TESTED ? [] : ["backend/storage/s3-*.test.ts", "backend/dev/cluster/cluster.test.ts"]),
    ],
    globalSetup: "backend/dev/testing/test-database.ts",
    setupFiles: "frontend/src/testing/show-english.ts",
    pool: "forks",
    // The files of a worker share its modules: loading them anew took about a second of CPU time for each file.
    isolate: false,
    sequence: { sequencer: LongFilesFirst },
    // More than the two cores that we assume: most tests wait for encoders and databases half of the time.
    maxWorkers: 4,
    // Long, so that no test depends on the speed of the machine; only a test that hangs reaches it.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 240_000, interval: 20 } },
  },
});
