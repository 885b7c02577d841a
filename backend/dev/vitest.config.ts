import { configDefaults, defineConfig } from "vitest/config";
import { REPOSITORY_ROOT } from "./repository.ts";
import { IS_S3_TESTED } from "./testing/test-storage.ts";

export default defineConfig({
  root: REPOSITORY_ROOT,
  test: {
    include: ["common/**/*.test.ts", "backend/**/*.test.ts", "frontend/src/**/*.test.{ts,tsx}"],
    // What stands on S3-compatible storage runs by `npm run test:cluster`.
    exclude: [
      ...configDefaults.exclude,
      ...(IS_S3_TESTED ? [] : ["backend/storage/s3-*.test.ts", "backend/dev/cluster/cluster.test.ts"]),
    ],
    globalSetup: "backend/dev/testing/test-database.ts",
    pool: "forks",
    // Most tests run real encoders and databases, and wait for them half of the time.
    maxWorkers: 3,
    // For what never comes: no test passes or fails by how fast the machine is.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000, interval: 20 } },
  },
});
