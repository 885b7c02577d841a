import path from "node:path";
import { configDefaults, defineConfig } from "vitest/config";
import { prose } from "../../frontend/build/prose.ts";
import { REPOSITORY_ROOT, repositoryDataDir } from "./repository.ts";
import { CHOSEN_TESTS, WITH_FULL_TESTS } from "./test-run/chosen-tests.ts";
import { FullTestsFirst } from "./test-run/full-tests-first.ts";
import { SlowFiles } from "./test-run/slow-files.ts";

// Test processes and the servers that they start inherit it: Node then compiles each module once, not at every start.
process.env["NODE_COMPILE_CACHE"] ??= path.join(repositoryDataDir(), "compile-cache");
const reportFolder = process.env["TEST_REPORTS"];

export default defineConfig({
  root: REPOSITORY_ROOT,
  plugins: [prose()],
  test: {
    include: [
      "common/**/*.test.ts",
      "backend/**/*.test.ts",
      "frontend/{src,build,api-client,command-line,extension}/**/*.test.{ts,tsx}",
    ],
    exclude: [
      ...configDefaults.exclude,
      // They need a browser; see `frontend/vitest.config.ts`.
      "frontend/**/*.component.test.tsx",
      ...(WITH_FULL_TESTS ? [] : ["**/*.full.test.{ts,tsx}"]),
      ...(CHOSEN_TESTS === "cluster" ? [] : ["backend/storage/s3-*.test.ts", "backend/dev/cluster/cluster*.test.ts"]),
    ],
    globalSetup: "backend/dev/testing/test-database.ts",
    setupFiles: [
      "backend/dev/test-run/watch-left-behind.ts",
      "backend/dev/test-run/property-seed.ts",
      "frontend/src/testing/show-english.ts",
    ],
    allowOnly: false,
    reporters: [
      "default",
      new SlowFiles(),
      ...(reportFolder === undefined
        ? []
        : [["json", { outputFile: path.join(reportFolder, "unit.json") }] satisfies [string, object]]),
    ],
    pool: "forks",
    // The files of a worker share its modules: loading them anew took about a second of CPU time for each file.
    isolate: false,
    sequence: { sequencer: FullTestsFirst },
    // More than the two cores that we assume: most tests wait for encoders and databases half of the time.
    maxWorkers: 4,
    // Long, so that no test depends on the speed of the machine; only a test that hangs reaches it.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 240_000, interval: 20 } },
  },
});
