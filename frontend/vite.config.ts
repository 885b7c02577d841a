import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { compress } from "./build/compress.ts";
import { globalStyles } from "./build/global-styles.ts";
import { prerender } from "./build/prerender.ts";
import { serviceWorker } from "./build/service-worker.ts";
import { withoutJsonSchemas } from "./build/without-json-schemas.ts";

/** The default address of `npm start`. */
const SERVER = "http://localhost:3000";

/** Modules that the home page does not load, although several other pages share them. */
const OTHER_PAGES = [
  "features/(?:account|checkout|contact)/(?!access)",
  "features/billing/(?!BillingNotice|strip-height)",
  "components/(?:Questions|use-busy|layout/(?:LegalDocument|TextColumn))",
  "texts/(?:page-texts|figures|legal|use-figures)",
  "live/(?!lazy-live)",
].join("|");
const HOME_MODULES = `/frontend/src/(?!${OTHER_PAGES})`;

/**
 * Chunks that every page needs; start.ts runs them one after the other. The patterns name folders of libraries.
 * The groups save the home page 6.7 kB, compressed, and 12 of 23 requests.
 */
const CHUNKS = [
  // Separate, because the first script needs it before the other chunks.
  { name: "parts", test: /vite\/preload-helper/ },
  { name: "react", test: /\/node_modules\/(?:react|react-dom|scheduler)\// },
  // Includes no-eval.ts, which configures zod before any schema is created.
  { name: "base", test: /\/frontend\/src\/platform\/no-eval\.ts$|\/node_modules\/(?:react-router|zod|zustand)\// },
  {
    name: "look",
    test: new RegExp(
      "/node_modules/(?:stylis|@emotion/[^/]+|" +
        "@chakra-ui/react/dist/esm/(?:styled-system|utils|preset-base|anatomy)[^]*)(?:/|\\.js$)",
    ),
  },
  { name: "theme", test: /\/frontend\/src\/theme\/(?:theme|recipes)\.ts$/ },
  // The home page with the modules that it shares with other pages: schemas, then state, then components.
  { name: "schemas", test: /\/common\//, minShareCount: 2 },
  { name: "state", test: new RegExp(`${HOME_MODULES}[^]*\\.ts$`), minShareCount: 2 },
  {
    name: "page",
    test: new RegExp(`${HOME_MODULES}|/node_modules/(?:@chakra-ui/|@ark-ui/react/dist/(?:providers|utils)/)`),
    minShareCount: 2,
  },
];

/**
 * Prerendered pages: public ones with text to read. Pages that mainly have a button are left out, because
 * before hydration a click on it would do nothing.
 */
const PAGES = ["/", "/plans", "/help", "/privacy", "/terms"];

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  plugins: [
    react(),
    globalStyles(),
    withoutJsonSchemas(),
    prerender({ entry: "/src/app/entry-server.tsx", pages: PAGES }),
    serviceWorker({ source: "src/platform/service-worker.ts" }),
    compress(),
  ],
  build: {
    outDir: "dist",
    emptyOutDir: true,
    target: "es2022",
    // The first versions with light-dark(); its fallback for older ones would ignore the visitor's choice.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    // Inlined fonts or pictures would need a content security policy that allows data: URLs.
    assetsInlineLimit: 0,
    // Libraries have their own chunks, which stay in the browser's cache after a new build.
    rolldownOptions: { output: { codeSplitting: { groups: CHUNKS } } },
  },
  server: {
    // The fonts are in node_modules beside this folder.
    fs: { allow: [fileURLToPath(new URL("..", import.meta.url))] },
    proxy: { "/api": SERVER, "/socket.io": { target: SERVER, ws: true } },
  },
});
