import path from "node:path";
import { defineConfig, type ReporterDescription } from "@playwright/test";
import { WITH_FULL_TESTS } from "../backend/dev/test-run/chosen-tests.ts";
import { CHROMIUM } from "./e2e/chromium.ts";

const reportFolder = process.env["TEST_REPORTS"];
const jsonReport = (folder: string): ReporterDescription => ["json", { outputFile: path.join(folder, "browser.json") }];

export default defineConfig({
  testDir: "e2e",
  testMatch: "*.e2e.ts",
  outputDir: "../test-results",
  globalSetup: "./e2e/server.ts",
  // One real server with real encoders serves all tests, which mostly wait.
  workers: 3,
  // The tests of a long file run in all workers, so that none of them is busy alone at the end.
  fullyParallel: true,
  testIgnore: WITH_FULL_TESTS ? [] : "*.full.e2e.ts",
  retries: 0,
  // Only limits tests that hang; no test depends on the speed of the machine.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  forbidOnly: true,
  reporter: [["list"], ...(reportFolder === undefined ? [] : [jsonReport(reportFolder)])],
  use: {
    // Most tests observe requests, which a service worker would hide.
    serviceWorkers: "block",
    viewport: { width: 1280, height: 800 },
    // Drawing turning reels takes more CPU than all else a page does. Tests of motion and of layout shifts turn it on.
    reducedMotion: "reduce",
    // Traces take half of the CPU; `--trace on` turns them on.
    trace: "off",
    screenshot: "only-on-failure",
    launchOptions: CHROMIUM,
  },
});
