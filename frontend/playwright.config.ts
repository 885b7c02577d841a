import { defineConfig } from "@playwright/test";

/** The frame rate test runs without other tests beside it. */
const ALONE = "frames.e2e.ts";

export default defineConfig({
  testDir: "e2e",
  testMatch: "*.e2e.ts",
  outputDir: "../test-results",
  globalSetup: "./e2e/server.ts",
  // One real server with real encoders serves all tests, which mostly wait.
  workers: 3,
  projects: [
    { name: "pages", testIgnore: ALONE },
    { name: "alone", testMatch: ALONE, dependencies: ["pages"], workers: 1 },
  ],
  retries: 0,
  // Only limits tests that hang; no test depends on the speed of the machine.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  reporter: [["list"]],
  use: {
    // Most tests observe requests, which a service worker would hide.
    serviceWorkers: "block",
    viewport: { width: 1280, height: 800 },
    // Traces take half of the CPU; `--trace on` turns them on.
    trace: "off",
    screenshot: "only-on-failure",
    launchOptions: {
      executablePath: process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium",
      args: [
        "--disable-background-networking",
        "--disable-component-update",
        ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
      ],
    },
  },
});
