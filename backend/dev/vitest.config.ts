import { defineConfig } from "vitest/config";
import { REPOSITORY_ROOT } from "./repository.ts";

export default defineConfig({
  root: REPOSITORY_ROOT,
  test: {
    include: ["common/**/*.test.ts", "backend/**/*.test.ts", "frontend/src/**/*.test.{ts,tsx}"],
    globalSetup: "backend/dev/test-database.ts",
    pool: "forks",
    // Most tests run real encoders and databases; more of them at once than this only slow each other down.
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
