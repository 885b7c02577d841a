import { defineConfig } from "@playwright/test";

/** What counts frames has the machine for itself. */
const ALONE = "frames.e2e.ts";

export default defineConfig({
  testDir: "e2e",
  testMatch: "*.e2e.ts",
  outputDir: "../test-results",
  globalSetup: "./e2e/server.ts",
  // One real server with real encoders serves all tests; most of them wait for something most of the time.
  workers: 3,
  projects: [
    { name: "pages", testIgnore: ALONE },
    { name: "alone", testMatch: ALONE, dependencies: ["pages"], workers: 1 },
  ],
  retries: 0,
  // For what never comes: no test passes or fails by how fast the machine is.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  reporter: [["list"]],
  use: {
    // Tests that are not about it look at each request themselves.
    serviceWorkers: "block",
    viewport: { width: 1280, height: 800 },
    // Recording every step of every test would take half of the machine: `--trace on` asks for it.
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
