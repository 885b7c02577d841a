import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { compress } from "./build/compress.ts";
import { prerender } from "./build/prerender.ts";
import { serviceWorker } from "./build/service-worker.ts";

/** Where `npm start` listens unless told otherwise. */
const SERVER = "http://localhost:3000";

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  plugins: [react(), prerender({ entry: "/src/entry-server.tsx", pages: ["/"] }), serviceWorker({ source: "src/service-worker.ts" }), compress()],
  build: {
    outDir: "dist",
    emptyOutDir: true,
    target: "es2022",
    // The first ones that know light-dark(): spelled out for older ones it would follow the system, never the visitor.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    // A font or picture inside the script would need a content security policy that allows data: addresses.
    assetsInlineLimit: 0,
  },
  server: {
    // The fonts come from the packages beside this folder.
    fs: { allow: [fileURLToPath(new URL("..", import.meta.url))] },
    proxy: { "/api": SERVER, "/socket.io": { target: SERVER, ws: true } },
  },
});
