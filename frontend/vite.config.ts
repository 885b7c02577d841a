import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { compress } from "./build/compress.ts";
import { prerender } from "./build/prerender.ts";
import { serviceWorker } from "./build/service-worker.ts";
import { withoutJsonSchemas } from "./build/without-json-schemas.ts";

/** Where `npm start` listens unless told otherwise. */
const SERVER = "http://localhost:3000";

/** Packages that every page stands on, and the word that must be said to zod before any schema is made. */
const BASE = /\/frontend\/src\/no-eval\.ts$|\/node_modules\/(?:react|react-dom|scheduler|react-router|zod|zustand|stylis|@emotion\/[^/]+)\//;

/** The same for everybody who reads English; what is seen after signing in is not. */
const PAGES = ["/", "/login", "/help", "/contact", "/privacy", "/terms"];

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  plugins: [react(), withoutJsonSchemas(), prerender({ entry: "/src/entry-server.tsx", pages: PAGES }), serviceWorker({ source: "src/service-worker.ts" }), compress()],
  build: {
    outDir: "dist",
    emptyOutDir: true,
    target: "es2022",
    // The first ones that know light-dark(): spelled out for older ones it would follow the system, never the visitor.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    // A font or picture inside the script would need a content security policy that allows data: addresses.
    assetsInlineLimit: 0,
    // What every page needs in one file: it packs better, and a new build of ours leaves it in the browser's cache.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: "base", test: BASE }] } } },
  },
  server: {
    // The fonts come from the packages beside this folder.
    fs: { allow: [fileURLToPath(new URL("..", import.meta.url))] },
    proxy: { "/api": SERVER, "/socket.io": { target: SERVER, ws: true } },
  },
});
