/** Component tests: parts of the pages in two pages of Chromium, with a fake server; see `src/testing`. */
import path from "node:path";
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { playwright } from "@vitest/browser-playwright";
import type { Plugin } from "vite";
import { configDefaults, defineConfig } from "vitest/config";
import { WITH_FULL_TESTS } from "../backend/dev/test-run/chosen-tests.ts";
import { FullTestsFirst } from "../backend/dev/test-run/full-tests-first.ts";
import { globalStyles } from "./build/global-styles.ts";
import { prose } from "./build/prose.ts";
import { smallZod } from "./build/small-zod.ts";
import { CHROMIUM } from "./e2e/chromium.ts";

const PACKAGES = [
  "@chakra-ui/react",
  "@emotion/react",
  "@stripe/react-stripe-js",
  "@stripe/stripe-js/pure",
  "axe-core",
  "jsqr",
  "react",
  "react-dom",
  "react-dom/client",
  "react-error-boundary",
  "react-router",
  "react/jsx-dev-runtime",
  "react/jsx-runtime",
  "socket.io-client",
  "swagger-ui-dist/swagger-ui-es-bundle.js",
  "uplot",
  "zod/mini",
  "zod/v4/core",
  "zustand",
  "zustand/react/shallow",
  "zustand/vanilla",
];

const reportFolder = process.env["TEST_REPORTS"];
const STORES = fileURLToPath(new URL("src/testing/stores.ts", import.meta.url));

const notedStores: Plugin = {
  name: "tapedeck-noted-stores",
  enforce: "pre",
  resolveId: {
    filter: { id: /^zustand\/vanilla$/ },
    handler: (_id, importer) => (importer === STORES ? null : STORES),
  },
};

// React as visitors get it, which takes two thirds of the time that React for development takes.
process.env["NODE_ENV"] = "production";

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  plugins: [react(), globalStyles(), prose(), smallZod(), notedStores],
  // Each is named, and none is looked for: one that is found late would reload the page while tests run.
  optimizeDeps: { noDiscovery: true, include: PACKAGES },
  server: { fs: { allow: [fileURLToPath(new URL("..", import.meta.url))] } },
  test: {
    name: "components",
    include: ["src/**/*.component.test.tsx"],
    exclude: [...configDefaults.exclude, ...(WITH_FULL_TESTS ? [] : ["**/*.full.component.test.tsx"])],
    sequence: { sequencer: FullTestsFirst },
    setupFiles: "src/testing/component-set-up.ts",
    allowOnly: false,
    reporters: [
      "default",
      ...(reportFolder === undefined
        ? []
        : [["json", { outputFile: path.join(reportFolder, "components.json") }] satisfies [string, object]]),
    ],
    // Long, so that no test depends on the speed of the machine; only a test that hangs reaches it.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000, interval: 20 } },
    // As many pages, each with one file at a time. A page alone waits for frames, and leaves half of two cores idle.
    maxWorkers: 2,
    browser: {
      enabled: true,
      provider: playwright({
        launchOptions: CHROMIUM,
        contextOptions: { permissions: ["clipboard-read", "clipboard-write"], reducedMotion: "reduce" },
        actionTimeout: 60_000,
      }),
      headless: true,
      connectTimeout: 300_000,
      screenshotFailures: false,
      // The corner, where no page has anything that a pointer can hold open.
      commands: { restPointer: ({ page }) => page.mouse.move(0, 0) },
      viewport: { width: 1280, height: 800 },
      instances: [{ browser: "chromium" }],
    },
  },
});
