import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { compress } from "./build/compress.ts";
import { globalStyles } from "./build/global-styles.ts";
import { prerender } from "./build/prerender.ts";
import { serviceWorker } from "./build/service-worker.ts";
import { withoutJsonSchemas } from "./build/without-json-schemas.ts";

/** Where `npm start` listens unless told otherwise. */
const SERVER = "http://localhost:3000";

/** What every page stands on, in the parts that the first script runs one after the other. */
const PARTS = [
  // Apart, or the first script would wait for whichever part it came to lie in.
  { name: "parts", test: /vite\/preload-helper/ },
  { name: "react", test: /\/node_modules\/(?:react|react-dom|scheduler)\// },
  // With the word that must be said to zod before any schema is made.
  { name: "base", test: /\/frontend\/src\/platform\/no-eval\.ts$|\/node_modules\/(?:react-router|zod|zustand)\// },
  {
    name: "look",
    test: /\/node_modules\/(?:stylis|@emotion\/[^/]+|@chakra-ui\/react\/dist\/esm\/(?:styled-system|utils|preset-base|anatomy)[^]*)(?:\/|\.js$)/,
  },
  { name: "theme", test: /\/frontend\/src\/theme\/(?:theme|recipes)\.ts$/ },
  // The home page, with what other pages take from it; what only others have in common stays with them.
  // First what it knows and does, then what is seen of it.
  { name: "schemas", test: /\/common\//, minShareCount: 2 },
  {
    name: "state",
    test: /\/frontend\/src\/(?!features\/(?:(?:account|contact)\/(?!ways)|billing\/(?!BillingNotice|strip-height))|components\/(?:Questions|layout\/(?:LegalDocument|TextColumn))|texts\/(?:page-texts|figures|legal|use-figures)|live\/(?!lazy-live))[^]*\.ts$/,
    minShareCount: 2,
  },
  {
    name: "page",
    test: /\/frontend\/src\/(?!features\/(?:(?:account|contact)\/(?!ways)|billing\/(?!BillingNotice|strip-height))|components\/(?:Questions|layout\/(?:LegalDocument|TextColumn))|texts\/(?:page-texts|figures|legal|use-figures)|live\/(?!lazy-live))|\/node_modules\/(?:@chakra-ui\/|@ark-ui\/react\/dist\/(?:providers|utils)\/)/,
    minShareCount: 2,
  },
];

/**
 * The same for everybody who reads English; what is seen after signing in is not. Pages whose one use is a
 * button are not among them: drawn before their script they would take a click and do nothing.
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
    // The first ones that know light-dark(): spelled out for older ones it would follow the system, never the visitor.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    // A font or picture inside the script would need a content security policy that allows data: addresses.
    assetsInlineLimit: 0,
    // A new build of ours leaves these in the browser's cache.
    rolldownOptions: { output: { codeSplitting: { groups: PARTS } } },
  },
  server: {
    // The fonts come from the packages beside this folder.
    fs: { allow: [fileURLToPath(new URL("..", import.meta.url))] },
    proxy: { "/api": SERVER, "/socket.io": { target: SERVER, ws: true } },
  },
});
